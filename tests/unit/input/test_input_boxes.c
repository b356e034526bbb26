/// Which of the kernel's devices are boxes of levers, and the order of sockets.
// test: sanitized

#include <string.h>

#include "input/devices/boxes.h"
#include "tests/support/test.h"

enum { MOST_CODES = 24 };

/// A device by what it can send, as /proc/bus/input/devices shows it; lists end with -1.
typedef struct Kind {
    const char *name;
    bool levers;
    unsigned bus;
    int axes[MOST_CODES], keys[MOST_CODES], property;
} Kind;

static const Kind kinds[] = {
    {"joystick", true, BUS_USB, {ABS_X, ABS_Y, ABS_Z, ABS_HAT0X, ABS_HAT0Y, -1}, {BTN_TRIGGER, BTN_THUMB, -1}, -1},
    {"gamepad", true, BUS_BLUETOOTH, {ABS_X, ABS_Y, ABS_RX, ABS_RY, -1}, {BTN_SOUTH, BTN_EAST, -1}, -1},
    {"pedals of two axes without a button", true, BUS_USB, {ABS_RZ, ABS_THROTTLE, -1}, {-1}, -1},
    {"one lever", true, BUS_USB, {ABS_THROTTLE, -1}, {-1}, -1},
    {"a cab's rollers as a hat", true, BUS_USB, {ABS_HAT0X, ABS_HAT0Y, -1}, {-1}, -1},
    {"panel of buttons", true, BUS_USB, {-1}, {BTN_TRIGGER_HAPPY1, BTN_TRIGGER_HAPPY40, -1}, -1},
    {"pad with a touch pad on one node", true, BUS_USB, {ABS_X, ABS_Y, -1}, {BTN_SOUTH, BTN_TOUCH, -1}, -1},
    {"mouse", false, BUS_USB, {-1}, {BTN_LEFT, BTN_RIGHT, -1}, -1},
    {"mouse of a virtual machine", false, BUS_USB, {ABS_X, ABS_Y, -1}, {BTN_LEFT, BTN_RIGHT, -1}, -1},
    {"touch pad",
     false,
     BUS_I2C,
     {ABS_X, ABS_Y, ABS_MT_SLOT, ABS_MT_POSITION_X, -1},
     {BTN_TOUCH, BTN_TOOL_FINGER, -1},
     INPUT_PROP_POINTER},
    {"touch screen", false, BUS_USB, {ABS_X, ABS_Y, ABS_MT_POSITION_X, -1}, {BTN_TOUCH, -1}, INPUT_PROP_DIRECT},
    {"tablet", false, BUS_USB, {ABS_X, ABS_Y, ABS_PRESSURE, -1}, {BTN_TOOL_PEN, BTN_STYLUS, -1}, -1},
    {"keyboard with a volume wheel", false, BUS_USB, {ABS_VOLUME, -1}, {KEY_ESC, KEY_A, KEY_ENTER, -1}, -1},
    {"power button", false, BUS_HOST, {-1}, {KEY_POWER, -1}, -1},
    {"accelerometer", false, BUS_USB, {ABS_X, ABS_Y, ABS_Z, -1}, {-1}, INPUT_PROP_ACCELEROMETER},
    {"a laptop's own accelerometer", false, BUS_HOST, {ABS_X, ABS_Y, ABS_Z, -1}, {-1}, -1},
    {"nothing", false, 0, {-1}, {-1}, -1},
};

static void set(unsigned long *bits, int code)
{
    bits[code / BOX_WORD] |= 1UL << (code % BOX_WORD);
}

TEST(boxes_of_levers_are_told_from_other_devices)
{
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        BoxBits bits = {.bus = kinds[k].bus};
        for (int i = 0; kinds[k].axes[i] >= 0; i++) {
            set(bits.abs, kinds[k].axes[i]);
        }
        for (int i = 0; kinds[k].keys[i] >= 0; i++) {
            set(bits.key, kinds[k].keys[i]);
        }
        if (kinds[k].property >= 0) {
            set(bits.properties, kinds[k].property);
        }
        if (box_has_levers(&bits) != kinds[k].levers) {
            fail_msg("%s: levers expected %d", kinds[k].name, kinds[k].levers);
        }
    }
    BoxBits keyboard = {.bus = BUS_USB}; // that makes up axes
    for (int code = KEY_ESC; code < KEY_SPACE; code++) {
        set(keyboard.key, code);
    }
    set(keyboard.abs, ABS_X);
    assert_false(box_has_levers(&keyboard));
}

TEST(bitmaps_of_the_kernel_are_read)
{
    unsigned long bits[3];
    box_read_bits("3 0 8000000000000001\n", bits, 3);
    assert_true(bits[0] == 0x8000000000000001UL && bits[1] == 0 && bits[2] == 3);
    box_read_bits("7", bits, 3);
    assert_true(bits[0] == 7 && bits[1] == 0 && bits[2] == 0);
    const char *const nothing[] = {"", "\n", "no number", "-"};
    for (size_t k = 0; k < sizeof nothing / sizeof nothing[0]; k++) {
        box_read_bits(nothing[k], bits, 3);
        assert_true(bits[0] == 0 && bits[1] == 0 && bits[2] == 0);
    }
    box_read_bits("1 2 3 4 5 6 7 8 9 a b c d e f 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f 20 21 22", bits, 3);
}

static Socket socket_of(const char *port, int number)
{
    Socket socket = {.number = number};
    snprintf(socket.port, sizeof socket.port, "%s", port);
    return socket;
}

/// Lower sockets first, by number and not by letter; interfaces and nodes of one socket after one another; those of
/// which nothing is known last.
TEST(sockets_have_an_order)
{
    const Socket ascending[] = {socket_of("usb-0000:00:14.0-1/input0", 9),
                                socket_of("usb-0000:00:14.0-1/input1", 3),
                                socket_of("usb-0000:00:14.0-1/input1", 4),
                                socket_of("usb-0000:00:14.0-3.2/input0", 1),
                                socket_of("usb-0000:00:14.0-3.10/input0", 0),
                                socket_of("", 2),
                                socket_of("", 10)};
    enum { COUNT = sizeof ascending / sizeof ascending[0] };
    for (int a = 0; a < COUNT; a++) {
        for (int b = 0; b < COUNT; b++) {
            int order = socket_compare(&ascending[a], &ascending[b]);
            assert_int_equal((order > 0) - (order < 0), (a > b) - (a < b));
        }
    }
}

TEST(a_map_may_leave_the_interface_out)
{
    Socket socket = socket_of("usb-0000:00:14.0-3.2/input0", 5);
    assert_true(socket_is(&socket, "usb-0000:00:14.0-3.2/input0"));
    assert_true(socket_is(&socket, "usb-0000:00:14.0-3.2"));
    assert_false(socket_is(&socket, "usb-0000:00:14.0-3"));
    assert_false(socket_is(&socket, "usb-0000:00:14.0-3.2/input1"));
    assert_false(socket_is(&socket, ""));
}

TEST(what_is_no_node_has_no_socket)
{
    const char *const nodes[] = {
        NULL, "", "5", "/dev/input/event99999", "/dev/input/../../etc/passwd", "/dev/hidraw77777"};
    for (size_t k = 0; k < sizeof nodes / sizeof nodes[0]; k++) {
        Socket socket = socket_find(nodes[k]);
        assert_string_equal(socket.port, "");
        assert_string_equal(socket.serial, "");
    }
}

TEST_GROUP(NULL, NULL)
