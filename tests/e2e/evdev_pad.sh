#!/bin/sh
# A gamepad made of files, seen by SDL's real evdev code: sticks and triggers arrive as levers, a pad pulled out in mid-hold
# is neutral at once, plugged in again it goes on. umockdev diverts /dev/input and answers the kernel's ioctls.
# Ends with 77 (skipped) where umockdev cannot work.
set -u
probe=${BUILD_DIR:-build/dev}/bin/pad_probe
. "$(dirname "$0")/pad.inc"
export SDL_VIDEODRIVER=dummy

# Child of umockdev-run: runs the probe, and pulls the pad out while the boom lever is held.
if [ "${1-}" = --inside ]; then
    "$probe" 40 >"$2" 2>"$2.times" &
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

command -v umockdev-run >/dev/null || { echo "evdev_pad.sh: umockdev-run is missing; tests/run.sh installs it" && exit 1; }
[ -x "$probe" ] || { echo "$probe is missing: build the target pad_probe"; exit 1; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# From its sixth second on: on a busy computer the probe takes some to look for the first time, and what is held by then moves nothing.
make_pad
{
    event 0 000000 3 0 0       # time goes on from the first one, which comes at once
    event 6 000000 3 0 32767   # left stick to the right
    event 6 250000 3 0 -32768  # to the left
    event 6 500000 3 0 0
    event 6 750000 3 2 255     # left trigger
    event 7 000000 3 2 0
    event 7 250000 3 5 255     # right trigger
    event 7 500000 1 137 1     # right bumper held: reverse
    event 7 750000 3 5 0
    event 8 000000 1 137 0
    event 8 250000 3 3 16384   # right stick half to the right
    event 8 500000 3 3 0
    event 8 750000 3 4 -32768  # right stick forward, held
    event 15 000000 3 1 -16384 # left stick half forward, long after the pad came back
} >"$work/pad.events"

try_testbed

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

# From an event of the device to the state of a lever: how much later than the quickest of them each comes. Told, and judged only
# where the machine would hang.
printf '%s\n' 6 6.25 6.5 6.75 7 7.25 7.5 7.75 8.25 8.5 8.75 >"$work/made" # when the lines above were moved, s
paste "$work/made" "$work/output.times" | awk 'NF == 2 { late[++n] = $2 - $1; if (n == 1 || late[n] < first) first = late[n] }
    END {
        for (k = 1; k <= n; k++) { late[k] -= first; sum += late[k]; if (late[k] > most) most = late[k] }
        printf "evdev_pad.sh: %d moves of a lever, each from the device to the state: %.1f ms on the mean, %.1f ms at most later than the quickest\n",
            n, 1000 * sum / n, 1000 * most
        exit n != 11 || most > 1
    }' || exit 1
