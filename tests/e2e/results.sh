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
exits 1 run free --headless --seconds 0.1 --trainee "Ada L" --course a/b

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

# What an instructor says of an attempt belongs to it and not to its recording, which stays what it was; what was changed
# for a drive is said, too, and taken along by a takeover.
exits 0 run free --headless --seconds 0.3 --trainee Cy --set weather.time=22 --record night.spade --results remarks.db
exits 0 run free --headless --seconds 0.3 --trainee Cy --set weather.time=22 --set ground.layers.0.soil=sand --record sandy.spade --results remarks.db
before=$(sha256sum <sandy.spade)
exits 0 results comment sandy.spade 'Look behind you, "Cy"' --results remarks.db
exits 0 results grade last B+ --trainee Cy --results remarks.db
exits 0 results --results remarks.db
says "changed for this drive: weather.time=22; ground.layers.0.soil=sand (points are not comparable with those of the scene)"
[ "$(grep -c 'not comparable' out)" = 1 ] || wrong "the night alone is no other exercise: $(cat out)"
says '    comment: Look behind you, "Cy"'
says '    grade: B+'
exits 0 results --results remarks.db --json
says '"comparable": false'
exits 0 results --results remarks.db --csv
says ',weather.time=22; ground.layers.0.soil=sand,0,"Look behind you, ""Cy""",B+,'
exits 0 results --results remarks.db --xapi
says '"urn:spadework:grade": "B+"'
[ "$(sha256sum <sandy.spade)" = "$before" ] || wrong "a comment changed the recording"
exits 0 report sandy.spade -o sandy.html --pdf sandy.pdf --results remarks.db
grep -q '>Look behind you, &quot;Cy&quot;<' sandy.html && grep -q '>B+<' sandy.html || wrong "the debrief has no comment: $(grep -o 'Look behind.\{30\}' sandy.html)"
grep -q 'the points are not comparable with others of this scene' sandy.html || wrong "the debrief does not say what was changed"
exits 0 results verify --results remarks.db
exits 0 replay sandy.spade --verify
exits 0 resume sandy.spade --at 0.1 --headless --seconds 0.2 --trainee Cy --record sandy-2.spade --results remarks.db
[ "$(sqlite3 remarks.db "select count(*) from attempt where changed like '%=sand'")" = 2 ] || wrong "a takeover forgets what was changed"
exits 0 results add sandy.spade --results added.db
[ "$(sqlite3 added.db "select changed from attempt")" = 'weather.time=22; ground.layers.0.soil=sand' ] || wrong "a recording does not say what was changed"
exits 0 results class add Night Cy --results remarks.db
exits 0 results export-class Night night.json --results remarks.db
exits 0 results import-class night.json --results there.db
exits 0 results comment last 'Later: good' --results remarks.db
sqlite3 remarks.db "update attempt set commented = '2099-01-01T00:00:00Z' where comment <> ''"
exits 0 results export-class Night later.json --results remarks.db
exits 0 results import-class later.json --results there.db
exits 0 results --results there.db
says 'comment: Later: good'
says 'grade: B+'
sed 's/"grade": "B+"/"grade": "sixteen bytes .."/' night.json >bad.json
exits 1 results import-class bad.json --results fourth.db
says 'attempts[1].grade: read "sixteen bytes ..", allowed 0..15 bytes'
exits 0 results comment last '' --results remarks.db
exits 2 results grade last 'sixteen bytes ..' --results remarks.db
says 'grade: read 16 bytes'
exits 2 results comment nosuch.spade good --results remarks.db
says 'there is no attempt nosuch.spade'
exits 2 results comment last --results remarks.db

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

# 5. He goes with all that is his; a recording elsewhere is named and left. What would be done is told before.
exits 0 results delete "Ada L" --dry-run
says "would delete $1"
says "would be deleted from these results"
[ -e "$1" ] || wrong "a dry run deleted a recording"
exits 0 results --trainee "Ada L"
exits 2 results trainees --dry-run
exits 2 results courses --yes
exits 2 results delete Nobody --dry-run
cp "$1" "$recordings/trench-2026-01-01-000000.spade" # bears his name, and no attempt knows it
exits 0 results delete "Ada L"
says "deleted $1"
says "deleted $recordings/trench-2026-01-01-000000.spade"
says "left, since it is not in the folder of recordings: $work/ada.spade"
says "recordings that bear the name are left, see above"
grep -qF "with all results" out && wrong "it claims more than it did"
[ ! -e "$1" ] || wrong "his recording is still there"
[ -e ada.spade ] || wrong "a recording outside the folder was deleted"
[ "$(sqlite3 "$db" "select count(*) from attempt where trainee is not null")" = 0 ] || wrong "attempts are left"
grep -qF "Ada L" "$db" && wrong "his name is still in the file"
exits 2 results delete "Ada L"
exits 0 results import-class spring.json # from before he was deleted
says "0 trainees, 0 new attempts"
says "left out: 2 attempts that began before their trainees were deleted here, 1 of the trainees (Ada L); --restore brings them back"
exits 0 results import-class spring.json --restore
says "1 trainees, 2 new attempts"

# 6. A list that is left open in a pager holds up nobody; another program that holds the file costs no attempt.
big=big.db
awk 'BEGIN { print "{\"format\":\"spadework-class\",\"version\":1,\"class\":\"Big\",\"trainees\":[{\"name\":\"Ann\",\"attempts\":["
    for (n = 0; n < 3000; n++) printf "%s{\"uuid\":\"%08x-0000-4000-8000-000000000000\",\"scene\":\"trench\",\"started\":\"2026-01-01T10:00:00Z\",\"duration_s\":1,\"points\":1,\"passed\":false,\"finished\":true,\"end\":\"done\",\"metrics\":[],\"scores\":[]}\n", (n ? "," : ""), n
    print "]}]}" }' >big.json
exits 0 results import-class big.json --results $big
mkfifo pager
"$spadework" results --results $big >pager 2>listerr &
lists=$!
exec 3<pager
read -r line <&3 # as a pager that has shown its first page
exits 0 run free --headless --operator auto --seconds 0.2 --trainee Locky --results $big
[ ! -s err ] || wrong "a reader is told of: $(cat err)"
cat <&3 >rest
exec 3<&-
wait $lists || wrong "the list ended with $?: $(cat listerr)"
[ "$(wc -l <rest)" -eq 3000 ] || wrong "the list has $(wc -l <rest) lines behind its first"
exits 0 results --results $big --trainee Locky
says "Locky"
# Somebody who has a transaction open. The drive waits 5 s for him, and its attempt for longer.
mkfifo hold
sqlite3 $big <hold >held &
holder=$!
exec 4>hold
echo "begin; select count(*) from attempt;" >&4
for _ in $(seq 100); do
    [ -s held ] && break
    sleep 0.1
done
exits_told() { # the drive is good, and says where its attempt is
    run "$@"
    [ "$code" -eq 0 ] || wrong "$*: exit code $code: $(cat err)"
    says "the attempt waits in $XDG_DATA_HOME/spadework/waiting/"
}
exits_told run free --headless --operator auto --seconds 0.2 --trainee Locky --results $big
exec 4>&-
wait $holder
exits 0 results --results $big --trainee Locky --json
says "1 attempt that waited for the results is stored now"
[ "$(grep -c '"uuid"' out)" -eq 2 ] || wrong "not both attempts are there: $(grep -c '"uuid"' out)"
[ -z "$(ls "$XDG_DATA_HOME/spadework/waiting")" ] || wrong "what was stored waits on"

# 7. A recording gives its attempt to results that lack it, once; a changed one gives none.
exits 0 run free --headless --operator auto --seconds 0.3 --trainee Cy --record cy.spade
exits 0 results add cy.spade --results added.db
says "A scripted run under a trainee's name: it passes nothing"
says "1 of 1 recordings added"
exits 0 results verify --results added.db
exits 0 results --json --results added.db
says '"driver": "auto"'
says '"counts": false'
run results add cy.spade --results added.db
[ $code -eq 1 ] || wrong "a double is taken: $code"
says "is among the results already"
cp cy.spade changed.spade
sqlite3 changed.spade "update meta set value = 'Di' where key = 'trainee'"
exits 0 run free --headless --operator auto --seconds 0.3 --record nobody.spade --results other2.db
run results add changed.spade nobody.spade --results added.db
[ $code -eq 3 ] || wrong "a changed recording is taken: $code: $(cat err)"
says "1 of 2 recordings added"
exits 2 results add
exits 0 results --results added.db
grep -q Di out && wrong "a changed name is in the results"

# 8. What a platform is told: texts under their own language, the class, the course's title, and a warning where everybody
# would be one.
cat >graben.yaml <<'END'
kind: scene
title: Graben für Kabel
description: Level loam, nothing else.
seed: 1
machine: {file: excavator-22t, x: 0, y: 0, heading_deg: 0}
ground:
  size_x: 40
  size_y: 40
  column_spacing: 0.1
  bedrock_depth: 4
  roughness: 0
  layers:
    - {soil: loam}
exercise: {kind: free, time_limit: 3600, par_time: 3600}
END
sed 's/^seed:/language: de\nseed:/' graben.yaml >kabel.yaml
printf 't,swing,stick,boom,bucket,left_track,right_track,throttle\n0,0,0,0,0,0,0,1\n600,0,0,0,0,0,0,1\n' >idle.csv
exits 0 check kabel.yaml
exits 0 run graben.yaml --headless --operator idle.csv --seconds 0.5 --trainee Anna --results r.db --language de
exits 0 run kabel.yaml --headless --operator idle.csv --seconds 0.5 --trainee Anna --results r.db --course excavator
exits 0 results class add Spring Anna --results r.db
run results --results r.db --xapi
[ $code -eq 0 ] || wrong "no statements: $(cat err)"
says "xapi.home_page is not set"
says '"und": "Graben für Kabel"'
says '"de": "Graben für Kabel"'
says '"en": "Excavator, from the first lever to the truck"'
says '"team"'
grep -q '"en-US": "Graben' out && wrong "a German title is told as English"
grep -q '"success"\|verbs/passed' out && wrong "a script passes under her name"
mkdir -p "$XDG_CONFIG_HOME/spadework"
printf 'kind: settings\nxapi: {home_page: https://school.example}\n' >"$XDG_CONFIG_HOME/spadework/settings.yaml"
exits 0 results --results r.db --xapi
[ ! -s err ] || wrong "it warns although the address is set: $(cat err)"
says '"homePage": "https://school.example"'
rm "$XDG_CONFIG_HOME/spadework/settings.yaml"

# 9. Nobody passes by somebody else's drive: the end of an expert's, taken over with idle levers.
exits 0 run lift-pipe --headless --operator expert --record lp.spade --results lp.db
says "Passed with"
end=$(sqlite3 lp.spade "select max(tick) / 60.0 from state")
exits 0 resume lp.spade --at "$end" --headless --operator idle.csv --seconds 0.5 --trainee Otto --course excavator --results lp.db --json
says '"passed": false'
says '"verdict": "Practice from '
says '"parent": "lp.spade"'
exits 0 results --results lp.db --trainee Otto
says "practice"
grep -q 'yes' out && wrong "Otto passed by the expert's drive: $(cat out)"
exits 0 results courses --results lp.db
[ ! -s out ] || wrong "the course has it: $(cat out)"
exits 0 report lp-2.spade -o lp-2.html --no-compare
grep -q 'Practice from .* of lp.spade on: it passes nothing' lp-2.html || wrong "the debrief does not say that it is practice"
grep -q 'class="passed"' lp-2.html && wrong "the debrief says passed"
exits 0 rescore lp-2.spade
says "Practice from"
exits 0 results verify --results lp.db
exits 0 run lift-pipe --headless --operator expert --trainee Otto --course excavator --results lp.db --json
says '"passed": false'
exits 0 results courses --results lp.db
[ ! -s out ] || wrong "the course has what a script drove: $(cat out)"

# 10. A file with a trigger is refused by name.
sqlite3 lp.db "create trigger tt after insert on attempt begin update attempt set score = 100, passed = 1 where id = new.id; end"
exits 1 results --results lp.db
says "results hold no such trigger as tt"
exits 1 run free --headless --operator auto --seconds 0.2 --trainee Mal --results lp.db
exit $result
