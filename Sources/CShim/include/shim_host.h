/* What the Linux host needs of the system, in terms that Swift can import.
   Where nothing else is said a function returns a result of 0 or more, or a negative error number, and does not
   fail for an interrupting signal. Paths and texts end in a zero octet. */
#ifndef AWARED_SHIM_HOST_H
#define AWARED_SHIM_HOST_H

#include <stddef.h>
#include <stdint.h>

enum {
    shim_error_again = -11,
    shim_error_exists = -17,
    shim_error_missing = -2,
    shim_error_pipe = -32,
    shim_error_refused = -111,
    shim_error_no_buffers = -105,
};

/* The system's words for an error number, positive or negative. */
const char *shim_reason(int error);

/* --- Waiting and time --- */

/* Laid out as struct pollfd. */
struct shim_interest {
    int32_t descriptor;
    int16_t wanted;
    int16_t ready;
};
enum { shim_readable = 1, shim_writable = 4, shim_invalid = 32 };

/* Microseconds that never jump, and seconds since 1970. */
uint64_t shim_monotonic(void);
uint64_t shim_calendar(void);

/* Waits at most so many microseconds; without end where that is negative. An interrupting signal ends the wait
   with 0. */
int shim_wait(struct shim_interest *interests, size_t count, int64_t microseconds);

/* --- Descriptors and files --- */

void shim_close(int descriptor);
long shim_read(int descriptor, void *octets, size_t count);
long shim_write(int descriptor, const void *octets, size_t count);

/* Makes a directory and those above it; mode applies to the last. 0 where it is there. */
int shim_make_directories(const char *path, unsigned mode);
int shim_open_directory(const char *path);
/* 1 where somebody other than this user and root owns the open file or directory, or may write to it. */
int shim_writable_by_others(int descriptor);
/* An existing regular file, to be read. Not a link where `directory` is one; a path where it is shim_here. */
int shim_open_file(int directory, const char *name);
/* The size of an open regular file. */
int64_t shim_file_size(int descriptor);
int shim_here(void);
/* A new file, mode 0600, to be written. */
int shim_create_file(int directory, const char *name);
int shim_flush(int descriptor);
int shim_rename(int directory, const char *from, const char *to);
int shim_remove(int directory, const char *name);
/* Removes a regular file or a symbolic link, nothing else. */
int shim_remove_file(const char *path);
/* No core is dumped of this process, and no other process of its user may read its memory. */
void shim_hide_memory(void);
int shim_exists(int directory, const char *name);

struct shim_listing;
/* The names in a directory. NULL without memory. */
struct shim_listing *shim_list(int directory);
/* The same by a path; NULL also where it cannot be opened. */
struct shim_listing *shim_list_path(const char *path);
/* The next name, valid until the next call; NULL at the end. */
const char *shim_next_name(struct shim_listing *listing);
void shim_end_list(struct shim_listing *listing);

/* --- This process --- */

/* A copy for shim_free; NULL without memory. */
char *shim_copy_text(const char *text);
void shim_free(void *memory);
int shim_argument_count(void);
const char *shim_argument(int index);
const char *shim_environment(const char *name);
int shim_process(void);
/* 1 while a process has this number. */
int shim_process_lives(int process);
int shim_is_terminal(int descriptor);
/* 1 where the descriptor is the stream that JOURNAL_STREAM names. */
int shim_is_journal(int descriptor);

void shim_ignore_broken_pipes(void);
/* Ignores SIGPIPE, and returns a descriptor from which SIGTERM, SIGINT and SIGHUP are read from now on. */
int shim_open_signals(void);
/* The next signal's number, or shim_error_again. */
int shim_next_signal(int descriptor);
enum { shim_hangup = 1, shim_interrupt = 2, shim_terminate = 15 };

/* --- The command line --- */

struct shim_option {
    const char *name;
    char letter; /* 0: no short form */
    int takes_value;
};
enum { shim_options_end = -1, shim_options_wrong = -2 };
/* Starts reading `words`, which are permuted so that operands come last. */
void shim_start_options(void);
/* The index of the next option, or one of the two above. What is wrong is said on standard error. */
int shim_next_option(int count, char **words, const struct shim_option *options, size_t option_count,
                     const char **value);
/* After the end: the index of the first operand. */
int shim_first_operand(void);

/* --- Sockets --- */

/* All in host order. */
struct shim_address {
    int is_v6;
    uint32_t v4;
    uint64_t v6_prefix, v6_identifier; /* The upper and the lower half. */
    uint32_t scope;
    uint16_t port;
};
/* A bound, non-blocking UDP socket. */
int shim_open_datagrams(const struct shim_address *address);
int shim_local_address(int descriptor, struct shim_address *address);
long shim_receive(int descriptor, void *octets, size_t room, struct shim_address *sender);
long shim_send(int descriptor, const void *octets, size_t count, const struct shim_address *receiver);

/* Takes the lock of a file for as long as the descriptor is open; shim_error_again while another has it. */
int shim_lock(const char *path);
/* A listening, non-blocking stream socket, mode 0600. A socket that is there is replaced, nothing else is. */
int shim_listen(const char *path, int backlog);
int shim_remove_socket(const char *path);
/* A non-blocking connection. */
int shim_accept(int listener);
/* Who is at the other end. */
int shim_peer(int descriptor, int32_t *process, uint32_t *user);
uint32_t shim_user(void);
/* A blocking connection whose reads fail with shim_error_again after so many seconds; 0 for never. */
int shim_connect(const char *path);
int shim_patience(int descriptor, int seconds);
/* A non-blocking datagram socket of a name that the kernel chooses, which talks with the one at the path alone. */
int shim_connect_datagrams(const char *path);

#endif
