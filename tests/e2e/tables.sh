#!/bin/sh
# test: long
# Figures in the tables of documents are those that the commands beside them print (tables.py). Each row with a figure
# in a README and in the documents of soil and machine is compared, or stands in the list below with the reason why it
# is not.
. "$(dirname "$0")/validate.inc"
command -v python3 >/dev/null || { echo "$script: python3 is missing; tests/run.sh installs it" && exit 1; }
tables() { python3 "$root/tests/e2e/tables.py" "$spadework" "$@"; }
# finds TEXT: the table that was read last is refused with this text.
finds() {
    tables list own.md >out && wrong "passes: $1"
    grep -q -F -e "$1" out || wrong "'$1' is not in: $(cat out)"
}

cat >right.md <<'END_OF_TABLES'
| | expected | model | error | allowed | `validate run` |
|---|---|---|---|---|---|
| load that tips | 22.5 | 22.3 | -0.9 % | | `tipping` |
| force that lifts | 49.6 | 49.6 | | | the same: force that lifts |
| by hand | 9.8 | 9.9 | | | |

| | side | front | `validate run` |
|---|---|---|---|
| load | 22.3 (22.5) | 49.6 (49.6) | `tipping` |

| | `default` | `p2` | `validate run`, each with `--quick` |
|---|---|---|---|
| a sphere falls | 2e-7 | 7e-3 | `contact --set radius=0.05`: falling |

| key | meaning |
|---|---|
| a | 1 or `2` |
| b | `3` |
END_OF_TABLES
printf 'of a test\n    own.md | by hand\n    own.md | key | meaning |\n' >right
cp right.md own.md
cp right list
tables list own.md >out || wrong "tables that are right: $(cat out)"
# Faults, one each: the change to the tables, and what is found.
while IFS='@' read -r change text; do
    sed "$change" right.md >own.md
    finds "$text"
done <<'END_OF_FAULTS'
s/22\.3 |/22.6 |/@own.md:3: load that tips: 22.6 is no result of validate run tipping; near: 22.3083, side
s/ 49\.6 | | |/ 22.3 | | |/@own.md:4: force that lifts: 22.3 is no result of validate run tipping; near: 49.5955
s/-0\.9 %/+0.9 %/@own.md:3: load that tips: +0.9 % is no result
s/(22\.5)/(22.6)/@own.md:9: load: 22.6 is no result
s/49\.6 (49\.6)/22.3 (49.6)/@own.md:9: load: 22.3 is no result
s/front |/silt |/@own.md:9: load: validate run tipping has no such result for silt
s/7e-3/8e-3/@own.md:13: a sphere falls: 8e-3 is no result
s/2e-7/3e-6/@own.md:13: a sphere falls: 3e-6 is no result
4s/the same.*|/|/@own.md:4: force that lifts: neither compared with a command nor listed as unchecked
3s/ `tipping`//@own.md:4: force that lifts: no row above names a command
s/`3`/3.5/;s/| key/| name/@own.md:18: b: neither compared with a command nor listed as unchecked
/by hand/d@own.md | by hand: listed as unchecked, and no such row has a figure
END_OF_FAULTS
cp right.md own.md
printf '    own.md | b |\n' >>list
finds 'own.md | b |: listed as unchecked, and no such row has a figure'
printf '    own.md | load that tips |\n' >>list
finds 'own.md:3: load that tips: listed as unchecked, and names a command'
: >list
echo words >own.md
tables list own.md >out && wrong "documents without figures pass"

cat >list <<'END_OF_LIST'
A description: its numbers are keys, sizes and names, no results.
    README.md | camera |
    README.md | `docs/demonstrations.md`
    data/README.md | `files/` |
    machine/README.md | joint |
    soil/README.md | `parallel/` |
    trainer/README.md | `report/` |
    tests/bench/README.md | name | a step is |
    tests/bench/README.md | row | a step is |
    docs/machine-model.md | fault | value | law |
    docs/machine-model.md | | in both files |
Published measurements: truth.sh compares them.
    README.md | set | what is compared |
What an experiment does, and the published figures that it is compared with; each run prints what it allows.
    tests/validation/README.md | experiment | set-up | compared with |
    tests/validation/README.md | set | what | repeated by |
Times, and goals for times: they are of one computer.
    tests/README.md | command | what it does | time (two processors) |
    tests/bench/README.md | row | ticks of | goal p99 | p99.9 |
    docs/soil-model.md | | one thread | two threads |
    docs/machine-model.md | | rocks awake, mean | processor time of a step |
Dates and commits; recordings.sh checks what becomes of each file.
    tests/recordings/README.md | file | made by |
What a unit test of pictures prints for shaders that it damages.
    tests/golden/README.md | damage |
What an earlier build did, and a form of the solver that no option selects.
    docs/soil-model.md | substeps x visits, warm start |
    docs/soil-model.md | stands, before |
A formula, by hand.
    docs/soil-model.md | Bekker, 49.3 kPa all over |
It takes minutes: `same`, `blade` with grains of 0.0125 m, means of `blade` over four headings and three soils.
    docs/soil-model.md | | wide, slow | wide, 1 m/s |
    docs/soil-model.md | varied | blade, loam: before |
    docs/soil-model.md | | dug | delivered |
    docs/soil-model.md | 0.2 m deep, 0.1 m/s |
    docs/soil-model.md | draft over the law's |
It takes minutes: drives of 240 s by the scripted operator.
    docs/machine-model.md | | own bucket | `grading-bucket-1800` |
Values of the shipped files and of the class.
    docs/machine-model.md | | published for the class |
What a unit test measures: it asserts a bound and prints the figure.
    docs/soil-model.md | | without the two rules | with them |
    docs/soil-model.md | | expected | measured | test |
    docs/machine-model.md | `test_machine_faults`, 22 t |
    docs/machine-model.md | turn on the spot, tracks against each other, firm ground
    docs/machine-model.md | `test_machine_own_parts` |
    docs/machine-model.md | `test_machine_solids` |
    docs/machine-model.md | `test_machine_truck_body` |
    docs/machine-model.md | measured (`test_machine_rock_movers`
    docs/machine-model.md | measured (`test_machine_rock_footing`
    docs/machine-model.md | measured (`test_machine_rock_break`
    docs/machine-model.md | measured (`test_machine_lifting`
Other programs, and models.sh.
    docs/machine-model.md | checked | result |
    tests/validation/peer/README.md | | a = 0.8 |
END_OF_LIST
cd "$root" || exit 1
# shellcheck disable=SC2046 # names without blanks
tables "$work/list" docs/soil-model.md docs/machine-model.md $(find . -path ./build -prune -o -path ./shared -prune -o \
    -name README.md -print | sed 's,^\./,,' | sort) >"$work/out" || wrong "figures of documents:"
cat "$work/out"
exit $result
