#!/usr/bin/env python3
"""Writes what the kernel says of a box of levers, for umockdev: NAME.umockdev (its place in /sys) and NAME.ioctl.

make_box.py FILE NUMBER NAME VENDOR:PRODUCT --axes CODE:VALUE:LOW:HIGH,... --keys FIRST-LAST,...
            [--socket 3.2] [--phys] [--serial S] [--joystick]

FILE      without its ending; the node is /dev/input/eventNUMBER
--socket  sockets from the controller on; without it the box hangs in no tree of USB
--phys    the driver tells the socket as well
--joystick  udev takes it for a joystick

The number of bytes is a part of an ioctl's request: they are those that SDL asks for on a 64-bit machine.
"""
import argparse
import struct

parser = argparse.ArgumentParser()
parser.add_argument("file")
parser.add_argument("number", type=int)
parser.add_argument("name")
parser.add_argument("usb")
parser.add_argument("--axes", default="")
parser.add_argument("--keys", default="")
parser.add_argument("--socket", default="")
parser.add_argument("--phys", action="store_true")
parser.add_argument("--serial", default="")
parser.add_argument("--joystick", action="store_true")
box = parser.parse_args()
vendor, product = (int(part, 16) for part in box.usb.split(":"))


def bits(codes, size):
    number = sum(1 << code for code in codes)
    return number.to_bytes(size, "little").hex().upper()


axes = [[int(part, 0) for part in axis.split(":")] for axis in box.axes.split(",") if axis]
keys = []
for part in box.keys.split(","):
    if part:
        first, _, last = part.partition("-")
        keys += range(int(first, 0), int(last or first, 0) + 1)

with open(box.file + ".ioctl", "w") as out:
    name = box.name.encode() + b"\0"
    events = [0] + ([1] if keys else []) + ([3] if axes else [])
    out.write("@DEV /dev/input/event%d\n" % box.number)
    out.write("EVIOCGID 0 %s\n" % struct.pack("<HHHH", 3, vendor, product, 0x111).hex().upper())
    out.write("EVIOCGNAME(0) %d %s\n" % (len(name), name.ljust(128, b"\0").hex().upper()))
    out.write("EVIOCGBIT(0) 8 %s\n" % bits(events, 8))
    out.write("EVIOCGBIT(1) 96 %s\n" % bits(keys, 96))
    out.write("EVIOCGBIT(2) 8 %s\n" % bits([], 8))
    out.write("EVIOCGBIT(3) 8 %s\n" % bits([axis[0] for axis in axes], 8))
    out.write("EVIOCGBIT(21) 16 %s\n" % bits([], 16))
    out.write("EVIOCGKEY(0) 96 %s\n" % bits([], 96))
    for code, value, low, high in axes:
        about = struct.pack("<iiiiii", value, low, high, 0, 0, 0).hex().upper()
        out.write("EVIOCGABS%s 0 %s\n" % ("(%d)" % code if code else "", about))

usb = "/devices/pci0000:00/0000:00:14.0"
parents, place = [], "/devices/virtual"
if box.socket:
    parents = [(usb, "pci", ""), (usb + "/usb1", "usb", "usb_device")]
    place = usb + "/usb1"
    parts = box.socket.split(".")
    for k in range(len(parts)):
        place += "/1-" + ".".join(parts[: k + 1])
        parents.append((place, "usb", "usb_device"))
    place += "/1-%s:1.0" % box.socket
    parents.append((place, "usb", "usb_interface"))
    place += "/0003:%04X:%04X.%04X" % (vendor, product, box.number)
with open(box.file + ".umockdev", "w") as out:
    for path, subsystem, kind in parents:
        out.write("P: %s\nE: SUBSYSTEM=%s\n" % (path, subsystem))
        out.write("E: DEVTYPE=%s\n" % kind if kind else "")
        last = path.endswith("/1-" + box.socket)
        out.write("A: serial=%s\\n\n\n" % box.serial if last and box.serial and not box.phys else "\n")
    place += "/input/input%d" % box.number
    out.write("P: %s\nE: SUBSYSTEM=input\nE: PRODUCT=3/%x/%x/111\n" % (place, vendor, product))
    out.write("A: name=%s\\n\n" % box.name)
    if box.phys:
        out.write("A: phys=usb-0000:00:14.0-%s/input0\\n\nA: uniq=%s\\n\n" % (box.socket, box.serial))
    out.write("\nP: %s/event%d\nN: input/event%d\n" % (place, box.number, box.number))
    out.write("E: DEVNAME=/dev/input/event%d\nE: MAJOR=13\nE: MINOR=%d\n" % (box.number, 64 + box.number))
    out.write("E: SUBSYSTEM=input\nA: dev=13:%d\\n\n" % (64 + box.number))
    if box.joystick:
        out.write("E: ID_INPUT=1\nE: ID_INPUT_JOYSTICK=1\n")
    out.write("\n")
