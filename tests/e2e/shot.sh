#!/bin/sh
# test: long
# Pictures without a display: --headless --shot OUT.png[@S].
#   SPADEWORK  the program (default: build/release/bin/spadework)
set -u
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd -P)}
spadework=${SPADEWORK:-$root/build/release/bin/spadework}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
unset DISPLAY WAYLAND_DISPLAY SDL_VIDEODRIVER
result=0

wrong() {
    echo "shot.sh: $*"
    result=1
}

# run NAME ARGS...: runs the program; its output goes to $work/NAME.out and .err, its exit code to $code.
run() {
    name=$1
    shift
    "$spadework" "$@" >"$work/$name.out" 2>"$work/$name.err"
    code=$?
}

# number FILE OFFSET: the big-endian 4-byte number there.
number() {
    od -A n -t u1 -j "$2" -N 4 "$1" | awk '{print (($1 * 256 + $2) * 256 + $3) * 256 + $4}'
}

# A picture in the middle and one at the end: PNG files, not blank, not the same.
run early run trench --headless --operator auto --seconds 2 --threads 2 --shot "$work/early.png@0.5"
[ $code -eq 0 ] || wrong "picture at 0.5 s: exit $code: $(cat "$work/early.err")"
run late run trench --headless --operator auto --seconds 4 --threads 2 --shot "$work/late.png"
[ $code -eq 0 ] || wrong "picture at the end: exit $code: $(cat "$work/late.err")"
for picture in early late; do
    file=$work/$picture.png
    if [ ! -s "$file" ]; then
        wrong "$picture.png was not written"
        continue
    fi
    [ "$(od -A n -t x1 -N 8 "$file" | tr -d ' \n')" = 89504e470d0a1a0a ] || wrong "$picture.png is not a PNG file"
    width=$(number "$file" 16)
    height=$(number "$file" 20)
    [ "$width" -ge 640 ] && [ "$height" -ge 360 ] || wrong "$picture.png: $width x $height pixels"
    # A blank picture of this size packs into a few kB.
    [ "$(wc -c <"$file")" -gt 40000 ] || wrong "$picture.png: only $(wc -c <"$file") bytes: is anything drawn?"
done
cmp -s "$work/early.png" "$work/late.png" && wrong "pictures of 0.5 s and 4 s are the same"

# Drawing never changes the simulation: all telemetry but the wall times is the same with and without a picture.
run with run trench --headless --operator auto --seconds 2 --threads 2 --telemetry "$work/with.csv" \
    --shot "$work/with.png@1"
run without run trench --headless --operator auto --seconds 2 --threads 2 --telemetry "$work/without.csv"
run overlay run trench --headless --operator auto --seconds 2 --threads 2 --telemetry "$work/overlay.csv" \
    --shot "$work/overlay.png@1" --overlay
[ $code -eq 0 ] || wrong "picture with the debug view: exit $code: $(cat "$work/overlay.err")"
for file in with without overlay; do
    rev "$work/$file.csv" | cut -d , -f 4- | rev >"$work/$file.state"
done
[ "$(wc -l <"$work/with.state")" -gt 100 ] || wrong "telemetry has $(wc -l <"$work/with.state") rows"
cmp "$work/with.state" "$work/without.state" || wrong "a picture changed the simulation"
cmp "$work/overlay.state" "$work/without.state" || wrong "the debug view changed the simulation"
cmp -s "$work/overlay.png" "$work/with.png" && wrong "--overlay makes no difference"
run nowhere run trench --headless --seconds 0.2 --overlay
[ $code -eq 2 ] || wrong "--overlay without a picture: exit $code, 2 expected"
[ "$(wc -l <"$work/nowhere.err")" -eq 1 ] || wrong "--overlay without a picture: $(cat "$work/nowhere.err")"

# A picture that cannot be written is told in one line.
run unwritable run trench --headless --seconds 0.2 --shot "$work/no/such/folder/x.png"
[ $code -ne 0 ] || wrong "a picture in a missing folder: exit 0"
[ "$(wc -l <"$work/unwritable.err")" -eq 1 ] || wrong "a picture in a missing folder: $(cat "$work/unwritable.err")"
grep -q 'no/such/folder' "$work/unwritable.err" || wrong "the error does not name the file"

# Without a display the window's commands say what to do instead.
for command in menu "run trench"; do
    # shellcheck disable=SC2086
    run lacking $command
    [ $code -eq 4 ] || wrong "$command without a display: exit $code, 4 expected"
    [ "$(wc -l <"$work/lacking.err")" -eq 1 ] || wrong "$command without a display: not one line: $(cat "$work/lacking.err")"
    grep -q -e --headless "$work/lacking.err" || wrong "$command without a display: --headless is not offered"
done
[ $result -eq 0 ] && echo "shot.sh: pictures without a display are right"
exit $result
