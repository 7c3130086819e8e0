#define _GNU_SOURCE
#include "shim_host.h"
#include "outcome.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <endian.h>
#include <fcntl.h>
#include <getopt.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>

_Static_assert(EAGAIN == 11 && EEXIST == 17 && ENOENT == 2 && EPIPE == 32 && ECONNREFUSED == 111, "error numbers");
_Static_assert(ENOBUFS == 105, "error numbers");
_Static_assert(sizeof(struct shim_interest) == sizeof(struct pollfd), "layout");
_Static_assert(offsetof(struct shim_interest, wanted) == offsetof(struct pollfd, events), "layout");
_Static_assert(offsetof(struct shim_interest, ready) == offsetof(struct pollfd, revents), "layout");
_Static_assert(POLLIN == shim_readable && POLLOUT == shim_writable && POLLNVAL == shim_invalid, "poll's numbers");
_Static_assert(SIGHUP == shim_hangup && SIGINT == shim_interrupt && SIGTERM == shim_terminate, "signals");

const char *shim_reason(int error) { return strerror(error < 0 ? -error : error); }

/* --- Waiting and time --- */

uint64_t shim_monotonic(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

uint64_t shim_calendar(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec < 0 ? 0 : (uint64_t)now.tv_sec;
}

int shim_wait(struct shim_interest *interests, size_t count, int64_t microseconds) {
    struct timespec limit = {microseconds / 1000000, microseconds % 1000000 * 1000};
    int ready = ppoll((struct pollfd *)interests, count, microseconds < 0 ? NULL : &limit, NULL);
    if (ready < 0 && errno == EINTR) {
        for (size_t i = 0; i < count; i++) interests[i].ready = 0;
        return 0;
    }
    return outcome(ready);
}

/* --- Descriptors and files --- */

void shim_close(int descriptor) { close(descriptor); }

long shim_read(int descriptor, void *octets, size_t count) {
    ssize_t result;
    UNINTERRUPTED(result, read(descriptor, octets, count));
    return result < 0 ? -errno : result;
}

long shim_write(int descriptor, const void *octets, size_t count) {
    ssize_t result;
    UNINTERRUPTED(result, write(descriptor, octets, count));
    return result < 0 ? -errno : result;
}

int shim_make_directories(const char *path, unsigned mode) {
    char *copy = strdup(path);
    if (!copy) return -ENOMEM;
    int result = 0;
    for (char *end = copy + 1; *copy && *end; end++) {
        if (*end != '/') continue;
        *end = 0;
        if (mkdir(copy, 0755) < 0 && errno != EEXIST) result = -errno;
        *end = '/';
        if (result < 0) break;
    }
    if (result == 0 && mkdir(copy, mode) < 0 && errno != EEXIST) result = -errno;
    free(copy);
    return result;
}

int shim_open_directory(const char *path) { return outcome(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)); }

int shim_writable_by_others(int descriptor) {
    struct stat status;
    if (fstat(descriptor, &status) < 0) return -errno;
    if (status.st_uid != 0 && status.st_uid != geteuid()) return 1;
    return (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

int shim_here(void) { return AT_FDCWD; }

int shim_open_file(int directory, const char *name) {
    int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (directory == AT_FDCWD ? 0 : O_NOFOLLOW | O_NONBLOCK);
    int result;
    UNINTERRUPTED(result, openat(directory, name, flags));
    return outcome(result);
}

int64_t shim_file_size(int descriptor) {
    struct stat status;
    if (fstat(descriptor, &status) < 0) return -errno;
    if (S_ISDIR(status.st_mode)) return -EISDIR;
    if (!S_ISREG(status.st_mode)) return -EINVAL;
    return status.st_size;
}

int shim_create_file(int directory, const char *name) {
    int result;
    UNINTERRUPTED(result, openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    return outcome(result);
}

int shim_flush(int descriptor) {
    int result;
    UNINTERRUPTED(result, fsync(descriptor));
    return outcome(result);
}

int shim_rename(int directory, const char *from, const char *to) {
    return outcome(renameat(directory, from, directory, to));
}

int shim_remove(int directory, const char *name) { return outcome(unlinkat(directory, name, 0)); }

void shim_hide_memory(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

int shim_remove_file(const char *path) {
    struct stat status;
    if (lstat(path, &status) < 0) return -errno;
    if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode)) return -EEXIST;
    return outcome(unlink(path));
}

int shim_exists(int directory, const char *name) {
    struct stat status;
    if (fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0) return 1;
    return errno == ENOENT ? 0 : -errno;
}

struct shim_listing *shim_list(int directory) {
    int own = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (own < 0) return NULL;
    DIR *stream = fdopendir(own);
    if (!stream) close(own);
    return (struct shim_listing *)stream;
}

struct shim_listing *shim_list_path(const char *path) { return (struct shim_listing *)opendir(path); }

const char *shim_next_name(struct shim_listing *listing) {
    struct dirent *entry = readdir((DIR *)listing);
    return entry ? entry->d_name : NULL;
}

void shim_end_list(struct shim_listing *listing) { closedir((DIR *)listing); }

/* --- This process --- */

static int argument_count;
static char **argument_words;

/* glibc hands main's arguments to constructors; Embedded Swift has no other way to them. */
__attribute__((constructor)) static void keep_arguments(int count, char **words, char **environment) {
    (void)environment;
    argument_count = count;
    argument_words = words;
}

char *shim_copy_text(const char *text) { return strdup(text); }

void shim_free(void *memory) { free(memory); }

int shim_argument_count(void) { return argument_count; }

const char *shim_argument(int index) {
    return index >= 0 && index < argument_count ? argument_words[index] : NULL;
}

const char *shim_environment(const char *name) { return getenv(name); }

int shim_process(void) { return getpid(); }

int shim_process_lives(int process) { return kill(process, 0) == 0 || errno != ESRCH; }

int shim_is_terminal(int descriptor) { return isatty(descriptor); }

int shim_is_journal(int descriptor) {
    const char *named = getenv("JOURNAL_STREAM");
    unsigned long long device, inode;
    struct stat status;
    if (!named || sscanf(named, "%llu:%llu", &device, &inode) != 2) return 0;
    return fstat(descriptor, &status) == 0 && status.st_dev == device && status.st_ino == inode;
}

void shim_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

int shim_open_signals(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    shim_ignore_broken_pipes();
    if (sigprocmask(SIG_BLOCK, &set, NULL) < 0) return -errno;
    return outcome(signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
}

int shim_next_signal(int descriptor) {
    struct signalfd_siginfo information;
    long count = shim_read(descriptor, &information, sizeof information);
    if (count < 0) return (int)count;
    return count == sizeof information ? (int)information.ssi_signo : -EAGAIN;
}

/* --- The command line --- */

void shim_start_options(void) { optind = 0; }

int shim_next_option(int count, char **words, const struct shim_option *options, size_t option_count,
                     const char **value) {
    enum { most = 64, base = 256 };
    struct option longs[most + 1];
    char letters[2 * most + 1];
    size_t length = 0;
    if (option_count > most) return shim_options_wrong;
    memset(longs, 0, sizeof longs);
    for (size_t i = 0; i < option_count; i++) {
        longs[i].name = options[i].name;
        longs[i].has_arg = options[i].takes_value ? required_argument : no_argument;
        longs[i].val = base + (int)i;
        if (!options[i].letter) continue;
        letters[length++] = options[i].letter;
        if (options[i].takes_value) letters[length++] = ':';
    }
    letters[length] = 0;
    int found = getopt_long(count, words, letters, longs, NULL);
    *value = optarg;
    if (found == -1) return shim_options_end;
    if (found >= base) return found - base;
    for (size_t i = 0; i < option_count; i++)
        if (options[i].letter && found == options[i].letter) return (int)i;
    return shim_options_wrong;
}

int shim_first_operand(void) { return optind; }

/* --- Datagram sockets --- */

static socklen_t to_system(const struct shim_address *from, struct sockaddr_storage *to) {
    memset(to, 0, sizeof *to);
    if (from->is_v6) {
        struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)to;
        v6->sin6_family = AF_INET6;
        uint64_t halves[2] = {htobe64(from->v6_prefix), htobe64(from->v6_identifier)};
        memcpy(&v6->sin6_addr, halves, sizeof halves);
        v6->sin6_scope_id = from->scope;
        v6->sin6_port = htons(from->port);
        return sizeof *v6;
    }
    struct sockaddr_in *v4 = (struct sockaddr_in *)to;
    v4->sin_family = AF_INET;
    v4->sin_addr.s_addr = htonl(from->v4);
    v4->sin_port = htons(from->port);
    return sizeof *v4;
}

static void from_system(const struct sockaddr_storage *from, struct shim_address *to) {
    memset(to, 0, sizeof *to);
    if (from->ss_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)from;
        to->is_v6 = 1;
        uint64_t halves[2];
        memcpy(halves, &v6->sin6_addr, sizeof halves);
        to->v6_prefix = be64toh(halves[0]);
        to->v6_identifier = be64toh(halves[1]);
        to->scope = v6->sin6_scope_id;
        to->port = ntohs(v6->sin6_port);
    } else if (from->ss_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)from;
        to->v4 = ntohl(v4->sin_addr.s_addr);
        to->port = ntohs(v4->sin_port);
    }
}

int shim_open_datagrams(const struct shim_address *address) {
    struct sockaddr_storage system;
    socklen_t length = to_system(address, &system);
    int only = 1;
    int descriptor = socket(system.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -errno;
    if ((address->is_v6 && setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &only, sizeof only) < 0) ||
        bind(descriptor, (struct sockaddr *)&system, length) < 0)
        return failed(descriptor);
    return descriptor;
}

int shim_local_address(int descriptor, struct shim_address *address) {
    struct sockaddr_storage system;
    socklen_t length = sizeof system;
    memset(&system, 0, sizeof system);
    if (getsockname(descriptor, (struct sockaddr *)&system, &length) < 0) return -errno;
    from_system(&system, address);
    return 0;
}

long shim_receive(int descriptor, void *octets, size_t room, struct shim_address *sender) {
    struct sockaddr_storage system;
    socklen_t length = sizeof system;
    ssize_t count;
    memset(&system, 0, sizeof system);
    UNINTERRUPTED(count, recvfrom(descriptor, octets, room, MSG_TRUNC, (struct sockaddr *)&system, &length));
    if (count < 0) return -errno;
    if ((size_t)count > room) return -EMSGSIZE;
    from_system(&system, sender);
    return count;
}

long shim_send(int descriptor, const void *octets, size_t count, const struct shim_address *receiver) {
    struct sockaddr_storage system;
    socklen_t length = to_system(receiver, &system);
    ssize_t sent;
    UNINTERRUPTED(sent, sendto(descriptor, octets, count, MSG_NOSIGNAL, (struct sockaddr *)&system, length));
    return sent < 0 ? -errno : sent;
}

/* --- The local socket --- */

int shim_lock(const char *path) {
    int descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (descriptor < 0) return -errno;
    return flock(descriptor, LOCK_EX | LOCK_NB) < 0 ? failed(descriptor) : descriptor;
}

/* Names a socket. A path that is too long for an address goes by its directory's descriptor, which the caller
   closes; -1 where that was not needed. */
static int name_socket(const char *path, struct sockaddr_un *address, int *directory) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    *directory = -1;
    if (strlen(path) < sizeof address->sun_path) {
        strcpy(address->sun_path, path);
        return 0;
    }
    const char *slash = strrchr(path, '/');
    char *above = slash ? strndup(path, (size_t)(slash - path) + 1) : NULL;
    if (!above) return -ENAMETOOLONG;
    *directory = open(above, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int error = errno;
    free(above);
    if (*directory < 0) return -error;
    int length = snprintf(address->sun_path, sizeof address->sun_path, "/proc/self/fd/%d/%s", *directory, slash + 1);
    if (length >= 0 && (size_t)length < sizeof address->sun_path) return 0;
    close(*directory);
    *directory = -1;
    return -ENAMETOOLONG;
}

int shim_remove_socket(const char *path) {
    struct stat status;
    if (lstat(path, &status) < 0) return errno == ENOENT ? 0 : -errno;
    if (!S_ISSOCK(status.st_mode)) return -EEXIST;
    return outcome(unlink(path));
}

int shim_listen(const char *path, int backlog) {
    struct sockaddr_un address;
    int directory, result = shim_remove_socket(path);
    if (result < 0) return result;
    result = name_socket(path, &address, &directory);
    if (result < 0) return result;
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    /* Linux gives the file the mode that the socket has when it is bound, so it is never open to others. */
    if (descriptor < 0)
        result = -errno;
    else if (fchmod(descriptor, 0600) < 0 || bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0 ||
             listen(descriptor, backlog) < 0)
        result = failed(descriptor);
    else
        result = descriptor;
    if (directory >= 0) close(directory);
    return result;
}

int shim_accept(int listener) {
    int result;
    UNINTERRUPTED(result, accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC));
    return outcome(result);
}

int shim_peer(int descriptor, int32_t *process, uint32_t *user) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0) return -errno;
    *process = peer.pid;
    *user = peer.uid;
    return 0;
}

uint32_t shim_user(void) { return geteuid(); }

int shim_connect(const char *path) {
    struct sockaddr_un address;
    int directory, result = name_socket(path, &address, &directory);
    if (result < 0) return result;
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) {
        result = -errno;
    } else {
        UNINTERRUPTED(result, connect(descriptor, (struct sockaddr *)&address, sizeof address));
        result = result < 0 ? failed(descriptor) : descriptor;
    }
    if (directory >= 0) close(directory);
    return result;
}

int shim_patience(int descriptor, int seconds) {
    struct timeval limit = {seconds, 0};
    return outcome(setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit));
}

int shim_connect_datagrams(const char *path) {
    struct sockaddr_un peer, own = {.sun_family = AF_UNIX};
    int directory, result = name_socket(path, &peer, &directory);
    if (result < 0) return result;
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0)
        result = -errno;
    else if (bind(descriptor, (struct sockaddr *)&own, sizeof own.sun_family) < 0 ||
             connect(descriptor, (struct sockaddr *)&peer, sizeof peer) < 0)
        result = failed(descriptor);
    else
        result = descriptor;
    if (directory >= 0) close(directory);
    return result;
}
