#!/bin/sh
# What .ci/run leaves out because it takes hours: sh tests/long.sh [PART...]
#   drives    whole drives of experts and clumsy hands, every unit test in both builds, the window in three languages
#   analyse   clang-tidy's path analysis of all files, to its end
#   sanitize  every unit test with address and undefined behaviour sanitizers, threads with the thread sanitizer
#   fuzz      every fuzz target for FUZZ_SECONDS (300)
#   truth     every published measurement again, beside the tables of README.md and docs/truth.md
#   bits      builds of two compilers and two processors replay each other's recordings
#   soak      simulated hours, and random operator scripts
# Without a PART all of them, one after the other; run the parts that a change can touch, and all every few weeks.
# Prints how long each took; ends with 1 when one failed. The whole output of each is in build/long.
set -u
root=$(cd "$(dirname "$0")/.." && pwd -P) || exit 4
. "$root/trainer/setup.sh"
known='drives analyse sanitize fuzz truth bits soak'
for part in "$@"; do
    case " $known " in
    *" $part "*) ;;
    *) fail 2 "tests/long.sh: unknown part $part; known: $known" ;;
    esac
done
[ $# -gt 0 ] || set -- $known
mkdir -p "$root/build/long" || exit 4

part_drives() { sh "$root/tests/run.sh" --all; }
part_analyse() { sh "$root/tests/tidy.sh" --all; }
part_sanitize() { sh "$root/tests/sanitize.sh" --all; }
part_fuzz() { sh "$root/tests/fuzz.sh" "${FUZZ_SECONDS:-300}"; }
part_truth() { sh "$root/tests/truth.sh" --check; }
part_bits() { sh "$root/tests/same_bits.sh" --all; }
part_soak() { sh "$root/tests/soak.sh" && sh "$root/tests/soak.sh" scripts; }

result=0
for part in "$@"; do
    say "$part begins"
    begun=$(date +%s)
    if "part_$part" >"$root/build/long/$part.log" 2>&1; then verdict=good; else verdict=FAILED result=1; fi
    say "$part: $verdict, $(($(date +%s) - begun)) s (build/long/$part.log)"
    [ $verdict = good ] || tail -n 15 "$root/build/long/$part.log"
done
exit $result
