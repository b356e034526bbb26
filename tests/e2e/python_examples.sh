#!/bin/sh
# test: long
# The examples run in their quick form, and move soil: the planner fills the bucket, the cloned policy dumps what it digs.
#   BUILD_DIR  the build folder (default: build/release)
. "$(dirname "$0")/common.inc"

export SPADEWORK_LIBRARY="${BUILD_DIR:-$root/build/release}/lib/libspadework.so.0" PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH="$root/trainer/python"
python=python3 # Debian's, where another one is before it that has no numpy
"$python" -c 'import numpy' 2>/dev/null || python=/usr/bin/python3

# example NAME [ARG...]: runs it; what it says last is in $last.
example() {
    name=$1
    shift
    "$python" "$root/docs/examples/$name.py" --quick "$@" >out 2>err || wrong "$name: exit $?: $(tail -n 5 err)"
    last=$(tail -n 1 out)
}

# moved PATTERN LEAST: the number that the pattern finds in $last is LEAST or more.
moved() {
    number=$(printf '%s\n' "$last" | sed -nE "s/$1/\\1/p")
    [ -n "$number" ] && [ "$number" -ge "$2" ] || wrong "wanted $2 kg at least: $last"
}

example random_agent
printf '%s\n' "$last" | grep -qE '^10 s, reward -?[0-9.]+, [0-9.]+ m3 left to cut$' || wrong "random_agent says: $last"
example force_plot
[ "$last" = "wrote force_plot.svg" ] || wrong "force_plot says: $last"
grep -c '<polyline points="[0-9., ]*"' force_plot.svg | grep -qx 1 || wrong "force_plot.svg has no curve"
xmllint --noout force_plot.svg || wrong "force_plot.svg is no XML"
example plan_by_saving
moved '^([0-9]+) kg in the bucket after .*' 300
example clone_expert
moved '.*the clone put ([0-9]+) kg on the dump' 200

# The gallery's pictures: those of gallery.py are PNG with many colours, and each says what it shows.
for picture in trench sixteen; do
    example gallery $picture
    [ "$last" = "wrote $picture.png, $([ $picture = trench ] && echo '344 x 216' || echo '344 x 268')" ] || wrong "gallery says: $last"
    grep -cE '^(policy|scripted expert|loam|sand|clay): [0-9]+ kg ' out | grep -qxE '2|4' || wrong "gallery says: $(cat out)"
    "$python" -B - $picture.png <<'CHECK' || result=1
import struct, sys, zlib
data = open(sys.argv[1], "rb").read()
at, kinds = 8, {}
while at < len(data):
    size = struct.unpack_from(">I", data, at)[0]
    kind, body, checksum = data[at + 4 : at + 8], data[at + 8 : at + 8 + size], data[at + 8 + size : at + 12 + size]
    assert zlib.crc32(kind + body) == int.from_bytes(checksum, "big"), f"{sys.argv[1]}: checksum of {kind}"
    kinds[kind], at = body, at + 12 + size
assert list(kinds) == [b"IHDR", b"PLTE", b"IDAT", b"IEND"], list(kinds)
width, height = struct.unpack_from(">II", kinds[b"IHDR"])
pixels = zlib.decompress(kinds[b"IDAT"])
assert len(pixels) == height * (width + 1) and len(set(pixels)) > 200, f"{len(set(pixels))} colours"
CHECK
done
run run trench --headless --operator auto --seconds 3 --threads 1 --record view.spade
run export view.spade --mcap view.mcap --rate 10
"$python" "$root/docs/examples/mcap_view.py" --at 2.5 view.mcap >out 2>err || wrong "mcap_view: $(tail -n 5 err)"
grep -qx 'wrote mcap_view.svg, 12 topics at 2.5 s' out || wrong "mcap_view says: $(cat out)"
xmllint --noout mcap_view.svg || wrong "mcap_view.svg is no XML"
[ "$(grep -c '<polyline points="[0-9., ]\{2000,\}"\|>bucket</text>\|<image ' mcap_view.svg)" -ge 2 ] || wrong "mcap_view.svg shows nothing"
"$python" "$root/docs/examples/mcap_view.py" --at 9 view.mcap >out 2>err && wrong "mcap_view takes a time behind the drive's end"
grep -qx -e '--at 9: the drive has 0 to 3 s' err || wrong "mcap_view says: $(cat err)"
exit $result
