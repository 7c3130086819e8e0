#define _GNU_SOURCE
#include "shim_program.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the program is to be rid of: nothing of it may come back by executing something else. */
static int give_up_rights(void) {
    /* Root's come back from the bounding set, which may be emptied by CAP_SETPCAP alone: without it, what is left in it
       is what awared itself was left. */
    for (unsigned long right = 0; prctl(PR_CAPBSET_DROP, right, 0, 0, 0) == 0; right++) {}
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};
    if (syscall(SYS_capset, &head, none) < 0) return -1;
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/* In the child, which shares our memory until it executes the program. Returns where it cannot. */
static int become_program(const char *path, int input) {
    static char *const environment[] = {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", NULL};
    char *const words[] = {(char *)path, NULL};
    /* awared reads some signals from a descriptor, and ignores broken pipes. */
    sigset_t none;
    sigemptyset(&none);
    signal(SIGPIPE, SIG_DFL);
    if (sigprocmask(SIG_SETMASK, &none, NULL) < 0 || setpgid(0, 0) < 0 || dup2(input, STDIN_FILENO) < 0 ||
        dup2(STDERR_FILENO, STDOUT_FILENO) < 0 || close_range(STDERR_FILENO + 1, ~0U, 0) < 0 ||
        give_up_rights() < 0)
        return errno;
    execve(path, words, environment);
    return errno;
}

int32_t shim_start_program(const char *path, int *input) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return -errno;
    volatile int error = 0;
    pid_t process = vfork();
    if (process == 0) {
        error = become_program(path, ends[0]);
        _exit(127);
    }
    if (process < 0) error = errno;
    close(ends[0]);
    if (!error && fcntl(ends[1], F_SETFL, O_NONBLOCK) < 0) error = errno;
    if (error) {
        close(ends[1]);
        if (process > 0) {
            shim_kill_program(process);
            waitpid(process, NULL, 0);
        }
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
