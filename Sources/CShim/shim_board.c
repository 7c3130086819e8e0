#include "shim_board.h"
#include "outcome.h"

#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <linux/spi/spidev.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

_Static_assert(ENOMEM == 12 && EBUSY == 16 && EREMOTEIO == 121 && ENXIO == 6, "error numbers");
_Static_assert(shim_i2c_block == I2C_SMBUS_BLOCK_MAX, "block");

void shim_spin(uint32_t microseconds) {
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - start.tv_sec) * 1000000000LL + now.tv_nsec - start.tv_nsec < microseconds * 1000LL);
}

/* Only SMBus calls: every adapter has them, and so has the kernel's i2c-stub. */
int shim_i2c_open(const char *path, uint8_t address) {
    int descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return -errno;
    if (ioctl(descriptor, I2C_SLAVE, (unsigned long)address) < 0) return failed(descriptor);
    unsigned long tens_of_milliseconds = 5;
    if (ioctl(descriptor, I2C_TIMEOUT, tens_of_milliseconds) < 0) return failed(descriptor);
    return descriptor;
}

int shim_i2c_write(int descriptor, uint8_t command, const uint8_t *octets, size_t count) {
    if (count > I2C_SMBUS_BLOCK_MAX) return -EINVAL;
    union i2c_smbus_data data;
    struct i2c_smbus_ioctl_data request = {
        .read_write = I2C_SMBUS_WRITE,
        .command = command,
        .size = count ? I2C_SMBUS_I2C_BLOCK_DATA : I2C_SMBUS_BYTE,
        .data = &data,
    };
    data.block[0] = (uint8_t)count;
    memcpy(data.block + 1, octets, count);
    return ioctl(descriptor, I2C_SMBUS, &request) < 0 ? -errno : 0;
}

int shim_spi_open(const char *path, uint32_t hertz) {
    int descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return -errno;
    uint8_t mode = SPI_MODE_0, bits = 8;
    if (ioctl(descriptor, SPI_IOC_WR_MODE, &mode) < 0 || ioctl(descriptor, SPI_IOC_WR_BITS_PER_WORD, &bits) < 0 ||
        ioctl(descriptor, SPI_IOC_WR_MAX_SPEED_HZ, &hertz) < 0)
        return failed(descriptor);
    return descriptor;
}

int shim_spi_write(int descriptor, const uint8_t *octets, size_t count) {
    ssize_t written;
    UNINTERRUPTED(written, write(descriptor, octets, count));
    if (written < 0) return -errno;
    return (size_t)written == count ? 0 : -EIO;
}
