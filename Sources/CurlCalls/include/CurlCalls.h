// The parts of libcurl's and zlib's public C interfaces that Swift cannot declare: calls of variadic functions, and structures
// laid out by the C compiler. The functions themselves are looked up at run time and passed as addresses, so neither library's
// header is needed and nothing is linked.
#ifndef CURL_CALLS_H
#define CURL_CALLS_H

#include <stdint.h>

#if defined(__linux__)
#include <pthread.h>
#include <time.h>

// pthread_timedjoin_np, which needs _GNU_SOURCE.
int curl_calls_join(pthread_t thread, const struct timespec *deadline);
#endif

typedef uintptr_t (*curl_calls_data_function)(char *bytes, uintptr_t size, uintptr_t count, void *context);
typedef int (*curl_calls_ready_function)(
    void *context, char *peer, char *own, int peer_port, int own_port);
typedef int (*curl_calls_debug_function)(void *easy, int kind, char *bytes, uintptr_t size, void *context);
typedef void (*curl_calls_lock_function)(void *easy, int data, int access, void *context);
typedef void (*curl_calls_unlock_function)(void *easy, int data, void *context);

// A CURLOPT_OPENSOCKETFUNCTION whose sockets are not inherited by processes that the program starts.
int curl_calls_open_socket(void *context, int purpose, void *address);

// Whether a socket is connected and holds no bytes that have arrived.
int curl_calls_is_quiet(int socket);

// The type of curl_easy_setopt, curl_multi_setopt, curl_share_setopt and curl_easy_getinfo.
typedef int (*curl_calls_variadic)(void *handle, int option, ...);

static inline int curl_calls_set_long(void *function, void *handle, int option, long value) {
    return ((curl_calls_variadic)function)(handle, option, value);
}

static inline int curl_calls_set_size(void *function, void *handle, int option, int64_t value) {
    return ((curl_calls_variadic)function)(handle, option, value);
}

static inline int curl_calls_set_pointer(void *function, void *handle, int option, const void *value) {
    return ((curl_calls_variadic)function)(handle, option, value);
}

static inline int curl_calls_set_data_function(
    void *function, void *handle, int option, curl_calls_data_function value) {
    return ((curl_calls_variadic)function)(handle, option, value);
}

static inline int curl_calls_set_ready_function(
    void *function, void *handle, int option, curl_calls_ready_function value) {
    return ((curl_calls_variadic)function)(handle, option, value);
}

static inline int curl_calls_set_debug_function(
    void *function, void *handle, int option, curl_calls_debug_function value) {
    return ((curl_calls_variadic)function)(handle, option, value);
}

static inline int curl_calls_set_open_socket(void *function, void *handle) {
    return ((curl_calls_variadic)function)(handle, 20163, curl_calls_open_socket);
}

static inline int curl_calls_set_lock_functions(
    void *function, void *handle, curl_calls_lock_function lock, curl_calls_unlock_function unlock) {
    int result = ((curl_calls_variadic)function)(handle, 3, lock);
    return result != 0 ? result : ((curl_calls_variadic)function)(handle, 4, unlock);
}

static inline int curl_calls_get(void *function, void *handle, int info, void *value) {
    return ((curl_calls_variadic)function)(handle, info, value);
}

// CURLMsg.
struct curl_calls_message {
    int kind;
    void *easy;
    union {
        void *unused;
        int code;
    } data;
};

// The beginning of curl_version_info_data, which only ever grows at its end.
struct curl_calls_version {
    int age;
    const char *version;
    unsigned int number;
    const char *host;
    int features;
    const char *tls;
};

// struct curl_tlssessioninfo.
struct curl_calls_tls {
    int backend;
    void *session;
};

// z_stream.
struct curl_calls_inflation {
    const uint8_t *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *message;
    void *state;
    void *allocate;
    void *free;
    void *context;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
};

#endif
