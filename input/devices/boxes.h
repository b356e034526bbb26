/// What the kernel says of boxes of levers, pedals and buttons, which SDL lists or not: what each can send, where it is
/// plugged in, and the serial number that tells two equal ones apart. Internal to input/devices/.
///
/// SDL gives the node of a device; what the kernel says of that node stands in /sys, with udev and without it.
#ifndef SPADEWORK_INPUT_BOXES_H
#define SPADEWORK_INPUT_BOXES_H

#include <linux/input.h>
#include <stdbool.h>

#include "input/input.h"

enum { BOX_WORD = 8 * sizeof(unsigned long) };

/// What an input device of the kernel can send: a bit for each code, as the kernel's ioctls give them. Numbers and
/// sizes of the ioctls are those that SDL asks with.
typedef struct BoxBits {
    unsigned bus; ///< BUS_USB ...
    unsigned long key[(KEY_MAX + BOX_WORD - 1) / BOX_WORD];
    unsigned long abs[(ABS_MAX + BOX_WORD - 1) / BOX_WORD];
    unsigned long properties[1];
} BoxBits;

/// True for what is moved by hands or feet and is no mouse, keyboard, touch pad, tablet or sensor.
bool box_has_levers(const BoxBits *bits);
/// Reads a bitmap as /sys writes it: words of hexadecimal digits, the highest first. What does not fit is left out.
void box_read_bits(const char *text, unsigned long *bits, int words);

/// Copies a name that a device gives itself, with any bytes: only printable ASCII reaches the screen.
void box_copy_name(const char *from, char name[CONTROLS_DEVICE_NAME]);

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
