#!/bin/sh
# Events in the language and the units of who reads: texts and names that an instructor wrote come out byte for byte, in the
# debrief, the list of marks and the table of events, also where they look like numbers, units or sentences of the program.
. "$(dirname "$0")/common.inc"

mkdir -p "$XDG_CONFIG_HOME/spadework"
printf 'kind: settings\nwindow: {units: imperial}\n' >"$XDG_CONFIG_HOME/spadework/settings.yaml"

# holds FILE TEXT: the text stands in the file as it is.
holds() {
    grep -q -F -- "$2" "$1" || wrong "$1 lacks: $2"
}

# lacks FILE PATTERN
lacks() {
    ! grep -E -- "$2" "$1" >found || wrong "$1 has: $(head -n 3 found | cut -c1-200)"
}

# A step that begins with a number, and whose next word is no unit.
step='8 answers are to be given before you climb up'
sed "s/text: Answer all questions,/text: $step,/" "$root/data/scenes/walk-round.yaml" >walk.yaml
holds walk.yaml "$step"
run run ./walk.yaml --headless --operator expert --seconds 60 --record walk.spade
[ $code -eq 0 ] || wrong "the walk: exit $code: $(cat err)"
run report walk.spade -o walk.html
[ $code -eq 0 ] || wrong "report: exit $code: $(cat err)"
holds walk.html "step 1 done: $step<"
holds walk.html 'target 1 of 4 after 47.6 s, 3 in from its middle'
run replay walk.spade --list-marks
holds out "step 1 done: $step"
holds out 'right: Walk once round it and look'
LANGUAGE=de LANG=C.UTF-8 run report walk.spade -o gehen.html
holds gehen.html "Schritt 1 getan: $step<"

# A fixture whose name has words of the program's sentences, hit harder than 13.6 kJ, in feet and in German.
sed 's/name: wall,/name: hut at gate,/' "$root/data/scenes/tight-site.yaml" >hut.yaml
printf 't,swing\n0,1\n8,1\n20,0\n' >swing.csv
run run ./hut.yaml --headless --operator swing.csv --seconds 5 --record hut.spade
[ $code -eq 0 ] || wrong "the hut: exit $code: $(cat err)"
LANGUAGE=de LANG=C.UTF-8 run report hut.spade -o hut.html
[ $code -eq 0 ] || wrong "report: exit $code: $(cat err)"
grep -q 'Löffel berührt hut at gate mit [0-9]*,[0-9] ft/s, [0-9]* lbf s, [0-9][0-9][0-9][0-9][0-9] ft lbf<' hut.html ||
    wrong "the touch is told so: $(grep -o '[^>]*hut at gate[^<]*' hut.html)"
lacks hut.html '[0-9]e[+-][0-9]|hut mit gate| at [0-9]'
# The terminal and files have English and SI, whatever the reader's language.
LANGUAGE=de LANG=C.UTF-8 run replay hut.spade --list-marks
grep -q 'touched something: bucket touches hut at gate at [0-9.]* m/s, [0-9.]* kN s, [0-9.]* kJ (-2.0 points)' out ||
    wrong "the touch in the list of marks: $(cat out)"
LANGUAGE=de LANG=C.UTF-8 run export hut.spade --events events.csv
grep -q '^"touch",.*,"bucket","hut at gate",.*,"bucket touches hut at gate at [0-9.]* m/s,' events.csv ||
    wrong "the touch in the table: $(cat events.csv)"
# In the recording it is data: no sentence.
sqlite3 -readonly hut.spade "SELECT kind, form, detail, part, thing_kind, thing_index, thing FROM event WHERE kind = 'touch'" >row
holds row 'touch|||bucket|fixture|0|hut at gate'

exit $result
