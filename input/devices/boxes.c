/// What the kernel says of input devices: the boxes of levers that it has, and where each is plugged in.
///
/// Boxes are listed so that what SDL leaves out can be named: a box without a button, or with other axes than X and Y,
/// is no joystick to udev and SDL. What a device can send comes from the node itself, or, where this user may not read
/// it, from /sys.
#include "input/devices/boxes.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "data/core/system_files.h"

void box_copy_name(const char *from, char name[CONTROLS_DEVICE_NAME])
{
    size_t length = 0;
    for (; from && *from && length < CONTROLS_DEVICE_NAME - 1; from++) {
        name[length++] = *from;
        if (*from < ' ' || *from > '~') {
            name[length - 1] = '?';
        }
    }
    name[length] = '\0';
    if (strspn(name, " ?") == length) {
        snprintf(name, CONTROLS_DEVICE_NAME, "Unnamed pad");
    }
}

/// ---- boxes ---------------------------------------------------------------------------------------------------------

enum {
    FOLDER = 512,
    TEXT_LINE = 1024,
    NAME_LENGTH = 128, ///< bytes that SDL asks for, too
    MOST_NODES = 256
};

static bool has(const unsigned long *bits, int code)
{
    return (bits[code / BOX_WORD] >> (code % BOX_WORD) & 1UL) != 0;
}

static int count_bits(const unsigned long *bits, int first, int last)
{
    int count = 0;
    for (int code = first; code <= last; code++) {
        count += has(bits, code);
    }
    return count;
}

bool box_has_levers(const BoxBits *bits)
{
    int axes = count_bits(bits->abs, ABS_X, ABS_BRAKE) + count_bits(bits->abs, ABS_HAT0X, ABS_HAT3Y);
    int buttons = count_bits(bits->key, BTN_JOYSTICK, BTN_DIGI - 1) +
                  count_bits(bits->key, BTN_DPAD_UP, BTN_DPAD_RIGHT) +
                  count_bits(bits->key, BTN_TRIGGER_HAPPY1, KEY_MAX - 1);
    bool touched = count_bits(bits->key, BTN_DIGI, BTN_TOOL_QUADTAP) > 0 || has(bits->abs, ABS_MT_SLOT) ||
                   has(bits->abs, ABS_MT_POSITION_X) || has(bits->properties, INPUT_PROP_DIRECT) ||
                   has(bits->properties, INPUT_PROP_POINTER);
    bool points = has(bits->key, BTN_LEFT) && has(bits->abs, ABS_X) && has(bits->abs, ABS_Y);
    bool feels = has(bits->properties, INPUT_PROP_ACCELEROMETER) || bits->bus == BUS_HOST || bits->bus == BUS_I2C;
    bool types = count_bits(bits->key, KEY_ESC, KEY_S) > 20;
    return buttons > 0 || (axes > 0 && !touched && !points && !feels && !types);
}

void box_read_bits(const char *text, unsigned long *bits, int words)
{
    unsigned long read[32];
    int count = 0;
    memset(bits, 0, (size_t)words * sizeof *bits);
    for (char *end = NULL; count < (int)(sizeof read / sizeof read[0]); text = end, count++) {
        read[count] = strtoul(text, &end, 16);
        if (end == text) {
            break;
        }
    }
    for (int k = 0; k < count && k < words; k++) {
        bits[k] = read[count - 1 - k];
    }
}

/// ---- one node ------------------------------------------------------------------------------------------------------

/// By the node itself. False when it cannot be opened; errno says why.
static bool ask_node(const char *node, InputBox *box, BoxBits *bits)
{
    char name[NAME_LENGTH] = "";
    struct input_id id = {0};
    int file = open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    bool good = ioctl(file, EVIOCGBIT(EV_ABS, sizeof bits->abs), bits->abs) >= 0;
    good &= ioctl(file, EVIOCGBIT(EV_KEY, sizeof bits->key), bits->key) >= 0;
    good &= ioctl(file, EVIOCGID, &id) >= 0;
    if (ioctl(file, EVIOCGPROP(sizeof bits->properties), bits->properties) < 0) {
        bits->properties[0] = 0;
    }
    bits->bus = id.bustype;
    if (ioctl(file, EVIOCGNAME(sizeof name), name) < 0) {
        name[0] = '\0';
    }
    box_copy_name(name, box->name);
    snprintf(box->usb, sizeof box->usb, "%04x:%04x", id.vendor, id.product);
    close(file);
    if (!good) {
        memset(bits, 0, sizeof *bits); // none that can be judged
    }
    return true;
}

static bool read_line(const char *folder, const char *name, char line[TEXT_LINE])
{
    char path[FOLDER];
    Status unused;
    line[0] = '\0';
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) {
        return false;
    }
    FILE *file = regular_file_open(path, &unused);
    bool good = file != NULL && fgets(line, TEXT_LINE, file) != NULL;
    if (file != NULL) {
        fclose(file);
    }
    line[strcspn(line, "\n")] = '\0';
    return good;
}

/// By what /sys says of a node that this user may not read.
static void ask_sys(const char *node, InputBox *box, BoxBits *bits)
{
    char folder[FOLDER], line[TEXT_LINE], vendor[TEXT_LINE], product[TEXT_LINE];
    snprintf(folder, sizeof folder, "/sys/class/input/%.64s/device", strrchr(node, '/') + 1);
    read_line(folder, "capabilities/abs", line);
    box_read_bits(line, bits->abs, (int)(sizeof bits->abs / sizeof bits->abs[0]));
    read_line(folder, "capabilities/key", line);
    box_read_bits(line, bits->key, (int)(sizeof bits->key / sizeof bits->key[0]));
    read_line(folder, "properties", line);
    box_read_bits(line, bits->properties, 1);
    read_line(folder, "id/bustype", line);
    bits->bus = (unsigned)strtoul(line, NULL, 16);
    read_line(folder, "id/vendor", vendor);
    read_line(folder, "id/product", product);
    snprintf(box->usb, sizeof box->usb, "%.4s:%.4s", vendor, product);
    read_line(folder, "name", line);
    box_copy_name(line, box->name);
}

/// ---- all of them ---------------------------------------------------------------------------------------------------

static int compare_numbers(const void *a, const void *b)
{
    int one = *(const int *)a, other = *(const int *)b;
    return (one > other) - (one < other);
}

/// Numbers of the nodes /dev/input/event*, ascending; at most MOST_NODES.
static int list_nodes(int number[MOST_NODES])
{
    int count = 0;
    DIR *folder = opendir("/dev/input");
    for (struct dirent *entry = folder != NULL ? readdir(folder) : NULL; entry != NULL && count < MOST_NODES;
         entry = readdir(folder)) {
        const char *digits = entry->d_name + 5;
        size_t length = strncmp(entry->d_name, "event", 5) == 0 ? strlen(digits) : 0;
        if (length > 0 && length < 6 && strspn(digits, "0123456789") == length) {
            number[count++] = (int)strtol(digits, NULL, 10);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    qsort(number, (size_t)count, sizeof *number, compare_numbers);
    return count;
}

int input_boxes(InputBox *list, int capacity)
{
    int number[MOST_NODES], count = 0, nodes = list_nodes(number);
    for (int k = 0; k < nodes && count < capacity; k++) {
        InputBox box = {.closed = false};
        BoxBits bits = {0};
        snprintf(box.node, sizeof box.node, "/dev/input/event%d", number[k]);
        if (!ask_node(box.node, &box, &bits)) {
            box.closed = errno == EACCES || errno == EPERM;
            ask_sys(box.node, &box, &bits);
        }
        if (box_has_levers(&bits)) {
            list[count++] = box;
        }
    }
    return count;
}

/// ---- sockets and serial numbers ------------------------------------------------------------------------------------
/// A driver writes the place into the attribute `phys`, as usb_make_path of the kernel makes it. Where that is missing
/// the path of the device says the same: .../0000:00:14.0/usb1/1-3/1-3.2/1-3.2:1.0/... is interface 0 of the device in
/// socket 2 of the hub in socket 3 of the controller 0000:00:14.0. Bus numbers (usb1) are left out: they may change
/// from one start of the computer to the next.

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
