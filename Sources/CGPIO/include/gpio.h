/* libgpiod 2, loaded when a line is first asked for: a board without it, or an accessory without lines, runs awared
   all the same. The header gives the types and the numbers. */
#ifndef AWARED_GPIO_H
#define AWARED_GPIO_H

#if !__has_include(<gpiod.h>)
#error "awared needs the header of libgpiod 2: install libgpiod-dev (on Debian 12 from bookworm-backports)"
#endif
#include <gpiod.h>
#ifdef GPIOD_LINE_BULK_MAX_LINES
#error "awared needs libgpiod 2, this is libgpiod 1: on Debian 12 install libgpiod-dev from bookworm-backports"
#else

/* What is used of the library. */
#define GPIOD_FUNCTIONS(X)           \
    X(chip_open)                     \
    X(chip_close)                    \
    X(chip_get_info)                 \
    X(chip_info_get_label)           \
    X(chip_info_get_num_lines)       \
    X(chip_info_free)                \
    X(chip_get_line_offset_from_name) \
    X(chip_get_line_info)            \
    X(chip_request_lines)            \
    X(line_info_is_used)             \
    X(line_info_get_consumer)        \
    X(line_info_free)                \
    X(line_settings_new)             \
    X(line_settings_free)            \
    X(line_settings_set_direction)   \
    X(line_settings_set_drive)       \
    X(line_settings_set_bias)        \
    X(line_settings_set_edge_detection) \
    X(line_settings_set_output_value) \
    X(line_settings_set_debounce_period_us) \
    X(line_config_new)               \
    X(line_config_free)              \
    X(line_config_add_line_settings) \
    X(request_config_new)            \
    X(request_config_free)           \
    X(request_config_set_consumer)   \
    X(line_request_release)          \
    X(line_request_get_fd)           \
    X(line_request_set_values_subset) \
    X(line_request_get_values_subset) \
    X(line_request_wait_edge_events) \
    X(line_request_read_edge_events) \
    X(edge_event_buffer_new)         \
    X(edge_event_buffer_free)        \
    X(edge_event_buffer_get_event)   \
    X(edge_event_get_event_type)     \
    X(edge_event_get_timestamp_ns)   \
    X(edge_event_get_line_offset)

#define GPIOD_POINTER(name) __typeof__(gpiod_##name) *_Nonnull name;
struct gpiod_library {
    GPIOD_FUNCTIONS(GPIOD_POINTER)
};
#undef GPIOD_POINTER

/* The library; NULL where it cannot be loaded: gpiod_library_problem says why. It stays loaded. */
const struct gpiod_library *_Nullable gpiod_library(void);
const char *_Nonnull gpiod_library_problem(void);
/* The error number of the last call that failed, negative. */
int gpiod_library_error(void);

#endif
#endif
