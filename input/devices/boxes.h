/// Boxes of levers, pedals and buttons that the kernel has, listed by SDL or not. Internal to input/devices/.
#ifndef SPADEWORK_INPUT_BOXES_H
#define SPADEWORK_INPUT_BOXES_H

#include <linux/input.h>
#include <stdbool.h>

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

#endif
