#!/bin/sh
# Every shipped machine, with what hangs on it, comes out as URDF and glTF: an independent parser takes the URDF, the
# meshes and numbers are checked one by one, and the angles of telemetry put the tip where the telemetry has it.
. "$(dirname "$0")/common.inc"
command -v check_urdf >/dev/null || { echo "models.sh: check_urdf is missing; tests/run.sh installs it" && exit 1; }
check="$root/tests/e2e/models_check.py"

# Drives that turn every joint, with the base on its tracks, tilted by what the tool does, and turned.
printf 't,swing,boom,stick,bucket,left_track,right_track,auxiliary,tool_rotate\n0,0,0,0,0,0,0,0,0\n0.3,1,0.6,-1,-1,0,0,-0.4,0.5\n2.2,-0.5,-1,1,1,1,-1,0.4,-1\n4,0,-1,0,0.5,0,0,0,0\n' >arm.csv
printf 't,blade,blade_tilt,blade_angle,ripper,left_track,right_track\n0,0,0,0,0,0,0\n0.3,1,1,1,1,0,0\n1.5,-1,-1,-1,-1,0.3,-0.3\n3,-1,0,1,0,0.3,0.3\n' >blade.csv

# model NAME DRIVE_OPTIONS [--attachment NAME]: exports, checks, and compares with a drive.
model() {
    name=$1
    drive=$2
    shift 2
    folder=$name${2:+-$2}
    good model "$name" "$@" --urdf "$folder" --gltf "$folder.glb"
    [ "$(check_urdf "$folder/$folder.urdf" | sed -n 's/^robot name is: //p')" = "$folder" ] ||
        wrong "check_urdf refuses $folder: $(check_urdf "$folder/$folder.urdf" 2>&1 | tail -n 3)"
    # shellcheck disable=SC2086 # a list of options
    good run $drive --headless --threads 1 --seconds 3.4 --telemetry "$folder.csv"
    python3 "$check" "$root/data" "$name" "${2:-}" "$folder" "$folder.glb" "$folder.csv" || wrong "$folder: see above"
}
model excavator-22t "free --operator arm.csv"
model excavator-8t "free --operator arm.csv --set machine.file=excavator-8t"
model dozer-20t "dozing --operator blade.csv"
for attachment in "$root"/data/attachments/*.yaml; do
    attachment=$(basename "$attachment" .yaml)
    model excavator-22t "free --operator arm.csv --set machine.attachment=$attachment" --attachment "$attachment"
done
[ "$("$spadework" list machines | wc -l)" -eq 4 ] || wrong "there is another machine (a truck is none): add it here"

# The same machine, from another path, gives the same bytes; ROS's names change nothing else.
cp "$root/data/machines/dozer-20t.yaml" .
good model ./dozer-20t.yaml --urdf again --gltf again.glb
diff -r dozer-20t again >differences && cmp -s dozer-20t.glb again.glb || wrong "not the same twice: $(head -n 3 differences)"
good model dozer-20t --gltf again.glb # may be made anew
good model dozer-20t --urdf ros --package my_machines
grep -q 'filename="package://my_machines/meshes/blade_hull_0.obj"' ros/dozer-20t.urdf || wrong "no names of the package"
sed 's|package://my_machines/||' ros/dozer-20t.urdf | cmp -s - dozer-20t/dozer-20t.urdf || wrong "the package changes more than names"
mkdir empty
good model excavator-8t --urdf empty

# What cannot be done; nothing is left of it.
bad 1 'no machine named nosuch' model nosuch --urdf never
bad 1 'read truck, allowed machine' model truck-25t --urdf never
bad 1 'for machines of 18000 to 28000 kg' model excavator-8t --attachment hammer-1700 --urdf never
bad 1 nosuch model excavator-8t --attachment nosuch --urdf never
sed 's/mass: 2200/mass: -1/' dozer-20t.yaml >broken.yaml
bad 1 'broken.yaml:24:17: bodies.blade.mass' model ./broken.yaml --gltf never.glb
bad 2 '--urdf DIR or --gltf FILE.glb' model dozer-20t
bad 2 'a MACHINE' model --urdf never
bad 2 'ends in .glb' model dozer-20t --gltf never.gltf
bad 2 '--package goes with --urdf' model dozer-20t --gltf never.glb --package mine
bad 2 'letters, digits, - and _' model dozer-20t --urdf never --package a/b
bad 4 'is not empty' model dozer-20t --urdf dozer-20t
bad 4 'nowhere/never' model dozer-20t --urdf nowhere/never
bad 4 'cannot be used as a folder' model dozer-20t --urdf arm.csv
bad 4 'nowhere/never.glb' model dozer-20t --gltf nowhere/never.glb
cp arm.csv other.glb
bad 4 'is not a binary glTF file' model dozer-20t --gltf other.glb
cmp -s arm.csv other.glb || wrong "what was no glTF was written over"
for wanted in "--urdf full" "--urdf empty2" "--gltf full.glb"; do
    mkdir -p empty2
    (
        ulimit -f 100 # blocks of 512 bytes
        # shellcheck disable=SC2086 # a list of options
        "$spadework" model dozer-20t $wanted >out 2>err
    )
    code=$?
    [ $code -eq 4 ] && [ "$(wc -l <err)" -eq 1 ] || wrong "a full disk, $wanted: exit $code: $(cat err)"
done
for left in never never.glb never.gltf full full.glb full.glb.part nowhere; do
    [ ! -e $left ] || wrong "$left is left behind"
done
[ -z "$(ls -A empty2)" ] || wrong "a full disk leaves parts: $(ls -R empty2 | head -n 5)"
[ $result -eq 0 ] && echo "models.sh: URDF and glTF have the machine's bodies, joints and meshes, and telemetry's angles their tip"
exit $result
