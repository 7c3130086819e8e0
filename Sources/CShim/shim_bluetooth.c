#define _GNU_SOURCE
#include "shim_bluetooth.h"
#include "outcome.h"

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/l2cap.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>

_Static_assert(EAFNOSUPPORT == 97 && EPROTONOSUPPORT == 93, "error numbers");

/* The fixed channel of the attribute protocol. */
enum { attribute_channel = 4 };

int shim_bluetooth_management(void) {
    int descriptor = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, BTPROTO_HCI);
    if (descriptor < 0) return -errno;
    struct sockaddr_hci address = {
        .hci_family = AF_BLUETOOTH, .hci_dev = HCI_DEV_NONE, .hci_channel = HCI_CHANNEL_CONTROL};
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0) return failed(descriptor);
    return descriptor;
}

int shim_bluetooth_listen(const uint8_t address[6], int is_random, int backlog) {
    int descriptor = socket(AF_BLUETOOTH, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, BTPROTO_L2CAP);
    if (descriptor < 0) return -errno;
    struct sockaddr_l2 own = {
        .l2_family = AF_BLUETOOTH,
        .l2_cid = htobs(attribute_channel),
        .l2_bdaddr_type = is_random ? BDADDR_LE_RANDOM : BDADDR_LE_PUBLIC};
    memcpy(&own.l2_bdaddr, address, sizeof own.l2_bdaddr);
    /* Links are accepted as they are. Asking for more here or on a client's socket would keep its answers back until
       it has paired: what needs more is refused by the attribute protocol. */
    struct bt_security security = {.level = BT_SECURITY_LOW};
    if (bind(descriptor, (struct sockaddr *)&own, sizeof own) < 0 ||
        setsockopt(descriptor, SOL_BLUETOOTH, BT_SECURITY, &security, sizeof security) < 0 ||
        listen(descriptor, backlog) < 0)
        return failed(descriptor);
    return descriptor;
}

int shim_bluetooth_accept(int listener, uint8_t address[6], int *is_random) {
    struct sockaddr_l2 peer = {0};
    socklen_t length = sizeof peer;
    int descriptor;
    do {
        descriptor = accept4(listener, (struct sockaddr *)&peer, &length, SOCK_CLOEXEC | SOCK_NONBLOCK);
    } while (descriptor < 0 && (errno == EINTR || errno == ECONNABORTED));
    if (descriptor < 0) return -errno;
    memcpy(address, &peer.l2_bdaddr, sizeof peer.l2_bdaddr);
    *is_random = peer.l2_bdaddr_type == BDADDR_LE_RANDOM;
    return descriptor;
}

int shim_bluetooth_security(int client) {
    struct bt_security security = {0};
    socklen_t length = sizeof security;
    if (getsockopt(client, SOL_BLUETOOTH, BT_SECURITY, &security, &length) < 0) return -errno;
    return security.level;
}

int shim_switches_open(void) {
    return outcome(open("/dev/rfkill", O_RDONLY | O_CLOEXEC | O_NONBLOCK));
}
