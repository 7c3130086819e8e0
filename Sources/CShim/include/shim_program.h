/* Programs that are fed over their standard input. */
#ifndef AWARED_SHIM_PROGRAM_H
#define AWARED_SHIM_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

/* Starts the program at the path, without arguments, in a process group of its own, with PATH alone as environment, as
   this program's user but without its capabilities; it gains none, by whatever it executes.
   Its standard output goes where its standard error goes, which is this program's. `input` becomes a descriptor that
   never blocks, from which the program reads. Returns its process, or a negative error number. */
int32_t shim_start_program(const char *path, int *input);
/* 1 where the process has ended, 0 while it runs. It must not be asked again after a 1. */
int shim_program_ended(int32_t process, int *status);
/* Has the process's group end at once. */
void shim_kill_program(int32_t process);
/* 1 where nobody reads from the descriptor's other end any more. */
int shim_is_unread(int descriptor);

#endif
