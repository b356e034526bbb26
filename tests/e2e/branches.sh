#!/bin/sh
# A recording is taken over at ten ticks: each branch verifies and names its parent. It replays after the data it was made of has changed, and
# two hundred recordings are scored anew at once.
. "$(dirname "$0")/common.inc"

cp -r "$root/data" data
export SPADEWORK_DATA="$PWD/data"
run run trench --headless --operator auto --seconds 20 --trainee Ann --record a.spade
[ $code -eq 0 ] || wrong "recording: exit $code: $(tail -n 1 err)"

# Ticks of 1/60 s, drawn once: between keyframes and on them, before the first bite and with a full bucket.
for tick in 1 37 60 119 311 480 599 777 940 1199; do
    at=$(awk -v t=$tick 'BEGIN { printf "%.9f", t / 60 }')
    run resume a.spade --at "$at" --headless --operator auto --seconds 2 --record "b$tick.spade"
    [ $code -eq 0 ] || wrong "tick $tick: exit $code: $(tail -n 1 err)"
    run replay "b$tick.spade" --verify --threads 1
    [ $code -eq 0 ] || wrong "the branch of tick $tick does not verify: $(tail -n 1 err)"
    parent=$(sqlite3 "b$tick.spade" "SELECT value FROM meta WHERE key='parent'")
    from=$(sqlite3 "b$tick.spade" "SELECT value FROM meta WHERE key='parent_tick'")
    [ "$(basename "$parent")" = a.spade ] && [ "$from" = "$tick" ] || wrong "tick $tick: its parent is '$parent' at tick '$from'"
done

# Another soil, another machine, another trench: the recording holds its own.
sed -i 's/^cohesion_kpa:.*/cohesion_kpa: 60/' data/soils/loam.yaml
sed -i 's/depth: 1.5/depth: 0.9/' data/scenes/trench.yaml
rm -f data/soils/topsoil.yaml
run replay a.spade --verify
[ $code -eq 0 ] || wrong "the data has changed and the recording does not verify: $(tail -n 1 err)"
run run trench --headless --operator auto --seconds 1
[ $code -eq 1 ] || wrong "the data was not the changed one: exit $code"

many=200
for n in $(seq $many); do
    ln a.spade "c$n.spade"
done
run rescore c*.spade --json --progress
[ $code -eq 0 ] || wrong "rescore: exit $code: $(tail -n 1 err)"
[ "$(grep -c '"verdict"' out)" = $many ] || wrong "rescore tells of $(grep -c '"verdict"' out) recordings"
tr '\r' '\n' <err | grep -q "rescored $many of $many" || wrong "rescore shows no progress"
[ "$(grep '"after"' out | sort -u | wc -l)" = 1 ] || wrong "one recording has several scores"
[ $result -eq 0 ] && echo "branches.sh: ten branches verify, changed data does not matter, $many recordings are scored anew"
exit $result
