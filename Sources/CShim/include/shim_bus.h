/* The few functions of sd-bus that are used. The library is loaded when a bus is first wanted: what never talks to one
   does not carry it, and building needs no headers of it. Functions give back 0 or more, or a negative error number. */
#ifndef AWARED_SHIM_BUS_H
#define AWARED_SHIM_BUS_H

#include <stddef.h>
#include <stdint.h>

struct sd_bus;
struct sd_bus_message;

/* sd_bus_error of <systemd/sd-bus.h>. */
struct shim_bus_error {
    const char *_Nullable name;
    const char *_Nullable message;
    int must_free;
};

enum { shim_bus_call = 1, shim_bus_return = 2, shim_bus_failure = 3, shim_bus_signal = 4 };
enum { shim_bus_invalid = -22 };

#pragma clang assume_nonnull begin

struct shim_bus_library {
    int (*open)(struct sd_bus *_Nullable *_Nonnull);
    int (*set_address)(struct sd_bus *, const char *);
    int (*set_bus_client)(struct sd_bus *, int);
    int (*negotiate_fds)(struct sd_bus *, int);
    int (*start)(struct sd_bus *);
    void (*close)(struct sd_bus *);
    struct sd_bus *_Nullable (*_Nonnull unref)(struct sd_bus *);
    int (*get_fd)(struct sd_bus *);
    int (*get_events)(struct sd_bus *);
    int (*get_timeout)(struct sd_bus *, uint64_t *);
    int (*get_n_queued_write)(struct sd_bus *, uint64_t *);
    int (*process)(struct sd_bus *, struct sd_bus_message *_Nullable *_Nonnull);
    int (*send)(struct sd_bus *_Nullable, struct sd_bus_message *, uint64_t *_Nullable);

    int (*new_call)(struct sd_bus *, struct sd_bus_message *_Nullable *_Nonnull, const char *, const char *,
                    const char *, const char *);
    int (*new_signal)(struct sd_bus *, struct sd_bus_message *_Nullable *_Nonnull, const char *, const char *,
                      const char *);
    int (*new_return)(struct sd_bus_message *, struct sd_bus_message *_Nullable *_Nonnull);
    int (*new_failure)(struct sd_bus_message *, struct sd_bus_message *_Nullable *_Nonnull,
                       const struct shim_bus_error *);
    struct sd_bus_message *_Nullable (*_Nonnull message_unref)(struct sd_bus_message *);
    int (*set_destination)(struct sd_bus_message *, const char *);
    int (*set_sensitive)(struct sd_bus_message *);

    int (*append_basic)(struct sd_bus_message *, char, const void *_Nullable);
    int (*append_array)(struct sd_bus_message *, char, const void *_Nullable, size_t);
    int (*open_container)(struct sd_bus_message *, char, const char *);
    int (*close_container)(struct sd_bus_message *);

    int (*get_type)(struct sd_bus_message *, uint8_t *);
    int (*get_reply_cookie)(struct sd_bus_message *, uint64_t *);
    int (*get_expect_reply)(struct sd_bus_message *);
    const char *_Nullable (*_Nonnull get_sender)(struct sd_bus_message *);
    const char *_Nullable (*_Nonnull get_path)(struct sd_bus_message *);
    const char *_Nullable (*_Nonnull get_interface)(struct sd_bus_message *);
    const char *_Nullable (*_Nonnull get_member)(struct sd_bus_message *);
    const struct shim_bus_error *_Nullable (*_Nonnull get_error)(struct sd_bus_message *);
    int (*peek_type)(struct sd_bus_message *, char *, const char *_Nullable *_Nonnull);
    int (*read_basic)(struct sd_bus_message *, char, void *);
    int (*read_array)(struct sd_bus_message *, char, const void *_Nullable *_Nonnull, size_t *);
    int (*enter_container)(struct sd_bus_message *, char, const char *);
    int (*exit_container)(struct sd_bus_message *);
};

/* The same table each time; NULL where this machine has no libsystemd, or one without these functions. */
const struct shim_bus_library *_Nullable shim_load_bus(void);

#pragma clang assume_nonnull end

#endif
