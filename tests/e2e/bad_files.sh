#!/bin/sh
# A file that is bad or missing ends a command with 1, by whichever option it was reached, and a wrong command line with 2; a
# machine, an attachment or a scene that cannot be is refused by check and by run with the place of its key.
#   SPADEWORK  the program (default: build/release/bin/spadework)
. "$(dirname "$0")/common.inc"

# bad CODE TEXT ARGS...: ends with CODE and one line on stderr that holds TEXT.
bad() {
    wanted=$1 text=$2
    shift 2
    run "$@"
    [ $code -eq "$wanted" ] || wrong "$*: exit $code, $wanted expected: $(cat err)"
    [ "$(wc -l <err)" -eq 1 ] || wrong "$*: not one line on stderr: $(cat err)"
    grep -q -F -e "$text" err || wrong "$*: '$text' is not in: $(cat err)"
}
drive='run trench --headless --seconds 0.1 --threads 1'

# ---- bad files by every way --------------------------------------------------------------------------------------------------
run run trench --headless --operator auto --seconds 0.2 --threads 1 --record good.spade
[ $code -eq 0 ] || wrong "no recording: $(cat err)"
printf 'kind: nonsense\n' >bad.yaml
printf 'a,b\n1,2\n' >bad.csv
printf '{' >bad.json
echo hello >bad.spade
mkdir folder.yaml folder.csv folder.json folder.spade
for name in bad folder none; do
    # shellcheck disable=SC2086 # a list of words
    for key in machine.file machine.attachment exercise.expert ground.layers.0.soil; do
        bad 1 "$name.yaml" $drive --set "$key=$work/$name.yaml"
        bad 1 "--set $key=$name: " $drive --set "$key=$name"
    done
    # shellcheck disable=SC2086
    for option in "--operator ./$name.csv" "--operator expert:./$name.yaml" "--operator expert:$name" "--controls ./$name.yaml" \
        "--controls $name" "--orders $name.csv" "--shot a.png --ghost $name.spade" "--trainee Ann --course $name" \
        "--broker mqtts://127.0.0.1:1 --broker-ca $name.yaml" "--broker mqtt://ann@127.0.0.1:1 --broker-password-file $name.yaml"; do
        bad 1 "$name" $drive $option
    done
    bad 1 "$name" rescore good.spade --scene "./$name.yaml"
    bad 1 "$name" rescore good.spade --scene "$name"
    bad 1 "$name" rescore "$name.spade"
    bad 1 "$name" report "$name.spade" -o a.html
    bad 1 "$name" report good.spade "$name.spade" -o a.html
    bad 1 "$name" report good.spade --results "./$name.yaml" -o b.html
    bad 1 "$name" new exercise --from "./$name.yaml" "of-$name"
    bad 1 "$name" preview "./$name.yaml" -o a.png
    bad 1 "$name" run "$name" --headless
    bad 1 "$name" run "./$name.yaml" --headless
    bad 1 "$name" check "$name.yaml"
    bad 1 "$name" replay "$name.spade" --verify
    bad 1 "$name" resume "$name.spade" --at 0 --headless
    bad 1 "$name" export "$name.spade" --csv a.csv
    bad 1 "$name" results import-class "$name.json"
    bad 1 "$name" results progress Ann a.svg --course "$name"
done
[ ! -e a.png ] && [ ! -e a.html ] && [ ! -e a.csv ] && [ ! -e a.svg ] || wrong "something was written all the same"

# ---- wrong command lines ------------------------------------------------------------------------------------------------------
# shellcheck disable=SC2086
for set in nokey=1 machine.x=500 ground.layers.0.thickness=-1 machine; do
    bad 2 "--set $set" $drive --set "$set"
done
bad 2 '--set machine.attachment=grading-bucket-1800: ' run dozing --headless --seconds 0.1 --set machine.attachment=grading-bucket-1800
bad 2 '--set machine.attachment=hammer-1700: ' run free --headless --seconds 0.1 --set machine.file=excavator-8t --set machine.attachment=hammer-1700
bad 2 "--set ground.mounds.0.height=4.2 and others: $root/data/scenes/truck-loading.yaml:" run truck-loading --headless --seconds 0.1 \
    --set ground.mounds.0.height=4.2 --set ground.mounds.0.x=8 --set ground.mounds.0.y=5.6
bad 2 "--set fixtures.0.y=0: $root/data/scenes/tight-site.yaml:" run tight-site --headless --seconds 0.1 --set fixtures.0.y=0
# shellcheck disable=SC2086
bad 2 '--operator ' $drive --operator "$(printf '%0600d' 0).csv"

# ---- machines, attachments and scenes that cannot be --------------------------------------------------------------------------
excavator=$root/data/machines/excavator-22t.yaml hammer=$root/data/attachments/hammer-1700.yaml
line() {
    grep -n "$1" "$2" | head -n 1 | cut -d: -f1
}
sed 's/{mass: [0-9]*,/{mass: 1,/' "$excavator" >light.yaml
sed 's/{mass: 7800,/{mass: 70000,/; s/{mass: 10700,/{mass: 75000,/' "$excavator" >huge.yaml
sed 's/boom: {mass: 1700/boom: {mass: 1000000/' "$excavator" >heavy.yaml
sed 's/^start_pose_deg: .*/start_pose_deg: [0, -30, -85, -60]/' "$excavator" >sunk.yaml
sed 's/link_length: .*/link_length: 0.06/' "$excavator" >open.yaml
sed 's/^tare_mass: [0-9]*/tare_mass: 2000/' "$root/data/machines/truck-25t.yaml" >truck.yaml
sed 's/mass: 1700,/mass: 1000000,/' "$hammer" >rock.yaml
sed 's/^bucket_range_deg: .*/bucket_range_deg: [-110.5, 120]/' "$hammer" >wide.yaml

# refused FILE KEY TEXT: by check, and by a run that --set leads to it; both with the place.
refused() {
    place=$1.yaml:$(line "$2" "$1.yaml"):
    bad 1 "$place" check "$1.yaml"
    grep -q -F -e "$3" err || wrong "check $1.yaml: '$3' is not in: $(cat err)"
    [ "$4" != truck ] || return 0
    bad 1 "/$place" run free --headless --seconds 0.1 --set "machine.$4=$work/$1.yaml"
    grep -q -F -e "$3" err || wrong "run with $1.yaml: '$3' is not in: $(cat err)"
    grep -q -F -e "$root/data/scenes/free.yaml:7:" err || wrong "run with $1.yaml: no place in the scene: $(cat err)"
}
refused light '  undercarriage:' 'bodies.undercarriage.mass: read 1, allowed 487.2 to ' file
refused huge '  undercarriage:' 'bodies: 148500 kg in all, allowed ' file
refused heavy '  boom:' 'bodies.boom.mass: read 1e+06, allowed 112 to ' file
refused sunk '^start_pose_deg' 'start_pose_deg: the bucket starts ' file
refused open '  rocker_pivot' 'linkage: the linkage cannot close at a bucket angle of -123.0 deg' file
refused truck '^tare_mass' 'tare_mass: read 2000, allowed from 8000 on' truck
refused rock '  {mass' 'body.mass: read 1e+06, allowed ' attachment
refused wide '^bucket_range_deg' 'bucket_cylinder: it would be ' attachment

# Scenes that check as files and cannot be begun.
sed 's/{file: excavator-22t,/{file: .\/open.yaml,/' "$root/data/scenes/free.yaml" >scene-open.yaml
sed 's/{file: excavator-22t,/{file: excavator-22t, attachment: .\/wide.yaml,/' "$root/data/scenes/free.yaml" >scene-wide.yaml
sed 's/x: 8.0, y: 0, height: 1.6/x: 8, y: 5.6, height: 4.2/' "$root/data/scenes/truck-loading.yaml" >scene-mound.yaml
for scene in scene-open scene-wide scene-mound; do
    place=$scene.yaml:$(line '^machine' $scene.yaml):
    bad 1 "$place" check $scene.yaml
    bad 1 "$place" run ./$scene.yaml --headless --seconds 0.1
done
sed 's/load: 1/load: 2/' "$root/data/experts/lift-pipe.yaml" >greedy.yaml
bad 1 "greedy.yaml:$(line 'load: 2' greedy.yaml):" run lift-pipe --headless --seconds 0.1 --operator expert:./greedy.yaml
sed 's/^  expert: .*/  expert: .\/greedy.yaml/' "$root/data/scenes/lift-pipe.yaml" >scene-greedy.yaml
bad 1 "greedy.yaml:$(line 'load: 2' greedy.yaml):" check scene-greedy.yaml

# What is shipped is good.
run check "$root"/data/machines/*.yaml "$root"/data/attachments/*.yaml "$root"/data/scenes/*.yaml
[ $code -eq 0 ] && [ ! -s err ] || wrong "a shipped file is refused: $(cat err)"
exit $result
