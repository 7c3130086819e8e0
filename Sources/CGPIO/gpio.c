#include "gpio.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

/* Version 2's; version 1's is, confusingly, libgpiod.so.2. */
#define LIBRARY "libgpiod.so.3"

static const char *problem = "";

static void *find(void *library, const char *name) {
    void *function = dlsym(library, name);
    if (!function) problem = LIBRARY " lacks a function that awared uses";
    return function;
}

const struct gpiod_library *gpiod_library(void) {
    static struct gpiod_library functions;
    static int is_loaded;
    if (is_loaded) return &functions;
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        problem = LIBRARY " is missing: install libgpiod3 (on Debian 12 from bookworm-backports)";
        return NULL;
    }
#define FIND(name) \
    if (!(functions.name = find(library, "gpiod_" #name))) return NULL;
    GPIOD_FUNCTIONS(FIND)
#undef FIND
    is_loaded = 1;
    return &functions;
}

const char *gpiod_library_problem(void) { return problem; }

int gpiod_library_error(void) { return -errno; }
