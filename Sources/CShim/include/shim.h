/* What Swift cannot import, or not in its Embedded mode: macros, variadic functions, errno, ioctls. */
#ifndef AWARED_SHIM_H
#define AWARED_SHIM_H

#include <stddef.h>
#include <stdint.h>

/* Overwrites octets in a way that the optimiser may not remove. */
void shim_erase(void *octets, size_t count);

/* 1 where both are the same, in a time that depends on the count alone. */
int shim_equal(const void *one, const void *other, size_t count);

/* Fills the octets from the kernel's generator, which is waited for while the machine has just started. 0, or -1 where
   the kernel has none. */
int shim_random(void *octets, size_t count);

/* Ends the program. */
_Noreturn void shim_exit(int status);

/* Writes a line to standard error and aborts. */
_Noreturn void shim_die(const char *message, size_t count);

#endif
