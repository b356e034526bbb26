#!/bin/sh
# Results by the command line: what is kept of a drive and what is not, lists, classes, a trainee deleted with all that is
# his, and that no drive is kept unasked without a window.
#   SPADEWORK  the program (default: build/release/bin/spadework)
. "$(dirname "$0")/common.inc"

db=$XDG_DATA_HOME/spadework/results.db
recordings=$XDG_DATA_HOME/spadework/recordings

# exits CODE ARGS...: what it ends with; its one line is in err.
exits() {
    wanted=$1
    shift
    run "$@"
    [ "$code" -eq "$wanted" ] || wrong "$*: exit code $code instead of $wanted: $(head -n 2 err)"
    [ "$wanted" -eq 0 ] || [ "$(wc -l <err)" -eq 1 ] || wrong "$*: not one line: $(cat err)"
}

# says TEXT: it stands in out or err.
says() {
    grep -qF -- "$1" out err || wrong "not told: $1, but: $(head -n 3 out err)"
}

# 1. Nothing is kept unasked; a list of nothing is empty.
exits 0 run free --headless --operator auto --seconds 0.2
[ ! -e "$XDG_DATA_HOME/spadework" ] || wrong "a run without a window was kept unasked"
exits 0 results
says "no attempts"
exits 1 results --results none.db
[ ! -e none.db ] || wrong "a list made a file"

# 2. Asked for: by trainee, into the user's file; by --results, into another.
exits 0 run trench --headless --operator auto --seconds 0.5 --trainee "Ada L" --record ada.spade
exits 0 run free --headless --operator auto --seconds 0.2 --results other.db
exits 0 results --trainee "Ada L"
says "Ada L"
says "$work/ada.spade"
exits 0 results --results other.db --csv
[ "$(wc -l <out)" -eq 2 ] || wrong "not a head and one row: $(wc -l <out) lines"
exits 0 results --json
says '"recording_xxh3"'
exits 0 results --xapi
says '"version": "1.0.3"'
exits 2 results --trainee Bo
exits 2 results --class Spring
exits 2 results --json --csv
exits 2 results trainees --csv
exits 2 results frobnicate
exits 2 results class add Spring
exits 2 run free --headless --seconds 0.1 --trainee "$(printf 'a\tb')"
echo "not results" >text.db
exits 1 run free --headless --seconds 0.1 --results text.db
[ "$(cat text.db)" = "not results" ] || wrong "a foreign file was changed"

exits 0 run free --headless --operator auto --seconds 0.1 --trainee "Ada L" --course excavator
[ "$(sqlite3 "$db" "select count(*) from attempt where course = 'excavator'")" = 1 ] || wrong "the course is not kept"
exits 0 results courses --trainee "Ada L"
exits 2 run free --headless --seconds 0.1 --trainee "Ada L" --course a/b

# Proven by replaying the recordings; an edited figure, name or recording is found, one that is gone is told.
cp "$db" proof.db
sqlite3 proof.db "delete from attempt where recording = ''"
exits 0 results verify --results proof.db
says "attempts are proven"
sqlite3 proof.db "update attempt set score = 99.5"
exits 3 results verify --results proof.db
says "the results say 99.5 points"
cp "$db" proof.db
sqlite3 proof.db "update trainee set name = 'Bo'"
exits 3 results verify --results proof.db
says "is of another trainee"
cp "$db" proof.db
sqlite3 proof.db "update attempt set recording_seal = '00' where recording <> ''"
exits 3 results verify --results proof.db
says "by its seal"
mv ada.spade gone.spade
exits 3 results verify --results proof.db
says "its recording is gone"
mv gone.spade ada.spade

# A class is proven by processes beside each other and told in the order of the results, with the one that does not fit.
for n in 1 2 3 4 5; do
    exits 0 run free --headless --operator auto --seconds 0.3 --trainee "T$n" --record "t$n.spade" --results class.db
done
exits 0 results verify --results class.db
says "5 of 5 attempts are proven"
sqlite3 t3.spade "update metric set value = value + 1 where name = 'score'"
exits 3 results verify --results class.db
says "4 of 5 attempts are proven"
[ "$(sed '$d' out | awk '{ print $2 }' | tr '\n' ' ')" = "T1 T2 T3 T4 T5 " ] || wrong "proofs are out of order: $(cat out)"
[ "$(grep -c '  proven' out)" = 4 ] && grep -q 'T3 .*t3.spade: ' out || wrong "not the third one alone: $(cat out)"

# 3. Classes, and a picture.
exits 0 results class add Spring "Ada L"
exits 0 results export-class Spring spring.json
exits 0 results import-class spring.json --results third.db
says "1 trainees, 2 new attempts"
exits 0 results trainees --class Spring --results third.db
says "Ada L"
exits 0 results progress "Ada L" ada.png
exits 2 results progress "Ada L" ada.gif
exits 0 results progress "Ada L" course.png --course excavator
exits 2 results progress "Ada L" other.png --course dozer
exits 1 results progress "Ada L" other.png --course nowhere
exits 2 results trainees --course excavator
echo '{"format":' >bad.json
exits 1 results import-class bad.json --results third.db
says "bad.json:"
printf '{"format":\n "Andr\351"}' >bad.json
exits 1 results import-class bad.json --results third.db
says "bad.json:2:7: read the byte 0xE9, which is no character, allowed text (UTF-8)"
printf '{"format":\n \0}' >bad.json
exits 1 results import-class bad.json --results third.db
says "bad.json:2:2: read a NUL byte (0x00)"

# 4. A person in the window is recorded and kept without asking, or not when that is not wanted.
export SDL_VIDEODRIVER=offscreen
exits 0 run free --seconds 0.5 --mute --no-record
[ ! -e "$recordings" ] || wrong "--no-record recorded"
exits 0 run trench --seconds 0.5 --mute --trainee "Ada L"
set -- "$recordings"/trench-*-*-*-*.spade
[ -f "$1" ] || wrong "a person's drive was not recorded"
exits 0 results --scene trench
says "$1"
exits 0 replay "$1" --verify
mkdir -p "$XDG_CONFIG_HOME/spadework"
printf 'kind: settings\nrecordings:\n  limit_gb: -1\n' >"$XDG_CONFIG_HOME/spadework/settings.yaml"
exits 0 run free --seconds 0.2 --mute
says "settings.yaml:3:13: recordings.limit_gb: read -1"
exits 1 check "$XDG_CONFIG_HOME/spadework/settings.yaml"
rm "$XDG_CONFIG_HOME/spadework/settings.yaml"
unset SDL_VIDEODRIVER

# 5. He goes with all that is his; a recording elsewhere is named and left.
exits 0 results delete "Ada L"
says "deleted $1"
says "left, since it is not in the folder of recordings: $work/ada.spade"
[ ! -e "$1" ] || wrong "his recording is still there"
[ -e ada.spade ] || wrong "a recording outside the folder was deleted"
[ "$(sqlite3 "$db" "select count(*) from attempt where trainee is not null")" = 0 ] || wrong "attempts are left"
grep -qF "Ada L" "$db" && wrong "his name is still in the file"
exits 2 results delete "Ada L"
exit $result
