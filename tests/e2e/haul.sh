#!/bin/sh
# test: long
# A truck with soil in its bed hears the horn, hauls, tips and comes back, the other takes its place: recorded, told in events, and the same
# from every keyframe, without the data folder.
. "$(dirname "$0")/common.inc"
command -v sqlite3 >/dev/null || { echo "haul.sh: sqlite3 is missing; tests/run.sh installs it" && exit 1; }

# The shipped scene without heaps, with 1.7 t in the first truck's bed.
sed -e '/^  mounds:/,/^$/d' -e 's/^exercise:/grains:\n  - {box: [4.6, 2.4, 0.25], soil: loam, x: 0, y: 6.5, z: 1.6}\nexercise:/' \
    -e 's/heading_deg: 35}/heading_deg: -90}/' "$root/data/scenes/haul.yaml" >full.yaml
printf 't,horn\n0,0\n3,1\n3.5,0\n' >horn.csv

run run ./full.yaml --headless --operator horn.csv --seconds 75 --record a.spade --json
[ $code -eq 0 ] || wrong "the haul: exit $code: $(cat err)"
grep -q '"mass_constant": true' out || wrong "soil was lost: $(cat out)"
for row in called,0 spotted,1 emptied,0; do
    where="kind = 'truck' and form = '${row%,*}' and thing_kind = 'truck' and thing_index = ${row#*,}"
    [ "$(sqlite3 -readonly a.spade "select count(*) from event where $where")" -eq 1 ] ||
        wrong "no event $row: $(sqlite3 -readonly a.spade 'select kind, form, thing_index from event')"
done
run replay a.spade --list-marks
for told in 'truck 1 leaves as told: [0-9]* kg in [0-9]* passes' 'truck 2 is at the spot' 'truck 1 has tipped [0-9]* kg, '; do
    grep -q "$told" out || wrong "no mark \"$told\": $(cat out)"
done
delivered=$(sqlite3 -readonly a.spade "select cast(value as int) from metric where name = 'delivered_kg'")
[ "$delivered" -gt 1500 ] || wrong "only $delivered kg delivered"
SPADEWORK_DATA=$work/nowhere run replay a.spade --verify --keyframes
[ $code -eq 0 ] || wrong "replayed it differs: $(cat out err)"

# Files that are wrong are refused.
sed 's/payload: 24000/payload: 1e9/' "$root/data/machines/truck-25t.yaml" >heavy.yaml
run check heavy.yaml
[ $code -eq 1 ] && grep -q 'heavy.yaml:6:10: payload: read 1e9, allowed 500 to 500000' err || wrong "a bad truck: $(cat out err)"
run list machines
grep -q '^truck-25t ' out || wrong "the truck is not listed: $(cat out)"
exit $result
