#!/bin/sh
# What an instructor makes exercises with: a commented copy of a scene in the user's folder, found by its name, checked
# and driven; the reference of keys; and what is refused on the way, with its exit code and one line.
. "$(dirname "$0")/common.inc"

good() {
    run "$@"
    [ $code -eq 0 ] || wrong "$*: exit $code: $(cat err)"
    [ ! -s err ] || wrong "$*: says on stderr: $(cat err)"
}
# bad CODE TEXT ARGS...: must end with CODE and one line on stderr that holds TEXT.
bad() {
    wanted=$1
    text=$2
    shift 2
    run "$@"
    [ $code -eq "$wanted" ] || wrong "$*: exit $code, $wanted expected: $(cat err)"
    [ "$(wc -l <err)" -eq 1 ] || wrong "$*: not one line on stderr: $(cat err)"
    grep -q -F -e "$text" err || wrong "$*: '$text' is not in: $(cat err)"
}
holds() {
    grep -q -e "$1" out || wrong "'$1' is not in the output: $(head -c 2000 out)"
}

# A copy in the user's folder, which was not there, is found by its name.
own=$XDG_DATA_HOME/spadework/scenes
good new exercise --from trench my-trench
holds "$own/my-trench.yaml"
[ -f "$own/my-trench.yaml" ] || wrong "no file $own/my-trench.yaml"
grep -q '# m, 0.2 to 6: of the floor below' "$own/my-trench.yaml" || wrong 'depth is not explained'
grep -q '# near end, 4.8 m ahead' "$own/my-trench.yaml" || wrong "the author's comment is gone"
good check "$own/my-trench.yaml"
good check --strict my-trench
holds "^$own/my-trench.yaml: good$"
bad 1 'nosuch: cannot be read' check nosuch
good list scenes
holds '^my-trench  *My trench (own)$'
good list scenes --json
[ "$(grep -c '"own": true' out)" -eq 1 ] || wrong 'one scene of the list is not own'
good run my-trench --headless --seconds 0.2 --threads 1 --json
holds '"scene": "my-trench"'
good preview my-trench -o my.png

# Changed by hand, it is driven as it is now, and its faults are told with their place.
sed 's/^    depth: 1.5/    depth: 1.2/' "$own/my-trench.yaml" >other.yaml && cp other.yaml "$own/my-trench.yaml"
good run my-trench --headless --seconds 0.2 --threads 1 --json
sed 's/^    depth: 1.2/    depth: 12/' "$own/my-trench.yaml" >other.yaml && cp other.yaml "$own/my-trench.yaml"
bad 1 'exercise.trench.depth: read 12, allowed 0.2 to 6' run my-trench --headless --seconds 0.2

# A file that exists is left alone, and so are shipped names.
echo mine >"$own/kept.yaml"
bad 4 'there is a file already' new exercise --from trench kept
[ "$(cat "$own/kept.yaml")" = mine ] || wrong 'an own file was written over'
bad 2 'a shipped scene has this name' new exercise --from free trench
for name in 'my trench' '../mine' 'sub/mine' '.hidden' 'mine.yaml' ''; do
    bad 2 '' new exercise --from trench "$name"
done
[ "$(find "$XDG_DATA_HOME" . -name '*.yaml' | grep -c -e mine -e hidden)" -eq 0 ] || wrong 'a bad name made a file'

# Elsewhere, under another title.
good new exercise --from truck-loading --title 'Two loads: "quick"' -o ./loads.yaml
good check loads.yaml
grep -q '^title: "Two loads: \\"quick\\""$' loads.yaml || wrong "the title is not set: $(grep title loads.yaml)"
good new exercise --from ./loads.yaml -o again.yaml
good check again.yaml
[ "$(grep -c 'm, 10 to 200: from the western' again.yaml)" -eq 1 ] || wrong 'a copy of a copy is explained twice'
bad 4 'there is a file already' new exercise --from trench -o loads.yaml
bad 2 'ends in .yaml' new exercise --from trench -o loads.txt
bad 4 'No such file or directory' new exercise --from trench -o nofolder/loads.yaml
bad 1 'no scene named nosuch' new exercise --from nosuch mine
bad 2 'needs the NAME' new exercise --from trench
bad 2 'needs --from SCENE' new exercise mine
bad 2 'what is expected: new exercise' new machine --from trench mine
bad 1 'no course named trench' new course --from trench mine
bad 2 'needs exercise --from SCENE NAME' new
bad 2 'one NAME is expected' new exercise --from trench one two
bad 2 'longer than 95 bytes' new exercise --from trench --title "$(printf '%0100d' 0)" mine

# References that start in the other scene's folder lead nowhere from the new one: told, and nothing is left.
mkdir far && cp "$root/data/soils/sand.yaml" far/my-sand.yaml
sed 's,soil: loam,soil: ./my-sand.yaml,' "$root/data/scenes/trench.yaml" >far/sandy.yaml
bad 1 'my-sand.yaml' new exercise --from far/sandy.yaml mine
[ ! -e "$own/mine.yaml" ] || wrong 'a copy that cannot be loaded was left'
good new exercise --from far/sandy.yaml -o far/sandy-2.yaml
(ulimit -f 1 && "$spadework" new exercise --from trench mine >/dev/null 2>full.txt)
[ $? -eq 4 ] && grep -q 'cannot be written' full.txt || wrong "a full disk: $(cat full.txt)"
[ ! -e "$own/mine.yaml" ] || wrong 'half a copy was left on a full disk'
if [ "$(id -u)" -ne 0 ]; then
    chmod a-w "$own"
    bad 4 'cannot be written' new exercise --from trench mine
    chmod u+w "$own"
fi

# A warning makes a file bad with --strict alone; both are told as JSON.
sed 's/^    width: 1.6/    width: 0.6/' "$root/data/scenes/trench.yaml" >narrow.yaml
run check narrow.yaml
[ $code -eq 0 ] && grep -q '^warning: narrow.yaml:[0-9]*:[0-9]*: exercise.trench.width' err || wrong "narrow: $code: $(cat err)"
run check --strict narrow.yaml "$root/data/scenes/free.yaml"
[ $code -eq 1 ] && grep -q 'free.yaml: good' out || wrong "--strict: exit $code: $(cat out)"
run check --strict --json narrow.yaml
[ $code -eq 1 ] && grep -q '"good": false' out && grep -q '"message": null' out || wrong "--strict --json: $(cat out)"

# A machine that cannot be built is told with the place of its key, and a scene with that machine at both places.
sed 's/^start_pose_deg: .*/start_pose_deg: [30, -48, -85, -60]/' "$root/data/machines/excavator-22t.yaml" >folded.yaml
bad 1 "folded.yaml:$(grep -n '^start_pose_deg' folded.yaml | cut -d: -f1):17: start_pose_deg: the " check folded.yaml
sed 's,file: excavator-22t,file: ./folded.yaml,' "$root/data/scenes/free.yaml" >folded-scene.yaml
bad 1 "folded-scene.yaml:$(grep -n '^machine' folded-scene.yaml | cut -d: -f1):17: machine.file: ./folded.yaml:$(grep -n '^start_pose_deg' folded.yaml | cut -d: -f1):17: start_pose_deg: the " check folded-scene.yaml

# The reference of every kind, in every form.
for kind in scene machine attachment coupler truck soil controls expert course settings; do
    good reference $kind
    holds '^    .*needed\|may be left out\|default'
    good reference $kind --markdown
    holds '^| `kind` | word |'
    good reference $kind --json
    holds '"path": "kind"'
    good reference $kind --html
    holds '<td>kind</td>'
done
good reference scene
grep -A2 '^exercise.trench.depth$' out | grep -q 'number, m, 0.2 to 6, needed' || wrong 'no depth of the trench'
grep -A2 '^ground.column_spacing$' out | grep -q 'default 0.1' || wrong 'no default of the columns'
holds '^exercise.surface.parts\[\].far_z$'
holds '^    removed_share  *share of the trench that is dug$'
holds '^    person_hit  *a person was hit$'
holds '^    word, scene, needed$'
good reference machine
holds 'type excavator'
holds 'type dozer'
bad 2 'one of scene, machine' reference scenes
bad 2 'a kind of file' reference
bad 2 'one of --json, --html and --markdown' reference scene --json --html
[ $result -eq 0 ] && echo 'editor.sh: exercises are copied, checked, found and explained'
exit $result
