#!/bin/sh
# test: long
# The sound of the window, written to a file by SDL's disk driver: there is some, it stays within bounds, the horn is in it;
# driving is the same with and without it, and a computer that has no output drives on in silence.
#   SPADEWORK  the program (default: build/release/bin/spadework)
. "$(dirname "$0")/common.inc"
command -v sqlite3 >/dev/null || { echo "sound.sh: sqlite3 is missing; tests/run.sh installs it" && exit 1; }
export SDL_VIDEODRIVER=offscreen

cat >levers.csv <<'END'
t,swing,stick,boom,bucket,left_track,right_track,throttle,horn
0,0,0,0,0,0,0,1,0
0.5,0,0,0,0,0,0,1,1
1.0,0.5,0.5,0.3,0.3,0.6,0.6,1,0
END

# drive NAME ARGS...: two seconds in the window; $code, NAME.spade, NAME.raw where the disk driver plays.
drive() {
    name=$1
    shift
    SDL_DISKAUDIOFILE=$work/$name.raw run run trench --operator levers.csv --seconds 2 --threads 2 --record "$name.spade" "$@"
    if [ $code -eq 4 ]; then
        echo "sound.sh: skipped, this computer draws no window: $(cat err)"
        exit 77
    fi
    [ $code -eq 0 ] || wrong "$name: exit $code: $(cat err)"
}

# measure FILE: samples, the largest, and the root mean square of all, of 32-bit floats.
measure() {
    od -A n -v -t f4 -w4 "$1" | awk '{ x = $1 < 0 ? -$1 : $1; if (x > top) top = x; sum += x * x; bad += $1 != $1 + 0 }
        END { printf "%d %g %g %d\n", NR, top, sqrt(sum / (NR + 1)), bad }'
}

export SDL_AUDIODRIVER=disk
drive loud --volume 1
drive soft --volume 0.2
drive mute --mute
if [ -s loud.raw ] && [ -s soft.raw ]; then
    measure loud.raw >loud && measure soft.raw >soft
    paste -d ' ' loud soft | awk '
        $1 > 24000 && $2 > 0.1 && $2 <= 1 && $3 > 0.01 && $4 == 0 && $6 < 0.4 * $2 && $6 > 0.02 { good = 1 }
        END { exit !good }' ||
        wrong "what was played is not as it should be (samples, largest, mean, bad): $(cat loud) loud, $(cat soft) soft"
else
    wrong "nothing was played: $(cat err)"
fi
[ ! -s mute.raw ] || wrong "--mute plays something"

# Without an output: one line, and the drive goes on.
SDL_AUDIODRIVER=nosuch drive none
[ "$(grep -c 'no sound' err)" -eq 1 ] || wrong "without an output it says: $(cat err)"

# The same drive, tick by tick, whether it is heard or not.
for name in soft mute none; do
    different=$(sqlite3 -readonly loud.spade "attach '$name.spade' as other;
        select count(*) from main.state a join other.state b on a.tick = b.tick where a.hash <> b.hash")
    both=$(sqlite3 -readonly loud.spade "attach '$name.spade' as other;
        select count(*) from main.state a join other.state b on a.tick = b.tick")
    [ "${different:-x}" = 0 ] && [ "${both:-0}" -ge 110 ] || wrong "loud and $name: $different of $both ticks differ"
done

# Bad volumes.
for volume in -0.1 1.1 nan loud ''; do
    run run trench --volume "$volume"
    if [ $code -ne 2 ] || ! grep -q -- '--volume' err; then
        wrong "--volume '$volume': exit $code: $(cat err)"
    fi
done
[ $result -eq 0 ] && echo "sound.sh: it sounds, or drives on in silence, and drives the same"
exit $result
