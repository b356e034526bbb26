#!/bin/sh
# Rocks as a user has them: a scene with boulders runs, is recorded and verified by any number of threads, counts their mass, is drawn.
. "$(dirname "$0")/common.inc"

good() {
    run "$@"
    [ $code -eq 0 ] || wrong "$*: exit $code: $(cat err)"
}

# Down beside the heap, through the ground and against the boulders.
printf 't,swing,boom,stick,bucket\n0,0.4,0,-0.4,0\n1,0.3,-0.7,0,0\n2,0,-0.3,0.7,0.3\n' >dig.csv
good run boulders --headless --operator dig.csv --seconds 3 --threads 1 --record a.spade --telemetry run.csv --json
hash=$(grep '"hash"' out)
good run boulders --headless --operator dig.csv --seconds 3 --threads 3 --json
[ "$(grep '"hash"' out)" = "$hash" ] || wrong "3 threads give another state: $(cat out)"
good run boulders --headless --operator dig.csv --seconds 3 --threads 1 --seed 9 --json
[ "$(grep '"hash"' out)" != "$hash" ] || wrong "another seed gives the same state"
for threads in 1 2; do
    good replay a.spade --verify --keyframes --threads $threads
    grep -q '180 ticks' out || wrong "verify with $threads threads: $(cat out)"
done

# Their mass is part of what cannot change.
awk -F, '
    NR == 1 { for (k = 1; k <= NF; k++) column[$k] = k; next }
    NR == 2 { total = $column["total_mass"]; body = $column["body_mass"] }
    $column["total_mass"] != total || $column["body_mass"] != body { bad++ }
    { sum = $column["ground_mass"] + $column["particle_mass"] + $column["body_mass"] + $column["left_mass"] - $column["total_mass"] }
    sum > 0.001 || sum < -0.001 { bad++ }
    END { exit !(NR == 181 && bad == 0 && body > 2000) }
' run.csv || wrong "the masses of the telemetry do not add up"

good run boulders --headless --operator dig.csv --seconds 0.1 --set rocks.0.count=30 --set rocks.0.largest=0.9
run run boulders --headless --seconds 0.1 --set rocks.0.size=9
[ $code -eq 2 ] && grep -q 'rocks.0.size' err || wrong "a rock of 9 m: exit $code: $(cat err)"
run run boulders --headless --operator dig.csv --seconds 0.1 --shot shot.png
[ $code -eq 4 ] || [ -s shot.png ] || wrong "no picture: exit $code: $(cat err)"
exit $result
