#define _GNU_SOURCE
#include "shim.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void shim_erase(void *octets, size_t count) { explicit_bzero(octets, count); }

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
