#!/bin/sh
# test: long
# A recording is taken over at ten ticks: each branch verifies, names its parent and is held against it. It replays after the data it was
# made of has changed, and two hundred recordings are scored anew at once.
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

# A branch is held against its parent where that lies beside it: it fits, is told to be missing, or is another one.
run replay b37.spade --verify
grep -q 'its parent a.spade is the one that it took over' out || wrong "the parent that fits is not told: $(cat out)"
mkdir alone && cp b37.spade alone
run replay alone/b37.spade --verify
[ $code -eq 0 ] && grep -q 'its parent a.spade is not beside it: where it begins is not proven' out ||
    wrong "a missing parent: exit $code: $(cat out err)"
cp b1.spade alone/a.spade
run replay alone/b37.spade --verify
[ $code -eq 3 ] && grep -q 'its parent a.spade is not the one that it took over: it has no seal' err ||
    wrong "another parent: exit $code: $(cat out err)"
cp a.spade alone/a.spade
sqlite3 alone/a.spade "UPDATE metric SET value = value + 1 WHERE name = 'score'"
run replay alone/b37.spade --verify
[ $code -eq 3 ] && grep -q 'its parent a.spade is not the one that it took over: .*rows were changed in table metric' err ||
    wrong "a changed parent: exit $code: $(cat out err)"
echo nothing >alone/a.spade
run replay alone/b37.spade --verify --json
[ $code -eq 3 ] && grep -q 'is not a recording' err && grep -q '"parent_fits": false' out || wrong "a parent that is none: exit $code: $(cat out err)"

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
