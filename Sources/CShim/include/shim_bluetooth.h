/* The kernel's Bluetooth sockets. Functions that can fail give back a negative error number; nothing blocks. */
#ifndef AWARED_SHIM_BLUETOOTH_H
#define AWARED_SHIM_BLUETOOTH_H

#include <stddef.h>
#include <stdint.h>

enum {
    shim_error_family = -97,
    shim_error_protocol = -93,
};

/* The management channel of all controllers. shim_error_family or shim_error_protocol: the kernel has no Bluetooth. */
int shim_bluetooth_management(void);

/* A listener for the attribute protocol over Bluetooth LE. Addresses have their last octet first, as on the air; zeros
   stand for whatever address of that kind the controllers have. */
int shim_bluetooth_listen(const uint8_t address[6], int is_random, int backlog);

/* The next client, or shim_error_again. */
int shim_bluetooth_accept(int listener, uint8_t address[6], int *is_random);

/* How well a client's link is protected, 1 … 4 (BT_SECURITY_LOW … BT_SECURITY_FIPS). */
int shim_bluetooth_security(int client);

/* A descriptor from which changes of radio switches are read. */
int shim_switches_open(void);

#endif
