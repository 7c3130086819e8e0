/* The sockets of the simulated air. Functions that can fail give back a negative error number. */
#ifndef AWARED_SHIM_AIR_H
#define AWARED_SHIM_AIR_H

#include <stddef.h>
#include <stdint.h>

/* Names of stations have so many characters. */
#define SHIM_AIR_NAME 12

/* Opens a directory that only its owner can enter, making it where there is none. -EACCES where it is not ours
   alone, -ENAMETOOLONG where no socket fits into it. */
int shim_air_open_directory(const char *path);

/* Copies the names of all stations into `names`, one after the other without anything between. Gives back how
   many, at most `capacity`. */
int shim_air_list(int directory, char *names, int capacity);

/* A datagram socket with this name in the directory. Takes the place of one whose process is dead. */
int shim_air_bind(const char *directory, const char *name);

/* 0, or -ECONNREFUSED where nobody has the socket open any more, or -EAGAIN where it is full. */
int shim_air_send(int socket, const char *directory, const char *name, const uint8_t *octets, size_t count);

/* The length of the next datagram, even where it is longer than `capacity`. Its sender's name, or zeros. */
int shim_air_receive(int socket, uint8_t *octets, size_t capacity, char *name);

void shim_air_remove(const char *directory, const char *name);

#endif
