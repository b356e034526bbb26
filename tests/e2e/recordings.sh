#!/bin/sh
# Recordings of every format there has been (tests/recordings): that of the present one verifies to the bit, others are refused by name.
. "$(dirname "$0")/common.inc"
command -v sqlite3 >/dev/null || { echo "recordings.sh: sqlite3 is missing; tests/run.sh installs it" && exit 1; }

present=$(sed -n 's/^#define STATE_VERSION *\([0-9]*\).*/\1/p' "$root/trainer/sim/state_io.h")
[ -n "$present" ] || wrong "the present format is not found"

# refused FILE FORMAT COMMAND...: ends with 1 and one line that names file, both formats and what to do.
refused() {
    file=$1 format=$2
    shift 2
    run "$@"
    [ $code -eq 1 ] || wrong "$*: exit $code, 1 expected: $(cat out err)"
    [ "$(wc -l <err)" -eq 1 ] || wrong "$*: not one line on stderr: $(cat err)"
    grep -q -F "$file: has recording format $format, this program reads format $present: " err || wrong "$*: $(cat err)"
}

format=1
while [ "$format" -le "$present" ]; do
    name=format-$(printf %02d "$format").spade
    cp "$root/tests/recordings/$name" . || wrong "tests/recordings/$name is missing"
    grep -q "^| \`$name\` " "$root/tests/recordings/README.md" || wrong "$name has no row in tests/recordings/README.md"
    before=$(cksum <"$name")
    if [ "$format" -eq "$present" ]; then
        run replay "$name" --verify --keyframes
        if [ $code -eq 3 ] && grep -q 'another kind of computer' err; then
            echo "recordings.sh: $(cat err)" # ODE gives other bits here: told, and no fault
        else
            [ $code -eq 0 ] || wrong "$name: exit $code: $(cat err)"
            grep -q '60 ticks' out || wrong "$name: $(cat out)"
        fi
    else
        refused "$name" "$format" replay "$name" --verify
        grep -q 'replay it with a version' err || wrong "$name: what to do is not said: $(cat err)"
        refused "$name" "$format" check "$name"
        refused "$name" "$format" resume "$name" --at 0.5 --headless --seconds 0.1
        refused "$name" "$format" report "$name" -o report.html
    fi
    [ "$(cksum <"$name")" = "$before" ] || wrong "reading changed $name"
    format=$((format + 1))
done

# One that differs and comes from elsewhere says so.
name=format-$(printf %02d "$present").spade
cp "$name" elsewhere.spade
sqlite3 elsewhere.spade "update meta set value = 'abacus, ODE 0.1' where key = 'computer';
    update state set hash = hash + 1 where tick = 30" || wrong "sqlite3 cannot change a recording"
run replay elsewhere.spade --verify
[ $code -eq 3 ] || wrong "a recording that differs: exit $code: $(cat out err)"
grep -q 'recorded on another kind of computer, abacus, ODE 0.1, this is ' err || wrong "its computer is not named: $(cat err)"

# One of the future: the header of the present one says so (user_version, four bytes at 60).
printf '\000\000\000\143' | dd of="$name" bs=1 seek=60 conv=notrunc 2>dd.log
refused "$name" 99 replay "$name" --verify
grep -q 'a newer one made it' err || wrong "a newer format is told as: $(cat err)"

[ $result -eq 0 ] && echo "recordings.sh: format $present verifies, $((present - 1)) older ones and a newer one are refused by name"
exit $result
