#!/bin/sh
# Makes the pictures of README.md and the film of a trench anew: sh data/pictures/make.sh [NAME...]
#   SPADEWORK  the program (default: build/release/bin/spadework)
set -u
root=$(cd "$(dirname "$0")/../.." && pwd -P)
spadework=${SPADEWORK:-$root/build/release/bin/spadework}
wanted=" $* "

# shot NAME ARGS...: a picture of a run.
shot() {
    name=$1
    shift
    case $wanted in
    "  " | *" $name "*) "$spadework" run "$@" --headless --operator expert --shot "$root/data/pictures/$name.png" >/dev/null ;;
    esac
}

shot trench trench --seconds 120 --camera around
shot cab trench --seconds 105 --camera cab
shot section trench --seconds 105 --camera section
shot truck-loading truck-loading --seconds 30 --camera around
shot dozing slot-dozing --seconds 96 --camera bucket
shot haul haul --seconds 120 --camera around
shot lifting lift-pipe --seconds 20 --camera around
shot grade pad --seconds 60 --camera around --cut-fill --panels strip
shot targets controls-targets --seconds 12 --camera around
shot night trench --seconds 14 --camera cab --set weather.time=22.5
case $wanted in
"  " | *" console "*)
    work=$(mktemp -d) || exit 1
    PICTURES=$work SPADEWORK=$spadework sh "$root/tests/e2e/console.sh" && cp "$work/console.png" "$root/data/pictures/console.png"
    rm -rf "$work"
    ;;
esac
case $wanted in
"  " | *" classroom "*)
    work=$(mktemp -d) || exit 1
    PICTURES=$work SPADEWORK=$spadework sh "$root/tests/e2e/classroom.sh" && cp "$work/classroom.png" "$root/data/pictures/classroom.png"
    rm -rf "$work"
    ;;
esac
case $wanted in
"  " | *" film "*)
    work=$(mktemp -d) || exit 1
    "$spadework" run trench --headless --operator expert --seconds 28 --record "$work/trench.spade" >/dev/null &&
        "$spadework" export "$work/trench.spade" --video "$root/data/pictures/trench.mp4" --size 640x360 --fps 15 --camera cab >/dev/null
    rm -rf "$work"
    ;;
esac
