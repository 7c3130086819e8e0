#define _GNU_SOURCE
#include "shim_air.h"
#include "outcome.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

/* Fills in DIRECTORY/NAME. */
static int address_of(const char *directory, const char *name, struct sockaddr_un *address) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    int length = snprintf(address->sun_path, sizeof address->sun_path, "%s/%s", directory, name);
    return length < 0 || (size_t)length >= sizeof address->sun_path ? -ENAMETOOLONG : 0;
}

/* Our own, and nobody else may enter. */
static int is_private(int descriptor) {
    struct stat about;
    if (fstat(descriptor, &about) < 0) return -errno;
    return about.st_uid == geteuid() && (about.st_mode & 077) == 0 ? 0 : -EACCES;
}

int shim_air_open_directory(const char *path) {
    struct sockaddr_un longest;
    int failure = address_of(path, "0123456789ab", &longest);
    if (failure < 0) return failure;
    if (mkdir(path, 0700) < 0 && errno != EEXIST) return -errno;
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (directory < 0) return -errno;
    failure = is_private(directory);
    if (failure < 0) {
        close(directory);
        return failure;
    }
    return directory;
}

static int is_station(const char *name) {
    return strlen(name) == SHIM_AIR_NAME && strspn(name, "0123456789abcdef") == SHIM_AIR_NAME;
}

int shim_air_list(int directory, char *names, int capacity) {
    /* A descriptor of its own: reading moves the position that duplicates would share. */
    int descriptor = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return -errno;
    DIR *listing = fdopendir(descriptor);
    if (listing == NULL) return failed(descriptor);
    int count = 0;
    for (struct dirent *entry; count < capacity && (entry = readdir(listing)) != NULL;)
        if (is_station(entry->d_name)) memcpy(names + SHIM_AIR_NAME * count++, entry->d_name, SHIM_AIR_NAME);
    closedir(listing);
    return count;
}

/* Whether the socket that has the address belongs to a process no more. */
static int is_stale(const struct sockaddr_un *address) {
    int probe = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (probe < 0) return 0;
    int stale = connect(probe, (const struct sockaddr *)address, sizeof *address) < 0 && errno == ECONNREFUSED;
    close(probe);
    return stale;
}

int shim_air_bind(const char *directory, const char *name) {
    struct sockaddr_un address;
    int failure = address_of(directory, name, &address);
    if (failure < 0) return failure;
    int station = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (station < 0) return -errno;
    int bound = bind(station, (struct sockaddr *)&address, sizeof address);
    if (bound < 0 && errno == EADDRINUSE && is_stale(&address)) {
        unlink(address.sun_path);
        bound = bind(station, (struct sockaddr *)&address, sizeof address);
    }
    return bound < 0 ? failed(station) : station;
}

int shim_air_send(int socket, const char *directory, const char *name, const uint8_t *octets, size_t count) {
    struct sockaddr_un address;
    int failure = address_of(directory, name, &address);
    if (failure < 0) return failure;
    ssize_t sent = sendto(socket, octets, count, MSG_NOSIGNAL, (struct sockaddr *)&address, sizeof address);
    return sent < 0 ? -errno : 0;
}

int shim_air_receive(int socket, uint8_t *octets, size_t capacity, char *name) {
    struct sockaddr_un address;
    socklen_t length = sizeof address;
    memset(&address, 0, sizeof address);
    ssize_t count = recvfrom(socket, octets, capacity, MSG_TRUNC, (struct sockaddr *)&address, &length);
    if (count < 0) return -errno;
    memset(name, 0, SHIM_AIR_NAME);
    size_t known = strnlen(address.sun_path, sizeof address.sun_path);
    if (length > sizeof(sa_family_t) && known > SHIM_AIR_NAME)
        memcpy(name, address.sun_path + known - SHIM_AIR_NAME, SHIM_AIR_NAME);
    return (int)count;
}

void shim_air_remove(const char *directory, const char *name) {
    struct sockaddr_un address;
    if (address_of(directory, name, &address) == 0) unlink(address.sun_path);
}
