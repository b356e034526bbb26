#!/bin/sh
# Every command that a document shows can be typed: options, commands, scenes and scripts are there (documents.py).
#   SPADEWORK  the program (default: build/release/bin/spadework)
. "$(dirname "$0")/common.inc"
command -v python3 >/dev/null || { echo "$script: python3 is missing; tests/run.sh installs it" && exit 1; }
export SOURCE_DIR="$root" SPADEWORK="$spadework"

# What the commands name: recordings, an operator's levers, orders, a control map, a class, an own scene, results.
run run trench --headless --operator auto --seconds 0.5 --threads 1 --record good.spade --trainee Ann
[ $code -eq 0 ] || wrong "no recording: $(cat err)"
run run trench --headless --operator expert --seconds 0.5 --threads 1 --record other.spade --trainee Bob
[ $code -eq 0 ] || wrong "no second recording: $(cat err)"
run export good.spade --hdf5 good.hdf5 --heights 0
[ $code -eq 0 ] || wrong "no demonstration: $(cat err)"
printf 't,boom\n0,0.2\n' >levers.csv
printf 't,fault,part,value\n0.05,pressure,,0.5\n' >orders.csv
cp "$root/data/controls/iso.yaml" my-cab.yaml
run results class add Spring Ann
run results export-class Spring class.json
run new exercise --from trench my-trench
run new course mine
[ $code -eq 0 ] || wrong "no scene of one's own: $(cat err)"
run station init Simulator
ln -s "$root/tests" tests # of commands that are typed in the repository
[ $result -eq 0 ] || exit 1

python3 "$root/tests/e2e/documents.py" "$work" --itself || result=1
# shellcheck disable=SC2046 # names without blanks
python3 "$root/tests/e2e/documents.py" "$work" $(cd "$root" && find . -path ./build -prune -o -path ./shared -prune -o \
    -name '*.md' -print | sed 's,^\./,,' | sort) || result=1
exit $result
