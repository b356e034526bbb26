#!/bin/sh
# test: long
# validate: its commands, JSON, report, exit codes and refusals, and the quick forms of experiments that must pass.
. "$(dirname "$0")/validate.inc"

good --help
holds 'validate run NAME'
good list
for name in column thirdlaw contact incline biaxial cut blade bucket cycles slot same wall footing plate sinkage work dozing piles measured; do
    holds "^$name "
    "$spadework" list $name >options 2>&1 || wrong "list $name: exit $?"
    grep -q 'compared with' options || wrong "list $name: $(cat options)"
done

# What must pass.
good run thirdlaw --quick
holds '^thirdlaw passes$'
good run incline --quick --threads 1
good run column --quick --set count=20 --set radius=0.05 --threads 1
good run cut --quick --set form=ground --set soil=loam --set hold=2 --threads 1
# Any soil, by its file: the same figures as the shipped one that it is a copy of.
cp "$root/data/soils/loam.yaml" field.yaml
"$spadework" run cut --quick --set form=ground --set soil=loam --set hold=2 --threads 1 | grep -o ':.*' >shipped
good run cut --quick --set form=ground --set soil=field.yaml --set hold=2 --threads 1
grep -o ':.*' out | sed 's/field\.yaml/loam/' >own
diff -b shipped own >differs || wrong "a copy of loam differs: $(cat differs)"
sed 's/^swell: .*/swell: 9/' field.yaml >bad.yaml
for soil in nosuch bad.yaml; do
    run run shear --quick --set soil=$soil
    [ $code -eq 1 ] || wrong "soil=$soil: exit $code, 1 expected: $(cat out err)"
    grep -q -e "--set soil=$soil: " err || wrong "soil=$soil: $(cat err)"
    cat err >>refused
done
grep -q 'no soil named nosuch in .*loam' refused || wrong "the soils that there are: $(cat refused)"
grep -q 'bad.yaml:[0-9]*:[0-9]*: swell: read 9, allowed' refused || wrong "the place of a bad value: $(cat refused)"
bad 'soil=SOIL.yaml: allowed are: sand|' run shear --quick --set soil=SOIL.yaml
bad 'a plate of 0.1 m: at least 3 columns of 0.04 m' run plate --set diameter=0.1
good run plate --quick --set diameter=0.24 --threads 1
good run biaxial --quick --set pressure=25 --threads 1
holds '^ *axial over lateral stress at 25 kPa  *[45]\.' # Kp of 37 to 45 degrees
holds '^biaxial judges nothing$'
good run work --quick --set seconds=20 --threads 1
holds '^ *mean_cycle_s '
bad 'nosuchscene' run work --set scene=nosuchscene
good run sinkage --quick --set soil=loam --threads 1
holds '^sinkage passes$'
holds '^ *loam: slipping over driving  *[23]\.'
good run bucket --quick --threads 1
# Published measurements: the quick form. Sets of one's own: measured.sh.
run run measured --quick --threads 1 --json
[ $code -eq 0 ] || [ $code -eq 3 ] || wrong "measured: exit $code: $(cat err)"
holds '"quantity": "bucket-fill: loam"'
good run cycles --quick --set count=1 --threads 1
good run same --quick --set case=pile --threads 1
good run same --quick --set case=exercise --set exercise=trench --set drives=2 --set seconds=8 --threads 1
for text in 'turned: tool off' 'mirrored: tool off' 'turned: dug' 'mirrored: dug'; do
    holds "trench, levers, $text .* pass$"
done
bad 'case=exercise has no groups' run same --quick --set case=exercise --set group=rate
good run figure4 --quick --threads 1
good run figure7 --quick --threads 1
for name in reach iso6015 cycle traction coast hold tipping; do
    good run $name --quick --threads 1
done
for name in reach iso6015 cycle; do
    good run $name --quick --threads 1 --set machine=excavator-8t
done

# The slot's walls are where the side plates were; how steep they are and its near end are still open.
run run slot --quick --threads 1
[ $code -eq 0 ] || [ $code -eq 3 ] || wrong "slot: exit $code: $(cat err)"
for text in 'mass lost or made on any tick' 'most particles at once' 'dug outside / swept' 'columns in fins' \
    'right wall from the plate' 'left wall from the plate'; do
    holds "loam: $text .* pass$"
done

# What must not: averaged contacts make momentum, and the plate under them feels a small part of the weight.
misses run thirdlaw --quick --solver p2
holds '^thirdlaw FAILS$'
misses run column --quick --solver p2 --set count=20 --set radius=0.05 --threads 1
holds 'plate/weight .* 0\.07'

# One object of JSON with the parameters as used; the same for any number of threads, another one for another seed.
good run thirdlaw --quick --set count=150 --json --threads 1
holds '"name": "thirdlaw"'
holds '"solver": "default"'
holds '"seed": 1'
holds '"count": 150'
holds '"tolerance": null'
holds '"pass": true$'
cp out one.json
good run thirdlaw --quick --set count=150 --json --threads 2
cmp -s out one.json || wrong "the number of threads changes the figures"
good run thirdlaw --quick --set count=150 --json --seed 2
cmp -s out one.json && wrong "the seed changes nothing"
run run contact --quick --json --set stiffness=5000 --set damping=20 --set iterations=1 --solver gs
[ $code -eq 0 ] || wrong "gs with one iteration is not implicit Euler: $(cat out)"
holds '"k 5000 c 20 r 0.05 in touch, 1 iterations'
[ "$(grep -c '"quantity"' out)" -eq 4 ] || wrong "options that were set are not the only case: $(cat out)"

# The report and the comparison.
run report out.html --quick --only thirdlaw
[ $code -eq 0 ] || wrong "report: exit $code: $(cat err)"
for text in '<!doctype html>' '<h2 id="thirdlaw">' '<svg ' '<polyline ' 'class="law"' 'class="fail"' '</html>'; do
    grep -q -e "$text" out.html || wrong "the report has no $text"
done
grep -q -i -e 'nan' -e 'inf[^o]' -e '<script' -e 'http' out.html && wrong "the report holds what it must not"
# A run that crashes is a failed experiment, and the rest goes on.
run report out.md --quick --only thirdlaw
[ $code -eq 0 ] || wrong "report out.md: exit $code: $(cat err)"
grep -q '^## thirdlaw: ' out.md || wrong "the tables have no chapter"
grep -q '^| quantity | unit | allowed | default | p2 | gs |$' out.md || wrong "the tables have no head: $(cat out.md)"
[ "$(grep -c '^| ' out.md)" -gt 2 ] || wrong "the tables have no rows"
"$spadework" report crash.html --quick --only thirdlaw --set count=1500 --threads 1 >out 2>err &
program=$!
child=
while [ -z "$child" ] && kill -0 $program 2>/dev/null; do
    child=$(ps -o pid= --ppid $program | head -1 | tr -d ' ')
done
[ -n "$child" ] && kill -KILL "$child"
wait $program
code=$?
program=
[ $code -eq 3 ] || wrong "report with a run that crashed: exit $code: $(cat err)"
grep -q 'default, seed 1: the run was ended by signal 9' crash.html || wrong "the report does not tell of a crash"
[ "$(grep -c '<figcaption>' crash.html)" -eq 2 ] || wrong "the report lost other runs with the one that crashed"
good compare thirdlaw --quick --set count=100 --threads 1
for solver in default p2 gs; do
    holds "^thirdlaw *$solver "
done
run report /nosuchfolder/out.html --quick --only thirdlaw
[ $code -eq 1 ] || wrong "report into nowhere: exit $code"
grep -q nosuchfolder err || wrong "report into nowhere: $(cat err)"

# One bound is no value with a tolerance: nothing could miss 51 +- 49.
run run dozer --quick --set part=clay --threads 1 --json
[ $code -eq 0 ] || [ $code -eq 3 ] || wrong "dozer: exit $code: $(cat err)"
tr -d '\n' <out | grep -q 'draft then over draft in the first second",[^}]*"expected": null,[^}]*"least": 2.0, *"most": null, *"judged": true, *"allowed": "at least 2"' ||
    wrong "the one bound of a result: $(cat out)"

# Wrong usage: one line that says what was read and what is allowed.
bad 'a command is missing'
bad 'unknown command fly' fly
bad 'unknown option --fast' run column --fast
bad 'unknown experiment nosuch' run nosuch
bad 'one NAME is expected' run
bad 'unknown experiment nosuch' list nosuch
bad 'unknown experiment nosuch' compare nosuch
bad 'unknown experiment nosuch' report out.html --only column,nosuch
bad 'one OUT.html or OUT.md is expected' report
bad '--only: at least one name is expected' report out.html --only ,
bad '--solver fast: allowed are default, p2, gs' run column --solver fast
bad '--seed: a value is missing' run column --seed
bad '--seed -1' run column --seed -1
bad '--seed 1x' run column --seed 1x
bad '--seed 99999999999999999999' run column --seed 99999999999999999999
bad '--threads 1000: a whole number from 0 to 256' run column --threads 1000
bad 'allowed are: count, radius, stiffness, damping' run column --set depth=1
bad 'KEY=VALUE' run column --set count
for value in nan NaN inf -inf 1e999 0x10 '' ' 10' '10 ' 10x 1,5 abc --5; do
    bad "count=$value: a number from 2 to 200 is expected" run column --set "count=$value"
done
bad 'count=1: a number from 2 to 200' run column --set count=1
bad 'radius=0.3: a number from 0.005 to 0.2' run column --set radius=0.3
bad 'count=10.5: a whole number' run column --set count=10.5
bad 'angle_deg=26.565' run incline --set angle_deg=26.565
bad 'angle_deg=25: at least 10 degrees above the friction angle of loam (30)' run cut --set soil=loam --set angle_deg=25
bad 'height=17: a number from 0 to 16' run cut --set height=17
bad 'mode=up: allowed are: both|passive|active' run wall --set mode=up
bad 'height=3: a number from 0.2 to 2' run wall --set height=3
bad 'a wall of 0.2 m: at least 3 diameters of grains of 0.1 m' run wall --set height=0.2 --set radius=0.1
bad 'beds=1.5: a whole number' run wall --set beds=1.5
bad 'phi=90: a number from 5 to 50' run footing --set phi=90
bad 'a strip of 0.1 m: at least 3 diameters of grains of 0.1 m' run footing --set width=0.1 --set radius=0.1
bad 'run takes no --only' run column --only column
bad 'report takes no --solver' report out.html --solver p2
bad 'list takes no --set' list --set count=3
bad 'needs one experiment alone' compare column contact --set count=3
exit $result
