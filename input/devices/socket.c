/// Reads a device's socket and serial number from /sys, by its node.
///
/// A driver writes the place into the attribute `phys`, as usb_make_path of the kernel makes it. Where that is missing
/// the path of the device says the same: .../0000:00:14.0/usb1/1-3/1-3.2/1-3.2:1.0/... is interface 0 of the device in
/// socket 2 of the hub in socket 3 of the controller 0000:00:14.0. Bus numbers (usb1) are left out: they may change
/// from one start of the computer to the next.
#include "input/devices/socket.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/regular_file.h"

enum { PATH = PATH_MAX + 64, LINE = 256 };

/// Keeps printable ASCII without spaces, which is all that a map may say.
static void copy_clean(const char *from, char *to, size_t size)
{
    size_t length = 0;
    for (; *from != '\0' && length + 1 < size; from++) {
        if (*from > ' ' && *from <= '~') {
            to[length++] = *from;
        }
    }
    to[length] = '\0';
}

/// The first line of an attribute; "" when there is none.
static void read_attribute(const char *folder, const char *name, char *text, size_t size)
{
    char path[PATH], line[LINE] = "";
    Status unused;
    text[0] = '\0';
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) {
        return;
    }
    FILE *file = regular_file_open(path, &unused);
    if (file != NULL) {
        if (fgets(line, sizeof line, file) != NULL) {
            copy_clean(line, text, size);
        }
        fclose(file);
    }
}

/// The value of KEY=... in an attribute `uevent`; "" when there is none.
static void read_event_key(const char *folder, const char *key, char *text, size_t size)
{
    char path[PATH], line[LINE];
    Status unused;
    size_t length = strlen(key);
    text[0] = '\0';
    if (snprintf(path, sizeof path, "%s/uevent", folder) >= (int)sizeof path) {
        return;
    }
    FILE *file = regular_file_open(path, &unused);
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, key, length) == 0 && line[length] == '=') {
            copy_clean(line + length + 1, text, size);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

static void cut_last(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
}

/// "1-3.2" -> "3.2": the sockets of a USB device from the controller on; NULL when a folder's name is none.
static const char *usb_sockets(const char *name, size_t length)
{
    size_t bus = strspn(name, "0123456789");
    if (bus == 0 || bus >= length || name[bus] != '-') {
        return NULL;
    }
    size_t rest = strspn(name + bus + 1, "0123456789.");
    return rest > 0 && bus + 1 + rest == length ? name + bus + 1 : NULL;
}

/// Goes along the folders of a device's path: the last USB device in it tells the socket. `device` receives its folder.
static void find_usb(const char *path, char *port, size_t size, char device[PATH])
{
    const char *controller = NULL, *sockets = NULL, *folder = path + strspn(path, "/");
    int controller_length = 0, sockets_length = 0, interface = 0;
    port[0] = device[0] = '\0';
    for (const char *before = NULL; *folder != '\0';
         before = folder, folder += strcspn(folder, "/"), folder += strspn(folder, "/")) {
        size_t length = strcspn(folder, "/");
        const char *found = usb_sockets(folder, length), *colon = memchr(folder, ':', length);
        if (length > 3 && strncmp(folder, "usb", 3) == 0 && strspn(folder + 3, "0123456789") == length - 3 &&
            before != NULL) {
            controller = before;
            controller_length = (int)strcspn(before, "/");
        } else if (found != NULL && controller != NULL) {
            sockets = found;
            sockets_length = (int)(folder + length - found);
            snprintf(device, PATH, "%.*s", (int)(folder + length - path), path);
        } else if (sockets != NULL && colon != NULL && usb_sockets(folder, (size_t)(colon - folder)) != NULL) {
            const char *dot = memchr(colon, '.', length - (size_t)(colon - folder)); // "1-3.2:1.0"
            interface = dot != NULL ? (int)strtol(dot + 1, NULL, 10) : 0;
        }
    }
    if (sockets != NULL) {
        snprintf(port, size, "usb-%.*s-%.*s/input%d", controller_length, controller, sockets_length, sockets,
                 interface);
    }
}

/// Resolves the folder of a node in /sys; false when there is none. `hid` tells a node of hidraw.
static bool find_folder(const char *node, char folder[PATH], bool *hid)
{
    const char *name = node != NULL ? strrchr(node, '/') : NULL;
    char link[PATH];
    *hid = name != NULL && strncmp(name, "/hidraw", 7) == 0;
    if (name == NULL || strlen(name) > 32) {
        return false;
    }
    snprintf(link, sizeof link, "/sys/class/%s%s", *hid ? "hidraw" : "input", name);
    char *real = realpath(link, NULL);
    if (real == NULL || strlen(real) >= PATH) {
        free(real);
        return false;
    }
    snprintf(folder, PATH, "%s", real);
    free(real);
    return true;
}

Socket socket_find(const char *node)
{
    Socket socket = {.number = -1};
    char folder[PATH], device[PATH], usb[CONTROLS_DEVICE_PORT];
    bool hid = false;
    const char *digits = node != NULL ? node + strcspn(node, "0123456789") : "";
    if (isdigit((unsigned char)digits[0])) {
        socket.number = (int)strtol(digits, NULL, 10);
    }
    if (!find_folder(node, folder, &hid)) {
        return socket;
    }
    find_usb(folder, usb, sizeof usb, device);
    cut_last(folder);
    if (hid) {
        cut_last(folder);
        read_event_key(folder, "HID_PHYS", socket.port, sizeof socket.port);
        read_event_key(folder, "HID_UNIQ", socket.serial, sizeof socket.serial);
    } else {
        read_attribute(folder, "phys", socket.port, sizeof socket.port);
        read_attribute(folder, "uniq", socket.serial, sizeof socket.serial);
    }
    if (socket.port[0] == '\0') {
        snprintf(socket.port, sizeof socket.port, "%s", usb);
    }
    if (socket.serial[0] == '\0' && device[0] != '\0') {
        read_attribute(device, "serial", socket.serial, sizeof socket.serial);
    }
    return socket;
}

/// As strcmp, but that a row of digits counts as a number.
static int compare_text(const char *a, const char *b)
{
    while (*a != '\0' && *b != '\0') {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            char *end_a = NULL, *end_b = NULL;
            unsigned long long one = strtoull(a, &end_a, 10), other = strtoull(b, &end_b, 10);
            if (one != other) {
                return one < other ? -1 : 1;
            }
            a = end_a;
            b = end_b;
        } else if (*a != *b) {
            return *a < *b ? -1 : 1;
        } else {
            a++;
            b++;
        }
    }
    return (*a != '\0') - (*b != '\0');
}

int socket_compare(const Socket *a, const Socket *b)
{
    bool known = a->port[0] != '\0', other_known = b->port[0] != '\0';
    if (known != other_known) {
        return known ? -1 : 1;
    }
    int order = compare_text(a->port, b->port);
    return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

bool socket_is(const Socket *socket, const char *port)
{
    size_t length = strlen(port);
    return length > 0 && strncmp(socket->port, port, length) == 0 &&
           (socket->port[length] == '\0' || socket->port[length] == '/');
}
