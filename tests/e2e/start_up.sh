#!/bin/sh
# Start-up and walk-round without a window: dead levers, key, safety lever, columns of the telemetry, the walked exercise by its
# expert, its replay, practice from the middle of the walk, and a plan that keeps the places of things to itself.
. "$(dirname "$0")/common.inc"

cat >levers.csv <<END
t,ignition,safety_lever,horn,boom,lights
0,0,0,0,1,0
1,1,0,0,1,0
4,0,0,1,0,1
4.5,0,1,0,0,0
5,0,0,0,1,0
7,0,0,0,0,0
END
good run trench --headless --operator levers.csv --seconds 7 --set exercise.start_up.switches=yes --set exercise.start_up.oil_c=40 \
    --telemetry t.csv --record a.spade
# column NAME SECOND: the value in that second's row.
column() {
    awk -F, -v name="$1" -v second="$2" 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next } $at["t"] + 0 >= second { print $at[name]; exit }' t.csv
}
is() {
    [ "$(column "$1" "$2")" = "$3" ] || wrong "$1 at $2 s is $(column "$1" "$2"), wanted $3"
}
is engine 0.5 0 # off
is engine 1.8 1 # cranks
is engine 3 2 # runs
is safety_lever 4 0 # up
is safety_lever 4.8 1 # down
is lights 4.8 1
is travel_range 4.8 0 # low
is on_foot 4.8 0
[ "$(column boom 0.1)" = "$(column boom 4.4)" ] || wrong "the boom moved with the safety lever up"
[ "$(column boom 6.9)" != "$(column boom 4.4)" ] || wrong "the boom does not move with the safety lever down"
good export a.spade --events e.csv
grep -q 'the engine starts' e.csv || wrong "no event of the start"
grep -q 'safety lever down: the levers work' e.csv || wrong "no event of the safety lever"
good replay a.spade --verify

# All scenes of today begin ready to work.
good run trench --headless --operator auto --seconds 0.2 --telemetry t.csv
is engine 0.1 2
is safety_lever 0.1 1
is travel_range 0.1 1

# Wrong values are refused with their place.
bad 2 'exercise.start_up.switches: read maybe' run trench --headless --seconds 0.1 --set exercise.start_up.switches=maybe
bad 2 'exercise.walk_round.things.0.on: read arm, allowed a body of excavator-22t' run walk-round --headless --seconds 0.1 \
    --set exercise.walk_round.things.0.on=arm

# The walked exercise: shown by its expert, replayed exactly, and practised from the middle of the walk.
good run walk-round --headless --operator expert --record walk.spade --telemetry t.csv
score=$(sed -n 's/^score  *\([0-9]*\).*/\1/p' out)
[ "$score" -ge 90 ] || wrong "the expert of the walk-round has $score points"
is on_foot 10 1
[ "$(grep -c ' late, the first' out)" -eq 0 ] || wrong "an action of the expert was late: $(cat out)"
good replay walk.spade --verify
good export walk.spade --events e.csv
[ "$(grep -c 'reported rightly' e.csv)" -eq 7 ] || wrong "not seven findings: $(cat e.csv)"
[ "$(grep -c 'looked at, and fine' e.csv)" -eq 5 ] || wrong "not five decoys"
good resume walk.spade --at 15 --headless --operator levers.csv --seconds 1 --record practice.spade
good replay practice.spade --verify
good report walk.spade -o walk.html
grep -q 'reported rightly: sight glass of the hydraulic oil' walk.html || wrong "the debrief does not say what was found"
grep -q 'share of the defects and dangers that were reported' walk.html || wrong "the debrief has no row of what was found"
good report walk.spade -o de.html --language de
grep -q 'zu Recht gemeldet: Schauglas des Hydrauliköls' de.html || wrong "no German event in the debrief"
good report walk.spade -o es.html --language es
grep -q 'avisado con razón: mirilla del aceite hidráulico' es.html || wrong "no Spanish event in the debrief"

# Nothing of the secret places in the plan.
good preview walk-round -o plan.svg
for secret in 'sight glass' 'pin of the bucket' 'reads a plan' 'ball'; do
    ! grep -q "$secret" plan.svg || wrong "preview shows: $secret"
done
[ $result -eq 0 ] && echo "$script: switches, dead levers, the walked exercise and its replay"
exit $result
