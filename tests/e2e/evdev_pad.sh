#!/bin/sh
# A gamepad made of files, seen by SDL's real evdev code: sticks and triggers arrive as levers, a pad pulled out in mid-hold
# is neutral at once, plugged in again it goes on. umockdev diverts /dev/input and answers the kernel's ioctls.
# Ends with 77 (skipped) where umockdev cannot work.
set -u
probe=${BUILD_DIR:-build/dev}/bin/pad_probe
node=/dev/input/event5

skip() {
    echo "skipped: $*"
    exit 77
}

# Child of umockdev-run: runs the probe, and pulls the pad out while the boom lever is held.
if [ "${1-}" = --inside ]; then
    "$probe" 40 >"$2" &
    probe_id=$!
    trap 'kill $probe_id 2>/dev/null' EXIT
    wait_for() { # TEXT: until the probe printed it, 20 s at most
        tries=0
        until grep -q -e "$1" "$output"; do
            tries=$((tries + 1))
            [ $tries -lt 400 ] || exit 1
            sleep 0.05
        done
    }
    output=$2
    folder=$UMOCKDEV_DIR${node%/*}
    wait_for '^+0.00 +0.00 -1.00 '
    mv "$folder/event5" "$folder/away"
    wait_for 'lost'
    sleep 0.3
    mv "$folder/away" "$folder/event5"
    wait_for '^+0.00 -0.50 '
    exit 0
fi

command -v umockdev-run >/dev/null 2>&1 || skip "umockdev-run is not installed"
[ -x "$probe" ] || { echo "$probe is missing: build the target pad_probe"; exit 1; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

cat >"$work/pad.umockdev" <<'END'
P: /devices/virtual/input/input5
E: SUBSYSTEM=input
E: PRODUCT=3/45e/28e/114

P: /devices/virtual/input/input5/event5
N: input/event5
E: DEVNAME=/dev/input/event5
E: MAJOR=13
E: MINOR=69
E: SUBSYSTEM=input

END

# What the kernel says of an Xbox 360 pad. Each line: ioctl, return value, the bytes it fills in. Their number is part of the
# request, so it is that of SDL's buffers on a 64-bit machine.
zeros() {
    printf "%0$(($1 * 2))d" 0
}
{
    echo "@DEV $node"
    echo "EVIOCGID 0 03005E048E021401"
    echo "EVIOCGNAME(0) 9 $(printf 'Test pad' | od -An -tx1 | tr -d ' \n')$(zeros 120)"
    echo "EVIOCGBIT(0) 8 0B$(zeros 7)"                   # EV_SYN, EV_KEY, EV_ABS
    echo "EVIOCGBIT(1) 96 $(zeros 38)DB7C$(zeros 56)"    # BTN_SOUTH .. BTN_THUMBR
    echo "EVIOCGBIT(2) 8 $(zeros 8)"                     # no EV_REL
    echo "EVIOCGBIT(3) 8 3F0003$(zeros 5)"               # ABS_X .. ABS_RZ, ABS_HAT0X, ABS_HAT0Y
    echo "EVIOCGBIT(21) 16 $(zeros 16)"                  # no EV_FF
    echo "EVIOCGKEY(0) 96 $(zeros 96)"                   # no button is held
    for axis in '' '(1)' '(3)' '(4)'; do                 # value, min, max, fuzz, flat, resolution: sticks
        echo "EVIOCGABS$axis 0 000000000080FFFFFF7F00001000000080000000$(zeros 4)"
    done
    for axis in '(2)' '(5)'; do # triggers
        echo "EVIOCGABS$axis 0 0000000000000000FF000000$(zeros 12)"
    done
    for axis in '(16)' '(17)'; do # directional pad
        echo "EVIOCGABS$axis 0 00000000FFFFFFFF01000000$(zeros 12)"
    done
} >"$work/pad.ioctl"

# event SECONDS MICROSECONDS TYPE CODE VALUE (hexadecimal, hexadecimal, decimal), and the report's end
event() {
    printf 'E: %d.%06d %04x %04x %d\nE: %d.%06d 0000 0000 0\n' "$1" "$2" "0x$3" "0x$4" "$5" "$1" "$2"
}
{
    event 1 000000 3 0 32767   # left stick to the right
    event 1 250000 3 0 -32768  # to the left
    event 1 500000 3 0 0
    event 1 750000 3 2 255     # left trigger
    event 2 000000 3 2 0
    event 2 250000 3 5 255     # right trigger
    event 2 500000 1 137 1     # right bumper held: reverse
    event 2 750000 3 5 0
    event 3 000000 1 137 0
    event 3 250000 3 3 16384   # right stick half to the right
    event 3 500000 3 3 0
    event 3 750000 3 4 -32768  # right stick forward, held
    event 8 000000 3 1 -16384  # left stick half forward, long after the pad came back
} >"$work/pad.events"

in_testbed() {
    SDL_JOYSTICK_DISABLE_UDEV=1 SDL_JOYSTICK_HIDAPI=0 SDL_JOYSTICK_DEVICE=$node SDL_VIDEODRIVER=dummy \
        umockdev-run --device "$work/pad.umockdev" --ioctl "$node=$work/pad.ioctl" \
        --evemu-events "$node=$work/pad.events" -- "$@"
}

in_testbed test -c $node 2>"$work/why" || skip "umockdev cannot make a device here: $(head -n 1 "$work/why")"

cat >"$work/expected" <<'END'
Pad connected
+1.00 +0.00 +0.00 +0.00 +0.00 +0.00
-1.00 +0.00 +0.00 +0.00 +0.00 +0.00
+0.00 +0.00 +0.00 +0.00 +0.00 +0.00
+0.00 +0.00 +0.00 +0.00 +1.00 +0.00
+0.00 +0.00 +0.00 +0.00 +0.00 +0.00
+0.00 +0.00 +0.00 +0.00 +0.00 +1.00
+0.00 +0.00 +0.00 +0.00 +0.00 -1.00
+0.00 +0.00 +0.00 +0.00 +0.00 +0.00
+0.00 +0.00 +0.00 -0.50 +0.00 +0.00
+0.00 +0.00 +0.00 +0.00 +0.00 +0.00
+0.00 +0.00 -1.00 +0.00 +0.00 +0.00
Pad lost: its levers are neutral
+0.00 +0.00 +0.00 +0.00 +0.00 +0.00
Pad connected
+0.00 -0.50 +0.00 +0.00 +0.00 +0.00
END
: >"$work/output"
in_testbed sh "$0" --inside "$work/output" || echo "the probe did not see all of the pad"
# SDL's name for the pad differs from version to version.
sed 's/^.* \(connected\|lost:\)/Pad \1/' "$work/output" >"$work/shown"
diff "$work/expected" "$work/shown" || exit 1
