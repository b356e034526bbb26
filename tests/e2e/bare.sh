#!/bin/sh
# test: long
# A computer that lacks what Linux usually has: without a home, a runtime folder, /sys, /proc or devices the doctor looks at all
# parts to the end, and a drive is recorded and verified.
#   SPADEWORK  the program (default: build/release/bin/spadework)
# Folders are hidden in a mount namespace of its own; where none can be made, that part is skipped.
. "$(dirname "$0")/common.inc"
command -v python3 >/dev/null || { echo "$script: python3 is missing; tests/run.sh installs it" && exit 1; }

# hidden FOLDERS COMMAND...: runs the command where these folders are empty.
hidden() {
    # shellcheck disable=SC2016 # the inner shell's own variables
    unshare $map --mount sh -c 'for folder in $1; do mount -t tmpfs none "$folder" || exit 99; done; shift; exec "$@"' sh "$@"
}
map=
hidden /sys true 2>/dev/null || map=--map-root-user # of somebody who is not root
hidden /sys true 2>/dev/null || map=none

# checked NAME: what the doctor has left in out and err, exit code in $code.
checked() {
    [ "$code" -eq 0 ] || [ "$code" -eq 4 ] || wrong "$1: the doctor ends with $code: $(head -c 600 err)"
    [ ! -s err ] || wrong "$1: says on stderr: $(head -c 600 err)"
    python3 - "$1" <<'END' || result=1
import json, sys
try:
    whole = json.load(open("out"))
except ValueError as fault:
    sys.exit("bare.sh: %s: no JSON: %s" % (sys.argv[1], fault))
about = [finding["about"] for finding in whole["findings"]]
wrong = ["a look did not end: " + finding["text"] for finding in whole["findings"] if "crashed" in finding["text"]]
wrong += ["nothing is said of " + part for part in ("real_time", "display", "data", "libraries", "sound") if part not in about]
wrong += [] if whole["headless"] else ["no drive without a window can run"]
for fault in wrong:
    print("bare.sh: %s: %s" % (sys.argv[1], fault))
sys.exit(1 if wrong else 0)
END
}

# Without variables: neither a home nor a runtime folder, nor any that leads nowhere.
env -i PATH=/usr/bin:/bin "$spadework" doctor --json --quality low >out 2>err
code=$?
checked "no environment"
env -i PATH=/usr/bin:/bin HOME=/proc/nowhere XDG_RUNTIME_DIR=/proc/nowhere TMPDIR=/proc/nowhere XDG_DATA_HOME=relative DISPLAY=:99999 \
    "$spadework" doctor --json --quality low >out 2>err
code=$?
checked "folders that are not there"
[ "$map" != none ] || { echo "$script: no mount namespace here, so that no folder is hidden" && exit $result; }

for folders in /sys /proc /dev "/sys /proc /dev /run"; do
    hidden "$folders" env -i PATH=/usr/bin:/bin HOME="$work" "$spadework" doctor --json --quality low >out 2>err
    code=$?
    checked "without $folders"
done
# shellcheck disable=SC2016
hidden "/sys /proc /dev /run" env -i PATH=/usr/bin:/bin sh -c '"$0" run trench --headless --operator auto --seconds 0.5 \
    --record bare.spade --shot bare.png --quality low --json && "$0" replay bare.spade --verify --json' "$spadework" >out 2>err ||
    wrong "a drive without folders: $(cat err)"
[ ! -s err ] || wrong "a drive without folders says on stderr: $(cat err)"
[ -s bare.png ] || wrong "no picture without folders"
exit $result
