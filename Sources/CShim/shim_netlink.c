#define _GNU_SOURCE
#include "shim_netlink.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

_Static_assert(EPERM == 1 && EACCES == 13 && ENODEV == 19 && ETIMEDOUT == 110 && ERFKILL == 132, "error numbers");

int shim_netlink_prepare(int socket) {
    int on = 1;
    if (setsockopt(socket, SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof on) < 0) return -errno;
    if (setsockopt(socket, SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof on) < 0) return -errno;
    return 0;
}

int shim_may_administer_networks(void) {
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {0};
    if (syscall(SYS_capget, &head, sets) < 0) return -errno;
    return (sets[CAP_NET_ADMIN / 32].effective >> (CAP_NET_ADMIN % 32)) & 1;
}

int shim_write_text(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (file < 0) return -errno;
    ssize_t written = write(file, text, strlen(text));
    int failure = written < 0 ? -errno : 0;
    close(file);
    return failure;
}

static int is_set(int directory, const char *name) {
    char character = 0;
    int file = openat(directory, name, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    int is_one = read(file, &character, 1) == 1 && character == '1';
    close(file);
    return is_one;
}

int shim_radio_switch(const char *directory) {
    int opened = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0) return shim_switch_on;
    int state = is_set(opened, "hard") ? shim_switch_off_by_key : is_set(opened, "soft") ? shim_switch_off : shim_switch_on;
    close(opened);
    return state;
}
