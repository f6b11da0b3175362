#define _GNU_SOURCE
#include "CurlCalls.h"

#if defined(__linux__)
#include <errno.h>
#include <sys/socket.h>

int curl_calls_join(pthread_t thread, const struct timespec *deadline) {
    return pthread_timedjoin_np(thread, NULL, deadline);
}

// The beginning of struct curl_sockaddr.
struct curl_calls_address {
    int family;
    int type;
    int protocol;
};

int curl_calls_open_socket(void *context, int purpose, void *address) {
    struct curl_calls_address *wanted = address;
    (void)context;
    (void)purpose;
    return socket(wanted->family, wanted->type | SOCK_CLOEXEC, wanted->protocol);
}

int curl_calls_is_quiet(int socket) {
    char byte;
    return recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN;
}
#endif
