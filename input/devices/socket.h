/// Where a device is plugged in, and its serial number: what tells two equal ones apart. Internal to input/devices/.
///
/// SDL gives the node of a device; what the kernel says of that node stands in /sys, with udev and without it.
#ifndef SPADEWORK_INPUT_SOCKET_H
#define SPADEWORK_INPUT_SOCKET_H

#include "data/schema/controls_params.h"

/// What is known of a node; "" where the kernel tells nothing.
typedef struct Socket {
    /// Of USB the controller, the sockets down the hubs and the interface: "usb-0000:00:14.0-3.2/input0"; else what the
    /// driver calls the place.
    char port[CONTROLS_DEVICE_PORT];
    char serial[CONTROLS_DEVICE_SERIAL];
    int number; ///< of the node: 5 of /dev/input/event5; -1: none
} Socket;

/// Finds the socket of a node ("/dev/input/event5", "/dev/input/js0", "/dev/hidraw1"). NULL and others: nothing known.
Socket socket_find(const char *node);
/// Order of two sockets, as strcmp; numbers in it count as such, so that 3.10 is after 3.2. An unknown one is the last.
int socket_compare(const Socket *a, const Socket *b);
/// True when a map's `port` means this socket: it is all of it, or all but the interface.
bool socket_is(const Socket *socket, const char *port);

#endif
