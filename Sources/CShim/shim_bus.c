#include "shim_bus.h"

#include <dlfcn.h>
#include <string.h>

/* In the order of struct shim_bus_library. */
static const char names[][40] = {
    "sd_bus_new",
    "sd_bus_set_address",
    "sd_bus_set_bus_client",
    "sd_bus_negotiate_fds",
    "sd_bus_start",
    "sd_bus_close",
    "sd_bus_unref",
    "sd_bus_get_fd",
    "sd_bus_get_events",
    "sd_bus_get_timeout",
    "sd_bus_get_n_queued_write",
    "sd_bus_process",
    "sd_bus_send",
    "sd_bus_message_new_method_call",
    "sd_bus_message_new_signal",
    "sd_bus_message_new_method_return",
    "sd_bus_message_new_method_error",
    "sd_bus_message_unref",
    "sd_bus_message_set_destination",
    "sd_bus_message_sensitive",
    "sd_bus_message_append_basic",
    "sd_bus_message_append_array",
    "sd_bus_message_open_container",
    "sd_bus_message_close_container",
    "sd_bus_message_get_type",
    "sd_bus_message_get_reply_cookie",
    "sd_bus_message_get_expect_reply",
    "sd_bus_message_get_sender",
    "sd_bus_message_get_path",
    "sd_bus_message_get_interface",
    "sd_bus_message_get_member",
    "sd_bus_message_get_error",
    "sd_bus_message_peek_type",
    "sd_bus_message_read_basic",
    "sd_bus_message_read_array",
    "sd_bus_message_enter_container",
    "sd_bus_message_exit_container",
};
enum { count = sizeof names / sizeof names[0] };

_Static_assert(sizeof(struct shim_bus_library) == count * sizeof(void *), "a name for each function");

const struct shim_bus_library *shim_load_bus(void) {
    static struct shim_bus_library library;
    static int is_loaded;
    if (is_loaded) return &library;
    void *handle = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!handle) return NULL;
    void *functions[count];
    for (int i = 0; i < count; i++) {
        functions[i] = dlsym(handle, names[i]);
        if (!functions[i]) {
            dlclose(handle);
            return NULL;
        }
    }
    memcpy(&library, functions, sizeof library);
    is_loaded = 1;
    return &library;
}
