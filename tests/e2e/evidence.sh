#!/bin/sh
# test: long
# What a recording proves, as who grades by it sees it: forged figures, names and events in each command, rows that are slipped
# in during a drive, a reader who holds the file, a drive that is still going on, names that would be commands.
. "$(dirname "$0")/common.inc"
command -v sqlite3 >/dev/null || { echo "evidence.sh: sqlite3 is missing; tests/run.sh installs it" && exit 1; }

# exits CODE ARGS...
exits() {
    wanted=$1
    shift
    run "$@"
    [ $code -eq "$wanted" ] || wrong "$*: exit $code, $wanted expected: $(cat out err)"
}
# holds FILE WORDS; lacks FILE WORDS
holds() {
    grep -q -- "$2" "$1" || wrong "$1 has no '$2': $(head -c 600 "$1")"
}
lacks() {
    grep -q -- "$2" "$1" && wrong "$1 has '$2': $(grep -- "$2" "$1" | head -n 2)"
}

# A signed recording is whole, and every command says so.
exits 0 station init "Simulator 3"
exits 0 run controls-targets --headless --operator expert --seconds 6 --trainee Ann --record good.spade --results r.db
seal="whole; sealed, signed by Simulator 3"
exits 0 replay good.spade --verify --signed
exits 0 check good.spade
holds out "good.spade: good: $seal"
exits 0 check good.spade --json
holds out '"state": "whole"'
exits 0 rescore good.spade
holds out "$seal"
exits 0 rescore good.spade --json
holds out '"trusted_station": "Simulator 3"'
exits 0 export good.spade --events good.csv
holds out "good.spade: $seal"
exits 0 export good.spade --events good2.csv --json
holds out '"signed_by": "Simulator 3"'
exits 0 report good.spade --no-compare -o good.html --pdf good.pdf
holds out "recording *$seal"
holds good.html "Recording: $seal"
holds good.html 'class="score"'
exits 0 report good.spade --no-compare -o german.html --language de
holds german.html "Aufzeichnung: vollständig; versiegelt, unterschrieben von Simulator 3"
exits 0 results verify --results r.db
holds out "proven: $seal"

# forged NAME SQL WORDS: a copy with the change is told as changed by every command, without a score, with exit 3.
forged() {
    cp good.spade lie.spade
    rm -f lie.html lie.pdf lie.csv
    sqlite3 lie.spade "$2" || wrong "sqlite3: $2"
    exits 3 replay lie.spade --verify
    exits 3 check lie.spade
    holds err "is not what was recorded: $3"
    exits 3 check lie.spade --json
    holds out '"state": "changed"'
    exits 3 rescore lie.spade
    lacks out "Passed"
    holds err "is not what was recorded: $3"
    exits 3 rescore lie.spade --json
    holds out '"state": "changed"'
    lacks out '"after"'
    exits 3 export lie.spade --events lie.csv --csv levers.csv
    [ ! -e lie.csv ] && [ ! -e levers.csv ] || wrong "$1: an export of a changed recording was written"
    exits 3 report lie.spade --no-compare -o lie.html --pdf lie.pdf
    holds err "changed after it was recorded: $3"
    holds lie.html "changed after it was recorded: $3"
    holds lie.html "nothing of it is scored"
    lacks lie.html 'class="score"'
    lacks lie.html "<h2>"
    lacks lie.html "<img"
    lacks lie.html "assed with"
    [ "$(head -c 4 lie.pdf)" = "%PDF" ] || wrong "$1: no PDF"
    exits 3 replay lie.spade --list-marks
    [ ! -s out ] || wrong "$1: marks of a changed recording are listed: $(cat out)"
    exits 3 resume lie.spade --at 1 --headless --seconds 0.1
    exits 3 run controls-targets --headless --seconds 0.1 --ghost lie.spade --shot ghost.png
}
forged score "update metric set value = 97 where name = 'score'; update metric set value = 1 where name = 'passed'" \
    "rows were changed in table metric"
forged trainee "update meta set value = 'Bob' where key = 'trainee'" "rows were changed in table meta (seal 0)"
forged event "delete from event" "rows were changed in table event"
forged message "insert into event select * from event limit 1" "rows were added to table event"
cp r.db proof.db
cp good.spade kept.spade
sqlite3 good.spade "update metric set value = 97 where name = 'score'"
exits 3 results verify --results proof.db
holds out "is not what was recorded: rows were changed in table metric"
mv kept.spade good.spade
exits 1 check good.spade nosuch.spade
cp good.spade more.spade
sqlite3 more.spade "insert into meta values ('instructor', 'Mr Smith')"
exits 1 check more.spade
holds err "meta has the key instructor, which no recording has"

# A report compares with no run that was changed.
cp good.spade lie.spade
sqlite3 lie.spade "update metric set value = 97 where name = 'score'"
exits 3 report good.spade lie.spade -o good.html

# One that ends at a seal is whole up to there, and no end of an examination.
last=$(sqlite3 good.spade "select number from seal where number = 5")
cp good.spade cut.spade
sqlite3 cut.spade "delete from seal where number > $last; delete from input where tick >= 150; delete from state where tick > 150;
    delete from trace where tick > 150; delete from keyframe where tick > 150; delete from ground where tick > 150;
    delete from metric; delete from event where tick > 150; delete from picture"
exits 0 replay cut.spade --verify
holds out "sealed, and cut short, signed by Simulator 3"
exits 3 replay cut.spade --verify --signed
holds err "is signed, and cut short: its end is not proven"
exits 0 check cut.spade
holds out "cut short: its drive did not end in good order"
exits 0 report cut.spade --no-compare -o cut.html
holds cut.html "cut short: its drive did not end in good order"
lacks cut.html 'class="score"'
exits 1 rescore cut.spade

# Another program reads for longer than a commit waits, while it is driven and when it ends: nothing is lost, and it is told why.
begin() {
    rm -f live.spade
    "$spadework" run trench --headless --operator auto --seconds "$1" --trainee Ann --record live.spade >out 2>err &
    program=$!
    tries=0
    until [ "$(sqlite3 -readonly live.spade 'select count(*) > 60 from input' 2>/dev/null)" = 1 ] || [ $tries -gt 300 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
}
begin 20
{
    echo "begin; select count(*) from meta;"
    sleep 2
} | sqlite3 live.spade >/dev/null
ended 0
holds err "another program reads its file or has locked it; what is driven waits in memory"
holds err "the recording goes on"
lacks err "disk"
exits 0 replay live.spade --verify
holds out "verified 1200 ticks"
begin 3
{
    echo "begin; select count(*) from meta;"
    sleep 15
} | sqlite3 live.spade >/dev/null &
reader=$!
ended 0
wait $reader
exits 0 replay live.spade --verify
holds out "verified 180 ticks"

# While it is driven each command reads one moment and says that it goes on; a signature does not make it an end.
begin 300
for k in 1 2 3; do
    exits 0 replay live.spade --verify --from 0
    holds out "sealed, and being recorded, signed by Simulator 3"
    exits 0 check live.spade
    holds out "being recorded"
    exits 0 export live.spade --events "live$k.csv"
    holds out "being recorded"
    exits 0 report live.spade --no-compare -o live.html
    holds live.html "being recorded"
    lacks live.html 'class="score"'
    exits 1 rescore live.spade
    holds err "it is being recorded"
    exits 0 replay live.spade --list-marks
done
exits 3 replay live.spade --verify --signed
holds err "still being recorded"
kill -INT "$program"
ended 0
exits 0 replay live.spade --verify --signed

# What another program puts in during a drive is found, and told at once.
begin 300
sqlite3 -cmd '.timeout 5000' live.spade "insert into metric values ('score', 'points', 97)" || wrong "nothing could be slipped in"
sleep 2
kill -INT "$program"
ended 0
holds err "another program wrote into the recording: it will count as changed"
exits 3 replay live.spade --verify --signed
exits 3 check live.spade
holds err "another program wrote into it while it was recorded"

# Names out of a file are no commands. (The recording of a stranger, who makes its seals anew: here by not asking for them.)
cp good.spade 'it'"'"'s; touch here.spade'
exits 0 report 'it'"'"'s; touch here.spade' --no-compare -o odd.html
holds odd.html "spadework replay &#39;it&#39;\\\\&#39;&#39;s; touch here.spade&#39; --from S"
cp good.spade inj.spade
sqlite3 inj.spade "update meta set value = 'trench; touch ; #' where key = 'scene'"
exits 3 report inj.spade -o inj.html
lacks inj.html "This makes one"
lacks err "This makes one"
exits 3 replay inj.spade --verify
exits 0 new exercise --from trench -o './my $(id).yaml'
holds out "spadework run './my \$(id).yaml'"
rm -f './my $(id).yaml'

# What cannot be seen, or turns what follows, is refused where names come in.
rlo=$(printf 'Ann \342\200\256bob')
esc=$(printf 'Ann \033[2Jbob')
c1=$(printf 'Ann \302\2332Jbob')
raw=$(printf 'Ann \377bob')
for name in "$rlo" "$esc" "$c1" "$raw" '  '; do
    exits 2 run trench --headless --seconds 0.1 --trainee "$name"
    exits 2 run trench --headless --seconds 0.1 --trainee Ann --course "$name"
    exits 2 results class add "$name" Ann
    exits 2 results class add Spring "$name"
    exits 2 station trust 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff "$name"
    run run trench --headless --seconds 0.1 --set "title=$name"
    [ $code -ne 0 ] || wrong "the title '$name' is taken"
    run new exercise --from trench mine --title "$name"
    [ $code -ne 0 ] || wrong "a scene is made with the title '$name'"
    LC_ALL=C grep -q "$(printf '[\033\377]\|\342\200\256\|\302\233')" out err && wrong "the name itself is printed: $name"
done
cp good.spade turned.spade
printf '1.0 Ann \342\200\256bob\n' >turned.spade.marks
exits 1 replay turned.spade --list-marks
holds err "turned.spade.marks:1:5: read U+202E"

[ $result -eq 0 ] && echo "evidence.sh: what was changed is told everywhere, and nothing that was driven is lost"
exit $result
