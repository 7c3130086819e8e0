#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

void shim_erase(void *octets, size_t count) { explicit_bzero(octets, count); }

int shim_random(void *octets, size_t count) {
    uint8_t *rest = octets;
    while (count > 0) {
        ssize_t filled = getrandom(rest, count, 0);
        if (filled < 0 && errno != EINTR) return -1;
        if (filled < 0) continue;
        rest += filled;
        count -= (size_t)filled;
    }
    return 0;
}

int shim_equal(const void *one, const void *other, size_t count) {
    const volatile uint8_t *a = one, *b = other;
    uint8_t difference = 0;
    for (size_t i = 0; i < count; i++) difference |= a[i] ^ b[i];
    return difference == 0;
}

void shim_exit(int status) { exit(status); }

void shim_die(const char *message, size_t count) {
    ssize_t ignored = write(STDERR_FILENO, message, count);
    ignored = write(STDERR_FILENO, "\n", 1);
    (void)ignored;
    abort();
}
