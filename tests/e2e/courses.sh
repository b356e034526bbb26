#!/bin/sh
# A course made from nothing by what README.md and docs/instructor.md say: begun by `new course`, written into the folder that
# stations share, and found at a second station, whose own folders are empty: by list, run, results, and on the page of `serve`.
# (The menu: test_app_main_menu.) What is refused on the way says what there is.
. "$(dirname "$0")/common.inc"
command -v curl >/dev/null 2>&1 || { echo "$script: needs curl (trainer/packages.txt)" && exit 77; }
unset http_proxy HTTP_PROXY
token=0123456789abcdef0123
holds() {
    grep -q -e "$1" out || wrong "'$1' is not in the output: $(head -c 2000 out)"
}

# station NAME: from here on this is another computer, which has the shared folder in its settings.
station() {
    export XDG_DATA_HOME="$work/$1/data" XDG_CONFIG_HOME="$work/$1/config"
    mkdir -p "$XDG_DATA_HOME" "$XDG_CONFIG_HOME/spadework"
    printf 'kind: settings\nshared_folder: %s\n' "$work/share" >"$XDG_CONFIG_HOME/spadework/settings.yaml"
}
mkdir -p share/courses share/scenes
station first
own=$XDG_DATA_HOME/spadework/courses

# In the user's own folder.
good new course mine
holds "^course        $own/mine.yaml$"
holds "^drive         spadework run walk-round --course mine$"
grep -q '^# 1 to 100, default 50: order of the course in lists' "$own/mine.yaml" || wrong 'place is not explained'
good check "$own/mine.yaml"
good list courses
holds '^mine  *Mine (own)$'
good list courses --json
[ "$(grep -c '"own": true' out)" -eq 1 ] || wrong "one course of the list is not own: $(cat out)"
good run walk-round --course mine --trainee Ann --headless --seconds 0.2 --results r.db
good results --trainee Ann --json --results r.db
holds '"course": "mine"'
good results progress Ann way.svg --course mine --results r.db
[ -s way.svg ] || wrong 'no picture of the progress in a course of the user'
bad 4 'there is a file already' new course mine
bad 2 'a shipped course has this name' new course dozer
bad 2 'no path' new course sub/mine
bad 2 'needs the NAME' new course
good new course --from dozer 'our-dozers'
grep -q '{scene: ripping, difficulty: 3}' "$own/our-dozers.yaml" || wrong 'no copy of a course'

# By its path.
good new course -o far.yaml --title 'A course far away'
good run walk-round --course ./far.yaml --trainee Ann --headless --seconds 0.2 --results r.db --record far.spade
good results --trainee Ann --json --results r.db
holds '"course": "far"'
good results progress Ann far.svg --course ./far.yaml --results r.db

# What does not exist is refused before anything is driven or stored.
bad 1 'no course named no-such-course in ' run trench --course no-such-course --trainee X --headless --seconds 0.2 --results x.db
grep -q ', there are attachments, dozer, excavator, mine, our-dozers' err || wrong "the courses there are are not named: $(cat err)"
[ ! -e x.db ] || wrong 'a refused course was stored'
bad 1 'far-away.yaml' run trench --course ./far-away.yaml --headless --seconds 0.2
sed 's/walk-round/nosuch/' "$own/mine.yaml" >broken.yaml
bad 1 'broken.yaml:' check broken.yaml
bad 1 'no scene named nosuch' run trench --course ./broken.yaml --headless --seconds 0.2

# Shared: a scene and a course, made at the first station with -o.
good new exercise --from trench -o "$work/share/scenes/our-trench.yaml"
good new course -o "$work/share/courses/Centre.yaml" --title 'Course of the centre'
sed -i 's/walk-round/our-trench/' "$work/share/courses/Centre.yaml"
good check "$work/share/courses/Centre.yaml"
bad 2 'a shared course has this name' new course Centre

# The second station has nothing of its own.
station second
good list courses
holds '^Centre  *Course of the centre (shared)$'
[ "$(wc -l <out)" -eq 4 ] || wrong "courses of the second station: $(cat out)"
good list scenes
holds '^our-trench  *Our trench (shared)$'
good run our-trench --course Centre --trainee Bob --headless --seconds 0.2 --keep
good results --trainee Bob --json
holds '"course": "Centre"'
good results progress Bob bob.svg --course Centre
"$spadework" serve --headless --operator auto --console-token $token >out 2>err &
program=$!
until_line "the instructor's console: " err
url=$(sed -n 's,^spadework: the instructor.s console: \(http://[^#]*\)/#.*,\1,p' err)
# until_page PAGE TEXT: fetches the page into a file of its name until it holds the text, for 20 s at most.
until_page() {
    for _ in $(seq 200); do
        curl -s -m 10 -H "Authorization: Bearer $token" "$url/$1" >"$1"
        ! grep -q "$2" "$1" || break
        sleep 0.1
    done
}
# tell ORDER: gives the page an order; what it says is in answer.
tell() {
    curl -s -m 10 -H "Authorization: Bearer $token" -d "$1" "$url/command" >answer
}
until_page choices Centre
grep -q '{"name":"Centre","title":"Course of the centre","scenes":\["our-trench","controls-targets","trench"\]}' choices ||
    wrong "the page does not offer the course: $(cat choices)"
tell '{"command":"load","name":"our-trench","text":"Eve","part":"Centre"}'
until_page state '"scene":"our-trench"'
grep -q '"scene":"our-trench"' state || wrong "the page does not load the shared scene: $(cat answer) $(cat err)"
tell '{"command":"end"}'
until_page state '"phase":"waiting"'
# The same with conditions: chosen from the page's lists, recorded as --set is, so that the recording verifies; a name that
# does not exist gives an error on the page that lists the names there are.
python3 -c 'import json; c = json.load(open("choices"))["conditions"]; n = {k: [x["name"] for x in v] for k, v in c.items()}
assert list(n) == ["time", "weather", "soil", "machine", "start"] and "night" in n["time"] and "fog" in n["weather"], n
assert "sand" in n["soil"] and "excavator-8t" in n["machine"] and "truck-25t" not in n["machine"], n' || wrong "no conditions on the page: $(cat choices)"
for one in '"soil":"snow"}}|soil: read snow, allowed clay, ' '"machine":"dozer-20t"}}|machine: read dozer-20t, which is of another type' '"weather":"hail"}}|weather: read hail, allowed clear, overcast, rain, fog'; do
    curl -s -m 10 -H "Authorization: Bearer $token" -d '{"command":"load","name":"trench","text":"","conditions":{'"${one%%|*}" "$url/command" >answer
    until_line "${one##*|}" err
done
for one in '"conditions":{"snow":"deep"}}' '"conditions":"night"}' '"conditions":{"time":7}}'; do
    code=$(curl -s -m 10 -o answer -w '%{http_code}' -H "Authorization: Bearer $token" -d '{"command":"load","name":"trench","text":"",'"$one" "$url/command")
    [ "$code" = 400 ] || wrong "$one: $code $(cat answer)"
done
load='{"command":"load","name":"trench","text":"Fay","conditions":{"time":"night","weather":"rain","soil":"sand","machine":"excavator-8t"}}'
tell "$load"
until_page state '"scene":"trench"'
tell '{"command":"end"}'
until_page state '"phase":"waiting"'
# A comment and a grade for what was driven last, which the debrief then shows; what is no grade is refused on the page.
tell '{"command":"comment","text":"Good, Fay"}'
tell '{"command":"grade","text":"A-"}'
tell '{"command":"grade","text":"sixteen bytes .."}'
until_page state 'grade: read 16 bytes'
grep -q 'grade: read 16 bytes' state || wrong "a grade that is too long is not refused: $(cat state)"
offered=$(python3 -c 'import json; print(json.load(open("state"))["debrief"])')
curl -s -m 10 "$url/$offered" >debrief.html
grep -q '>Good, Fay<' debrief.html && grep -q '>A-<' debrief.html || wrong "the debrief on the page has no comment"
kill "$program"
ended 0
good results --trainee Fay
holds '    comment: Good, Fay$'
holds '    grade: A-$'
holds 'changed for this drive: weather.time=23; weather.clouds=1; weather.rain=8; weather.visibility=1500; ground.layers.0.soil=sand; ground.layers.1.soil=sand; machine.file=excavator-8t (points are not comparable'
good results verify --trainee Fay
good results --trainee Eve --json
holds '"course": "Centre"'

# A name in two folders: the shared one is found, and list says so.
good new course mine
cp "$work/share/courses/Centre.yaml" share/courses/mine.yaml
good list courses
holds '^mine  *Course of the centre (shared)$'
grep -q 'mine: another folder has a file of this name, too; the shared one is found by it' err || wrong "a hidden course: $(cat err)"

# A share that is away costs what lies in it alone; a bad setting is refused with its place.
mv share away
good list courses
holds '^mine  *Mine (own)$'
grep -q "the shared folder $work/share cannot be read: No such file or directory" err || wrong "no word of the share: $(cat err)"
good run trench --headless --seconds 0.2
run doctor --json
python3 -c 'import json, sys; one = [f for f in json.load(open("out"))["findings"] if f["about"] == "folder_shared"]; sys.exit(len(one) != 1 or one[0]["values"]["there"])' ||
    wrong "the doctor: $(grep -A6 folder_shared out)"
printf 'kind: settings\nshared_folder: share\n' >"$XDG_CONFIG_HOME/spadework/settings.yaml"
good list courses
grep -q 'settings.yaml:2:16: shared_folder: read share, allowed the whole path of a folder' err || wrong "a relative folder: $(cat err)"
[ $result -eq 0 ] && echo 'courses.sh: own and shared courses are made, found, driven and refused'
exit $result
