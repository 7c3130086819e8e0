#define _GNU_SOURCE
#include "shim_program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int prepare(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, int input) {
    /* This program reads some signals from a descriptor, and ignores broken pipes. */
    sigset_t none, pipes;
    sigemptyset(&none);
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    int error = posix_spawn_file_actions_adddup2(actions, input, STDIN_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(actions, STDERR_FILENO, STDOUT_FILENO);
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
    if (!error) error = posix_spawnattr_setsigmask(attributes, &none);
    if (!error) error = posix_spawnattr_setsigdefault(attributes, &pipes);
    if (!error) error = posix_spawnattr_setpgroup(attributes, 0);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP;
    if (!error) error = posix_spawnattr_setflags(attributes, flags);
    return error;
}

int32_t shim_start_program(const char *path, int *input) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return -errno;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t process = 0;
    int error = posix_spawn_file_actions_init(&actions);
    if (!error) {
        error = posix_spawnattr_init(&attributes);
        if (!error) {
            char *words[] = {(char *)path, NULL};
            char *environment[] = {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", NULL};
            error = prepare(&actions, &attributes, ends[0]);
            if (!error) error = posix_spawn(&process, path, &actions, &attributes, words, environment);
            posix_spawnattr_destroy(&attributes);
        }
        posix_spawn_file_actions_destroy(&actions);
    }
    close(ends[0]);
    if (!error && fcntl(ends[1], F_SETFL, O_NONBLOCK) < 0) error = errno;
    if (error) {
        close(ends[1]);
        if (process > 0) shim_kill_program(process);
        return -error;
    }
    *input = ends[1];
    return process;
}

int shim_program_ended(int32_t process, int *status) {
    int ended = waitpid(process, status, WNOHANG) != 0;
    if (ended) *status = WIFSIGNALED(*status) ? -WTERMSIG(*status) : WEXITSTATUS(*status);
    return ended;
}

void shim_kill_program(int32_t process) { kill(-process, SIGKILL); }

int shim_is_unread(int descriptor) {
    struct pollfd interest = {descriptor, 0, 0};
    return poll(&interest, 1, 0) == 1 && (interest.revents & POLLERR);
}
