#!/bin/sh
# test: long
# Grains in volumes and export: the dam-break scene runs, records itself with its mesh, and comes out as PLY and CSV.
. "$(dirname "$0")/common.inc"

printf 't,swing\n0,0\n10,0\n' >idle.csv
good run dam-break --headless --operator idle.csv --seconds 0.5 --threads 1 --telemetry run.csv --record a.spade --json
hash=$(grep '"hash"' out)
good run dam-break --headless --operator idle.csv --seconds 0.5 --threads 3 --json
[ "$(grep '"hash"' out)" = "$hash" ] || wrong "the number of threads changes the grains"
good run dam-break --headless --operator idle.csv --seconds 0.2 --seed 7 --json
good run dam-break --headless --operator idle.csv --seconds 0.2 --solver p2 --set particles.friction=macklin --json
grep -q '"mass_constant": true' out || wrong "Macklin friction loses mass"

# The recording needs nothing else, the mesh neither.
SPADEWORK_DATA=$work/nowhere "$spadework" export a.spade --ply frames --every 10 --csv out.csv >out 2>err ||
    wrong "export without the data: $(cat err)"
[ "$(ls frames)" = "$(printf 'frame_000000.ply\nframe_000001.ply\nframe_000002.ply\nframe_000003.ply')" ] ||
    wrong "not the frames of ticks 0, 10, 20, 30: $(ls frames | tr '\n' ' ')"
head -1 frames/frame_000002.ply | grep -q '^ply$' || wrong "a frame does not begin as PLY does"
strings=$(head -c 600 frames/frame_000002.ply | tr -d '\000' | grep -a '^comment spadework')
case $strings in *'scene dam-break, tick 20, time 0.333333 s'*) ;; *) wrong "the frame's moment is not told: $strings" ;; esac
# An independent reader finds the same grains as points and as solids: names, colours, bodies of the grains' size.
good export a.spade --ply solids --every 10 --solid --color speed
python=/usr/bin/python3
if "$python" -c 'import meshio' 2>/dev/null; then
    "$python" - frames/frame_000002.ply solids/frame_000002.ply <<'CHECK' || result=1
import sys
import meshio
import numpy as np
points, solids = (meshio.read(name) for name in sys.argv[1:3])
names = ["red", "green", "blue", "radius", "quality", "scalar_radius", "scalar_speed", "scalar_vx", "scalar_vy",
         "scalar_vz", "scalar_soil", "scalar_id"]
def demand(good, text):
    if not good:
        sys.exit("export.sh: meshio: " + text)
data = points.point_data
demand(list(data) == names and list(solids.point_data) == names, f"properties are {list(data)}")
demand(len(points.points) > 3000 and not points.cells, f"{len(points.points)} points, {len(points.cells)} kinds of cells")
demand(np.all(np.diff(data["scalar_id"]) > 0), "the grains are not in order of id")
speed = np.sqrt(sum(data["scalar_v" + axis].astype(float) ** 2 for axis in "xyz"))
demand(np.allclose(speed, data["scalar_speed"], atol=1e-6), "the speed is not that of vx, vy, vz")
demand(speed.max() > 0.5, "nothing moves")
demand(np.array_equal(data["quality"], data["scalar_speed"]) and np.array_equal(data["radius"], data["scalar_radius"]),
       "quality and radius are not the scalars")
def colors(mesh):  # meshio reads uchar as signed
    return np.stack([mesh.point_data[name].astype(np.int64) & 255 for name in ("red", "green", "blue")], 1)
demand(len(np.unique(colors(points), axis=0)) == len(np.unique(data["scalar_soil"])), "not one colour a soil")
by_speed = colors(solids)[::6]
order = np.argsort(speed)
demand(np.all(np.diff(by_speed[order, 1]) >= 0), "green does not grow with the speed, as viridis has it")
demand(by_speed[order[0]].tolist() != by_speed[order[-1]].tolist(), "the speed does not change the colour")
corners = solids.points.reshape(-1, 6, 3)
demand(np.allclose(corners.mean(1), points.points, atol=1e-5), "solids are not where the points are")
demand(np.allclose(np.linalg.norm(corners - points.points[:, None], axis=2), data["radius"][:, None], atol=1e-5),
       "corners do not lie on the grain's sphere")
faces = solids.cells_dict["triangle"]
demand(len(faces) == 8 * len(points.points), f"{len(faces)} faces")
CHECK
else
    echo "export.sh: no python3-meshio here: no independent reader read the PLY files"
fi
[ "$(grep -a -c 'soil 0 ' frames/frame_000002.ply)" -eq 1 ] || wrong "the header does not name the soils"
# The telemetry is what the run wrote, but for its wall times.
for file in run out; do
    rev $file.csv | cut -d , -f 4- | rev >$file.state
done
cmp run.state out.state || wrong "exported telemetry differs from the run's"

# What cannot be done.
bad 4 'is not empty' export a.spade --ply frames
bad 4 'nowhere/frames' export a.spade --ply nowhere/frames
bad 4 'cannot be used as a folder' export a.spade --ply idle.csv
bad 4 'idle.csv' export a.spade --csv idle.csv
bad 1 nosuch.spade export nosuch.spade --ply more
bad 1 idle.csv export idle.csv --ply more
[ ! -e more ] || wrong "a bad recording leaves a folder"
bad 2 '--video OUT.mp4, --picture PNG@S or --ground FILE@S' export a.spade
bad 4 'idle.csv' export a.spade --events idle.csv
good export a.spade --events events.csv
head -n 1 events.csv | grep -q '^event,tick,t,part,thing,x,y,z,speed,impulse,energy,' || wrong "columns of events: $(head -n 1 events.csv)"
bad 2 '--every 0' export a.spade --ply more --every 0
(
    ulimit -f 200 # blocks of 512 bytes
    "$spadework" export a.spade --ply full >out 2>err
)
code=$?
[ $code -eq 4 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'frame_000000.ply: cannot be written' err ||
    wrong "a full disk: exit $code: $(cat err)"
[ -z "$(ls full)" ] || wrong "a full disk leaves a cut frame: $(ls full)"
[ ! -w /dev/full ] || bad 4 /dev/full export a.spade --csv /dev/full

# Ticks without particles have no file, and the answer counts them; frames keep their number in time.
good run trench --headless --operator auto --seconds 4 --threads 2 --record late.spade
good export late.spade --ply late --every 60 --json
grep -q '"frames": 2' out && grep -q '"empty_frames": 3' out || wrong "frames of a drive that begins without particles: $(cat out)"
[ "$(ls late)" = "$(printf 'frame_000003.ply\nframe_000004.ply')" ] || wrong "not the frames with particles: $(ls late | tr '\n' ' ')"
good export late.spade --ply none --every 1000
grep -q '0 frames of ticks 0 to 240, 0 particles at most; 1 without particles left out' out || wrong "a drive of which no frame is left: $(cat out)"

# A film of two seconds: as many pictures as were asked for, of their size, not blank; with the debug view another one.
for tool in ffmpeg ffprobe; do
    command -v $tool >/dev/null || { echo "export.sh: $tool is missing; tests/run.sh installs it" && exit 1; }
done
good run trench --headless --operator auto --seconds 2 --threads 2 --record b.spade
good export b.spade --video film.mp4 --size 320x180 --fps 5 --camera bucket
good export b.spade --video soil.mp4 --size 320x180 --fps 5 --camera bucket --overlay --json
grep -q '"pictures": 11' out || wrong "the film's pictures are not told: $(cat out)"
for film in film soil; do
    told=$(ffprobe -v error -select_streams v -show_entries stream=codec_name,width,height,r_frame_rate,nb_frames -of csv=p=0 $film.mp4)
    [ "$told" = h264,320,180,5/1,11 ] || wrong "$film.mp4 is not 11 pictures of 320 x 180, 5 a second: $told"
    ffmpeg -v error -i $film.mp4 -f rawvideo -pix_fmt gray $film.raw </dev/null
    shades=$(tail -c 57600 $film.raw | od -A n -v -t u1 -w1 | sort -u | wc -l)
    [ "$shades" -gt 60 ] || wrong "the last picture of $film.mp4 has only $shades shades"
done
cmp -s film.raw soil.raw && wrong "--overlay makes no difference in a film"
# A part of a recording, from a place on the site: the film begins with what a picture of its first second shows.
good export b.spade --video part.mp4 --from 0.5 --to 1.5 --fps 10 --size 320x180 --quality low --camera free=-9,-9,2,0,0,0
told=$(ffprobe -v error -select_streams v -show_entries stream=nb_frames -of csv=p=0 part.mp4)
[ "$told" = 11 ] || wrong "a second of 10 pictures has not 11 pictures: $told"
good export b.spade --picture part.png@0.5 --size 320x180 --quality low --camera free=-9,-9,2,0,0,0
good export b.spade --picture whole.png@0.5 --size 320x180 --quality low
cmp -s part.png whole.png && wrong "--camera free= makes no difference in a picture"
ffmpeg -v error -i part.mp4 -frames:v 1 part-0.png </dev/null
for other in part whole; do
    ffmpeg -i part-0.png -i $other.png -lavfi psnr -f null - </dev/null 2>&1 |
        sed -n 's/.*average:\([0-9]*\).*/\1/p; s/.*average:inf.*/99/p' >$other.psnr
done
[ "$(cat part.psnr)" -ge 25 ] && [ "$(cat whole.psnr)" -lt 20 ] ||
    wrong "the film does not begin as its picture: $(cat part.psnr) dB, as another one: $(cat whole.psnr) dB"
bad 2 'which holds seconds 0 to 2' export b.spade --video never.mp4 --from 3
bad 2 'which holds seconds 0 to 2' export b.spade --video never.mp4 --to 2.5
bad 2 'a second from --from (1) on' export b.spade --video never.mp4 --from 1 --to 0.5
bad 2 'camera free=, number 3 of 6' export b.spade --video never.mp4 --camera free=1,2
[ ! -e never.mp4 ] || wrong "a film of a bad part is left behind"
# Pictures of moments; a bad time, view or file to write is told before anything is drawn.
good export b.spade --picture early.png@0 --picture late.png@0.1,cab --size 160x90 --plain --quality low
for picture in early late; do
    [ "$(od -A n -t x1 -N 8 $picture.png | tr -d ' \n')" = 89504e470d0a1a0a ] || wrong "$picture.png is not a PNG file"
done
cmp -s early.png late.png && wrong "two moments from two views look the same"
good export b.spade --picture east.png@0,free=-9,-9,2,0,0,0 --picture far.png@0,free=-19,-19,2,0,0,0 --size 160x90 --plain --quality low
cmp -s east.png far.png && wrong "two places of the free camera look the same"
# Each picture has its own shadows, however many are drawn before it.
good export b.spade --picture first.png@0 --picture second.png@2 --size 320x180 --quality low
good export b.spade --picture alone.png@2 --size 320x180 --quality low
ffmpeg -i second.png -i alone.png -lavfi psnr -f null - </dev/null 2>&1 |
    sed -n 's/.*average:\([0-9]*\).*/\1/p; s/.*average:inf.*/99/p' >alone.psnr
[ "$(cat alone.psnr)" -ge 45 ] || wrong "a picture differs after another one: $(cat alone.psnr) dB"
# The wall of a trench that a scene begins with shows its soil from top to bottom, not the grass over it.
printf 't,boom\n0,0\n' >still.csv
good run trench-collapse --headless --operator still.csv --seconds 0.1 --record wall.spade
good export wall.spade --picture wall-near.png@0.1,free=5,-0.6,-0.7,5,0.9,-0.7 --size 64x36 --quality high
good export wall.spade --picture wall-near-low.png@0.1,free=5,-0.6,-0.7,5,0.9,-0.7 --size 64x36 --quality low
for picture in wall-near wall-near-low; do
    ffmpeg -v error -y -i $picture.png -vf scale=1:1:flags=area -f rawvideo -pix_fmt rgb24 wall.raw </dev/null
    set -- $(od -A n -v -t u1 wall.raw)
    [ $((10 * $1)) -gt $((12 * $2)) ] || wrong "$picture: the wall is green: red $1, green $2"
done
bad 2 'number 3 of 6 (eye and target, m): nothing was read' export b.spade --picture never.png@0,free=1,2
bad 2 'number 5 of 6 (eye and target, m) x: a number from -2000 to 2000' export b.spade --picture never.png@0,free=1,2,3,4,x,6
bad 2 'of another place' export b.spade --picture never.png@0,free=1,2,3,1,2,3
bad 2 'six numbers' export b.spade --picture never.png@0,free=1,2,3,4,5,6,7
bad 2 'which holds seconds 0 to' export b.spade --picture never.png@900
bad 2 'one of around behind cab' export b.spade --picture never.png@0,nowhere
bad 2 'PNG@S or PNG@S,VIEW is expected' export b.spade --picture never.png
bad 2 'goes with --video or --picture' export b.spade --csv never.csv --size 160x90
bad 4 'idle.csv: exists and is not a PNG picture' export b.spade --picture never.png@0 --picture idle.csv@0
[ ! -e never.png ] || wrong "a picture was drawn although another one cannot be"
good export b.spade --video film.mp4 --size 160x90 --fps 1 # a film may be made anew, other files not
cp b.spade other.mp4
bad 4 'is not an MP4 film' export b.spade --video other.mp4
cmp -s b.spade other.mp4 || wrong "what was no film was written over"
bad 2 'at most 60' export b.spade --video more.mp4 --fps 61
bad 2 'even' export b.spade --video more.mp4 --size 321x180
bad 2 '--size goes with --video' export b.spade --csv more.csv --size 320x180
bad 4 'No such file' export b.spade --video nowhere/more.mp4
(
    PATH=$work/nowhere
    "$spadework" export b.spade --video more.mp4 >out 2>err
)
code=$?
[ $code -eq 4 ] && grep -q 'ffmpeg is not installed' err || wrong "without ffmpeg: exit $code: $(cat err)"
(
    ulimit -f 16 # blocks of 512 bytes
    "$spadework" export b.spade --video more.mp4 --size 320x180 --fps 5 >out 2>err
)
code=$?
[ $code -eq 4 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'more.mp4: the film could not be written' err ||
    wrong "a full disk: exit $code: $(cat err)"
# Whatever a film's name looks like, it is the name of a file to ffmpeg, and what lies beside it is left alone.
mkdir odd
for name in -y.mp4 concat:a.mp4 pipe:1.mp4 'shot%03d.mp4' 'two
lines.mp4' 'a|b;c.mp4'; do
    (cd odd && "$spadework" export ../b.spade "--video=$name" --size 64x36 --fps 1 >../out 2>../err) ||
        wrong "a film named $name: $(cat err)"
    ffprobe -v error -show_entries stream=codec_name -of csv=p=0 "file:odd/$name" 2>&1 | grep -q '^h264' || wrong "$name is no film"
    rm -f "odd/$name"
done
[ -z "$(ls -A odd)" ] || wrong "odd names leave other files: $(ls -A odd)"
echo mine >odd/film.mp4.part
bad 4 'film.mp4.part: exists and is not an MP4 film' export b.spade --video odd/film.mp4 --size 64x36 --fps 1
[ "$(cat odd/film.mp4.part)" = mine ] || wrong "a file beside the film was written over"
for left in more.mp4 more.mp4.part more.csv film.mp4.part nowhere; do
    [ ! -e $left ] || wrong "$left is left behind"
done

# Meshes and grains of one's own.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n' >open.obj
bad 1 'open.obj:5:1: the surface is open' check open.obj
good check "$root"/data/meshes/*.obj
good list meshes
grep -q '^vase ' out || wrong "list meshes does not name the vase"
sed 's/{obj: vase/{obj: .\/open.obj/' "$root/data/scenes/dam-break.yaml" >mine.yaml
run check mine.yaml
[ $code -eq 1 ] && grep -q '^mine.yaml:[0-9]*:[0-9]*: grains.1.obj: .*open.obj:5:1: ' err || wrong "check of an open mesh: $(cat err)"
# The same of surfaces of one's own.
good check "$root"/data/surfaces/*.xml "$root"/data/heights/*.png
good list surfaces
grep -q '^house-pad .*A pad for a house' out || wrong "list surfaces does not name the pad: $(cat out)"
sed 's|<F>3 12 13</F>|&<F>3 12 14</F>|' "$root/data/surfaces/house-pad.xml" >open.xml
bad 1 'open.xml:55:25: 3 faces meet in one edge at easting 412359.00, northing 5653478.00 of the survey (the first in line 54)' check open.xml
sed 's|file: house-pad|file: ./open.xml|' "$root/tests/support/house-pad.yaml" | sed "s|expert: ./|expert: $root/tests/support/|" >mine.yaml
run check mine.yaml
[ $code -eq 1 ] && grep -q '^mine.yaml:26:11: exercise.surface.file: .*open.xml:.* x -1.00, y -2.00 on the site' err ||
    wrong "check of a surface that overlaps: $(cat err)"
head -c 300 "$root/data/heights/swale.png" >half.png
bad 1 'half.png: not a whole PNG picture' check half.png
bad 2 'particles.budget leaves' run dam-break --headless --seconds 0.1 --set particles.budget=1000
bad 2 'is too large' run dam-break --headless --seconds 0.1 --set grains.1.scale=900
bad 2 'grains.0.radius' run dam-break --headless --seconds 0.1 --set grains.0.radius=0.2
[ $result -eq 0 ] && echo "export.sh: grains come out as they were recorded"
exit $result
