#!/bin/sh
# What the stages of a tick take: sh tests/bench/stages.sh [--write | --count] [SCENE:SECONDS...]
# Counts the instructions of the beginning of drives by the scenes' experts with callgrind, one thread, and the bytes that come from
# beyond the first cache (32 kB, 8 ways, as callgrind simulates it). A count does not depend on what else the computer does.
#   SCENE:SECONDS  of data/scenes, and how much of the drive; without one: trench:10 truck-loading:10 haul:10 slot-dozing:20 pad:25
#              (a bulldozer has its load by then)
#   --write  writes the page docs/tick.md in place of printing its tables
#   --count  prints `SCENE INSTRUCTIONS` of a tick; the caches are not simulated, which takes half of the time
#   BUILD_DIR  the build whose program is profiled (default: build/release); profiles are left in its folder stages
set -u
here=$(cd "$(dirname "$0")/../.." && pwd -P) || exit 4
build=${BUILD_DIR:-$here/build/release}
program=$build/bin/spadework
for need in valgrind python3 nm; do
    command -v $need >/dev/null || { echo "tests/bench/stages.sh: $need is missing: sh tests/run.sh installs it" >&2 && exit 4; }
done
[ -x "$program" ] || { echo "tests/bench/stages.sh: $program is missing: sh trainer/run.sh --build-only makes it" >&2 && exit 4; }
form='' caches=yes
case ${1-} in
--write) form='write' && shift ;;
--count) form='count' caches=no && shift ;;
-*) echo "tests/bench/stages.sh: unknown option $1; known: --write, --count" >&2 && exit 2 ;;
esac
[ $# -gt 0 ] || set -- trench:10 truck-loading:10 haul:10 slot-dozing:20 pad:25
mkdir -p "$build/stages" || exit 4

# One drive a processor at a time.
# shellcheck disable=SC2016 # the inner shell's arguments
printf '%s\n' "$@" | xargs -P "$(getconf _NPROCESSORS_ONLN)" -I DRIVE sh -c '
    scene=${4%:*}
    rm -f "$1/$scene.out"
    valgrind --tool=callgrind --toggle-collect=session_tick --cache-sim=$2 --I1=32768,8,64 --D1=32768,8,64 \
        --LL=8388608,16,64 --callgrind-out-file="$1/$scene.out" "$3" run "$scene" --headless --operator expert \
        --threads 1 --seconds "${4#*:}" >"$1/$scene.log" 2>&1' sh "$build/stages" $caches "$program" DRIVE
files=
for drive; do
    scene=${drive%:*}
    [ -s "$build/stages/$scene.out" ] || { cat "$build/stages/$scene.log" >&2 && exit 1; }
    files="$files $scene=$build/stages/$scene.out"
done
# shellcheck disable=SC2086 # scenes and files, a word each
tables() { python3 "$here/tests/bench/stages.py" "$@" "$program" $files; }
case $form in
count) tables --count ;;
write)
    tables >"$build/stages/tables" || exit 1
    {
        cat <<'END_OF_PAGE'
# What a tick is made of

Instructions and bytes by stage, for people who make the simulation faster. `sh tests/bench/stages.sh --write` makes this page; its
figures are means over the beginning of drives by the scenes' experts (10 s; slot-dozing 20, pad 25, when the bulldozer has its
load), one thread, kernels of 8 lanes (AVX2), counted by callgrind. A stage's figure has all that it calls; "the rest" is what the
stages below it leave. The stages in their order are those of [the soil model](soil-model.md), "A tick".

END_OF_PAGE
        cat "$build/stages/tables"
    } >"$here/docs/tick.md"
    echo "docs/tick.md is written"
    ;;
*) tables ;;
esac
