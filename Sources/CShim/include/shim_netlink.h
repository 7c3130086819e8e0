/* What a kernel radio needs beside libnl. Functions that can fail give back a negative error number. */
#ifndef AWARED_SHIM_NETLINK_H
#define AWARED_SHIM_NETLINK_H

#include <stddef.h>
#include <stdint.h>

enum {
    shim_error_not_permitted = -1,
    shim_error_denied = -13,
    shim_error_no_device = -19,
    shim_error_timed_out = -110,
    shim_error_rfkill = -132,
};

enum { shim_switch_on = 0, shim_switch_off = 1, shim_switch_off_by_key = 2 };

/* Asks for extended acknowledgements that do not repeat the request. */
int shim_netlink_prepare(int socket);
/* 1 where the process may administer networks. */
int shim_may_administer_networks(void);
/* Writes a text to an existing file in one call. */
int shim_write_text(const char *path, const char *text);
/* What a radio's switch says, as in /sys/class/rfkill/rfkill0; on where there is none. */
int shim_radio_switch(const char *directory);

#endif
