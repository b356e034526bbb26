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
