#!/bin/sh
# validate's sets of published measurements: one of one's own, one that is missed, and what is wrong with such files.
. "$(dirname "$0")/validate.inc"

cat >own.yaml <<'END'
kind: measured
title: A stack of spheres
source: Newton
note: The plate feels the weight.
cases:
  - {name: plate, experiment: column, set: [count=10, radius=0.05], quantity: "10 of r = 0.05 m: plate/weight",
     measured: [0.99, 1.01], law: 0.8, quick: yes}
END
good run measured --quick --set of=own.yaml --threads 1
holds '^ *own: plate .*pass$'
holds '^ *own: plate: law  *0.8'
holds '^ *share of them nearer than the law  *1 .*pass$'
sed 's/0.99, 1.01/1.1, 1.2/' own.yaml >far.yaml
misses run measured --quick --set of=far.yaml --threads 1
# Results that are saved, and the page and the tables of them: measured, law and Spadework, what was missed and what was not run.
"$spadework" run measured --quick --set of=own.yaml --threads 1 --json >own.json || wrong "own.json: exit $?"
sed 's/0.8, quick: yes/0.5, quick: yes, unit: "of its <weight>"/; s/0.99, 1.01/1.1, 1.1/' own.yaml >missed.yaml
echo '  - {name: later, experiment: column, set: [count=12], quantity: "12 of r = 0.05 m: plate/weight", measured: [1, 2]}' >>missed.yaml
"$spadework" run measured --quick --set of=missed.yaml --threads 1 --json >missed.json
[ $? -eq 3 ] || wrong "missed.json: exit $?"
good report own.html --only measured --from own.json
good report own.md --only measured --from own.json
misses report both.html --only measured --from own.json --from missed.json
misses report both.md --only measured --from own.json --from missed.json
# has FILE TEXT...
has() {
    file=$1
    shift
    for text in "$@"; do
        grep -q -F -e "$text" $file || wrong "$file has no '$text'"
    done
}
has own.html '<section class="set" id="set-own">' 'A stack of spheres' 'Newton' 'The plate feels the weight.' 'break-before:page' \
    'class="range"' 'class="lawline"' 'class="within"' 'measured and simulated, no unit' 'classical law</span>' \
    'validate run column <span>--set count=10</span>' '</html>'
grep -q -F -e 'No classical law' own.html && wrong "own.html denies its law"
grep -q -F -e 'class="outside"' own.html && wrong "own.html misses nothing, and has a mark of it"
has both.html 'id="set-own"' 'id="set-missed"' 'class="outside"' 'of its &lt;weight&gt;' '>not run<' '>1 of 2<'
grep -q -i -e '<script' -e 'http' -e '<weight>' both.html && wrong "both.html holds what it must not"
has own.md '| own | A stack of spheres | 1 of 1 | 0 % | 20 % | 1 of 1 | plate, 0 % | plate, 0 % |' \
    '| own | plate |  | 0.99 to 1.01 | 0.8 | 1 | 0 % | within | yes |' '- **own**. Newton'
has both.md '| missed | plate | of its &lt;weight> | 1.1 | 0.5 | **1** | 9 % | **outside** | yes |' \
    '| missed | later |  | 1 to 2 | - | - | - | not run | - |' '| all | | 1 of 2 | 5 % | - | - |' '| all with a law | | 1 of 2 | 5 % | 37 % | 2 of 2 |'
# A report that runs them itself says the same, and further seeds stand beside the first.
good report ran.md --quick --only measured --set of=own.yaml --threads 1
diff own.md ran.md >differs || wrong "a saved result is reported otherwise: $(cat differs)"
"$spadework" run measured --quick --set of=own.yaml --threads 1 --seed 2 --json >second.json || wrong "second.json: exit $?"
good report seeds.md --only measured --from own.json --from second.json
has seeds.md 'seeds 1, 2' '| own | plate |  | 0.99 to 1.01 | 0.8 · 0.8 | 1 · 1 | 0 % · 0 % | within · within | yes · yes |'

# unsaved TEXT FILE...: saved results that are refused with 1 and one line on stderr that holds TEXT.
unsaved() {
    text=$1
    shift
    run report bad.html --only measured "$@"
    [ $code -eq 1 ] || wrong "$*: exit $code, 1 expected: $(cat err)"
    [ "$(wc -l <err)" -eq 1 ] || wrong "$*: not one line on stderr: $(cat err)"
    grep -q -F -e "$text" err || wrong "$*: '$text' is not in: $(cat err)"
    [ ! -e bad.html ] || wrong "$*: leaves a page"
}
# tampered TEXT SED: the same of own.json as SED changes it; its lines of a case are at their first place.
tampered() {
    sed "$2" own.json >tampered.json
    cmp -s own.json tampered.json && wrong "nothing changes: $2"
    unsaved "$1" --from tampered.json
}
unsaved 'nosuch.json' --from nosuch.json
unsaved 'own.yaml:1:4: no JSON: ' --from own.yaml
: >empty.json
unsaved 'empty.json:1:0: no JSON: ' --from empty.json
echo '[1, 2]' >list.json
unsaved 'list.json: name: read nothing, allowed is "measured"; `validate run measured --json` writes it' --from list.json
"$spadework" run column --quick --json --set count=10 --set radius=0.05 >column.json || wrong "column.json: exit $?"
unsaved 'column.json: name: read "column", allowed is "measured"' --from column.json
head -c 900 own.json >cut.json
unsaved 'no JSON: ' --from cut.json
tampered 'seed: read -1, allowed is a whole number from 0' 's/"seed": 1/"seed": -1/'
tampered 'solver: read "fast", allowed is "default"' 's/"solver": "default"/"solver": "fast"/'
tampered 'quick: read "yes", allowed is true or false' 's/"quick": true/"quick": "yes"/'
tampered 'sets: read [], allowed is a list of 1 to 1000 elements' 's/"sets": \[/"sets": [], "others": [/'
tampered 'sets.0.title: read "", allowed is a text' 's/"title": .*/"title": "",/'
tampered 'sets.0.title: read 3, allowed is a text' 's/"title": .*/"title": 3,/'
tampered 'sets.0.source: read "\u001B[2J", allowed is a text' 's/"source": .*/"source": "\\u001b[2J",/'
tampered 'sets.0.cases: read {}, allowed is a list of 1 to 24' 's/"cases": \[/"cases": {}, "others": [/'
tampered 'sets.0.cases.0.scatter: read 1.5, allowed is a number from 0 to 1' 's/"scatter": 0.0/"scatter": 1.5/'
tampered 'sets.0.cases.0.per: read 0, allowed is a number from 1e-06 to 1e+06' 's/"per": 1.0/"per": 0/'
tampered 'sets.0.cases.0.figure: read "1", allowed is a number or null' 's/"figure": .*/"figure": "1",/'
tampered 'sets.0.cases.0.law: read nothing, allowed is a number or null' 's/"law": 0.8/"laws": 0.8/'
tampered 'sets.0.cases.0.ran: read 1, allowed is true or false' 's/"ran": true/"ran": 1/'
tampered 'sets.0.cases.0.options: read [3], allowed is a list of texts' 's/"options": \[/"options": [3], "others": [/'
tampered 'sets.0.cases.0.measured: read [2,1], allowed is null, or least and most above 0' 's/"measured": \[/"measured": [2, 1], "others": [/'
tampered 'sets.0.cases.0.measured: read [0,1], allowed is null, or least and most above 0' 's/"measured": \[/"measured": [0, 1], "others": [/'
tampered 'no JSON: real number overflow' 's/"figure": .*/"figure": 1e999,/'
tampered 'no JSON: duplicate object key' 's/"ran": true/"ran": true, "ran": true/'
# Files that do not belong together.
unsaved 'own.json: sets.0.set: read "own" of seed 1, which a file before it has' --from own.json --from own.json
sed 's/"quick": true/"quick": false/' second.json >full.json
unsaved 'full.json: quick: read false, allowed is true as in the file before' --from own.json --from full.json
sed 's/"scatter": 0.0/"scatter": 0.1/' second.json >other.json
unsaved 'other.json: own: scatter of plate differs from that of a file before' --from own.json --from other.json
bad '--from own.json: nothing is run, so --seeds, --quick and --awake' report bad.html --only measured --quick --from own.json
bad 'run takes no --from' run measured --from own.json
bad '--from own.json: saved results are those of measured' report bad.html --only column --from own.json
bad '--from own.json: saved results are those of measured' report bad.html --only measured --set of=own.yaml --from own.json

# refused TEXT SET: must end with 1, a bad file, and leave one line on stderr that holds TEXT.
refused() {
    run run measured --quick --set of="$2"
    [ $code -eq 1 ] || wrong "$2: exit $code, 1 expected: $(cat err)"
    [ "$(wc -l <err)" -eq 1 ] || wrong "$2: not one line on stderr: $(cat err)"
    grep -q -F -e "$1" err || wrong "$2: '$1' is not in: $(cat err)"
}
# spoilt TEXT SED: what is said of a set that SED spoils.
spoilt() {
    sed "$2" own.yaml >spoilt.yaml
    refused "$1" spoilt.yaml
}
spoilt 'spoilt.yaml:6:31: cases.0.experiment: read columns' 's/experiment: column/experiment: columns/'
spoilt 'cases.0.measured: read 1.01 to 0.99' 's/0.99, 1.01/1.01, 0.99/'
spoilt 'cases.0.measured: read -1, allowed are figures above 0' 's/0.99, /-1, /'
spoilt 'cases.0.over: read plate, allowed is the name of another case' 's/law: 0.8/over: plate/'
spoilt 'cases.0.scatter: read 2, allowed 0 to 1' 's/law: 0.8/scatter: 2/'
spoilt '0 results of column are called "10 of r = 0.05 m: plates"' 's/plate.weight/plates/'
spoilt 'plate: --set count=1: a number from 2 to 200' 's/count=10/count=1/'
spoilt 'cases.0.unit: ' 's/law: 0.8/unit: a unit whose name is far too long/'
spoilt 'speed' 's/law: 0.8/speed: 3/'
sed 's/law: 0.8/law_quantity: "10 of r = 0.05 m: plate\/weight", over: other/' own.yaml >undivided.yaml
echo '  - {name: other, experiment: column, set: [count=12, radius=0.05], quantity: "12 of r = 0.05 m: plate/weight"}' >>undivided.yaml
refused 'other, by which it is divided, has no law_quantity' undivided.yaml
# A fault of a case that the quick form leaves out is found, too.
sed 's/quick: yes/quick: no/; s/count=10/count=1/' own.yaml >late.yaml
refused 'plate: --set count=1: a number from 2 to 200' late.yaml
refused 'no set named nosuch; there are bucket-fill, dozing, draft-against-rake,' nosuch
refused 'nosuch.yaml: cannot be read' nosuch.yaml
# Each shipped set can be read, and all its cases have options and soils that there are; none of these has a quick case.
for set in dozing draft-against-rake draft-by-speed excavator-work heap-before-blade repose round-plates slip-sinkage slope-slip swell track-sinkage upright-disc; do
    [ -e "$root/tests/validation/measured/sets/$set.yaml" ] || wrong "the set $set is missing"
    run run measured --quick --set of=$set
    [ $code -eq 3 ] || wrong "$set: exit $code: $(cat err)"
done
run run shear --quick --set soil=nosuch
[ $code -eq 1 ] || wrong "a soil that there is not: exit $code"
grep -q 'soil=nosuch: no soil named nosuch in .*loam' err || wrong "a soil that there is not: $(cat err)"
exit $result
