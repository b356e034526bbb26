#!/bin/sh
# Each exercise is what it says: who does it well has at least 90 points and passes, who does nothing fails, and three clumsy runs lie between
# in the order of their clumsiness; a run can be repeated to the last digit, on one thread or two.
#   EXERCISES  scenes to try, names or files (default: a small one of targets; "all": every shipped one that names an expert, minutes each)
. "$(dirname "$0")/common.inc"
exercises=${EXERCISES:-$root/tests/support/targets.yaml}
[ "$exercises" != all ] || exercises=$(grep -l '^  expert:' "$root"/data/scenes/*.yaml | sed 's,.*/,,; s,\.yaml$,,')

# value FILE KEY: a number or a word of a summary.
value() {
    sed -n "s/^ *\"$2\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$1" | head -1
}

less() {
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a + 0 < b + 0) }'
}

# drive NAME ARGS...: runs the present exercise to its end; the summary is NAME.json.
drive() {
    name=$1
    shift
    run run "$scene" --headless --json "$@"
    mv out "$name.json"
    [ $code -eq 0 ] || wrong "$scene, $name: exit $code: $(cat err)"
}

for scene in $exercises; do
    case $scene in
    */*) file=$scene ;;
    *) file=$root/data/scenes/$scene.yaml ;;
    esac
    limit=$(sed -n 's/^  time_limit: *\([0-9]*\).*/\1/p' "$file")
    printf 't,swing\n0,0\n%d,0\n' "$((limit + 20))" >idle.csv
    drive idle --operator idle.csv
    drive expert --operator expert
    for clumsy in 0.2 0.5 0.8; do
        drive "clumsy-$clumsy" --operator expert --clumsy $clumsy --threads 1
    done
    drive again --operator expert --clumsy 0.2 --threads 2
    above=101
    by=''
    grep -q '^  expert: auto' "$file" || by=', by its expert'
    row="| \`$(basename "$scene" .yaml)\`$by"
    for name in expert clumsy-0.2 clumsy-0.5 clumsy-0.8; do
        score=$(value $name.json score)
        echo "$scene: $name $score points, $(value $name.json time_s) s"
        row="$row | $(LC_ALL=C printf '%.1f (%.0f s)' "$score" "$(value $name.json time_s)")"
        less "$score" "$above" || wrong "$scene: $name has $score points, not less than $above"
        above=$score
    done
    echo "$row |" # of docs/scripted-operators.md
    idle=$(value idle.json score)
    echo "$scene: idle $idle points"
    less "$idle" "$above" || wrong "$scene: who does nothing has $idle points, clumsy hands $above"
    [ "$(value idle.json passed)" = false ] || wrong "$scene: who does nothing passes"
    less 89.999 "$(value expert.json score)" || wrong "$scene: its expert has less than 90 points"
    [ "$(value expert.json passed)" = true ] || wrong "$scene: its expert does not pass"
    [ "$(value again.json score)" = "$(value clumsy-0.2.json score)" ] && [ "$(value again.json hash)" = "$(value clumsy-0.2.json hash)" ] ||
        wrong "$scene: a repeated run differs"
done
exit $result
