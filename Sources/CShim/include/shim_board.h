/* Buses to the parts on a board. Functions that can fail give back a negative error number. */
#ifndef AWARED_SHIM_BOARD_H
#define AWARED_SHIM_BOARD_H

#include <stddef.h>
#include <stdint.h>

enum {
    shim_error_no_memory = -12,
    shim_error_busy = -16,
    shim_error_remote_io = -121,
    shim_error_no_such_address = -6,
};
/* So many octets fit into one transaction, beside the command. */
enum { shim_i2c_block = 32 };

/* Keeps the processor busy for at least so long. */
void shim_spin(uint32_t microseconds);

/* A device on an I2C bus, as in /dev/i2c-1. From then on a transaction of anybody's on that bus takes 50 ms at most, if
   its driver can be told so; a whole one of ours takes 3 ms at 100 kHz. */
int shim_i2c_open(const char *path, uint8_t address);
/* The address, `command` and the octets in one transaction, at most shim_i2c_block of them; none: `command` alone. */
int shim_i2c_write(int descriptor, uint8_t command, const uint8_t *octets, size_t count);

/* A device on an SPI bus, as in /dev/spidev0.0: mode 0, 8 bits, most significant first. */
int shim_spi_open(const char *path, uint32_t hertz);
/* Selects the device while the octets are written. */
int shim_spi_write(int descriptor, const uint8_t *octets, size_t count);

#endif
