/* How functions of the shim say that the system failed: by the negative error number. */
#ifndef AWARED_OUTCOME_H
#define AWARED_OUTCOME_H

#include <errno.h>
#include <unistd.h>

/* Repeats a call that a signal interrupted. */
#define UNINTERRUPTED(result, call)              \
    do {                                         \
        (result) = (call);                       \
    } while ((result) < 0 && errno == EINTR)

static inline int outcome(int result) { return result < 0 ? -errno : result; }

/* The outcome of a call that has failed, once the descriptor that it was for is closed. */
static inline int failed(int descriptor) {
    int error = errno;
    close(descriptor);
    return -error;
}

#endif
