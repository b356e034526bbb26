/// Lists the boxes of levers that the kernel has, so that what SDL leaves out can be named: a box without a button, or
/// with other axes than X and Y, is no joystick to udev and SDL.
///
/// What a device can send comes from the node itself, or, where this user may not read it, from /sys.
#include "input/devices/boxes.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "data/core/regular_file.h"
#include "input/devices/devices.h"

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
    devices_copy_name(name, box->name);
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
    devices_copy_name(line, box->name);
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

bool input_devices_lists(InputDevices *devices, const InputBox *box)
{
    (void)devices; // that SDL is up is all that is needed of them
    for (int k = 0; k < SDL_NumJoysticks(); k++) {
        const char *path = SDL_JoystickPathForIndex(k);
        char usb[sizeof box->usb];
        snprintf(usb, sizeof usb, "%04x:%04x", SDL_JoystickGetDeviceVendor(k), SDL_JoystickGetDeviceProduct(k));
        bool node = path != NULL && strncmp(path, "/dev/input/", 11) == 0;
        if (node ? strcmp(path, box->node) == 0 : strcmp(usb, box->usb) == 0) { // by hidraw it has no such node
            return true;
        }
    }
    return false;
}
