#!/bin/sh
# test: long
# Golden pictures: the views of tests/golden/views.txt in both qualities, compared with the pictures kept there by
# structural similarity (SSIM, ffmpeg's), tile by tile, so that a fault of a few pixels is not lost in the whole.
#   golden.sh           compares; then spoils shaders and sees that a missing shadow, track, seam or a fang is found
#   golden.sh --update  draws the kept pictures anew: look at them before they are committed
#   golden.sh --keep DIR  leaves what was drawn in DIR
. "$(dirname "$0")/common.inc"
golden=$root/tests/golden
. "$root/tests/e2e/alike.inc"
size=640x360
least_tile=0.86 # of a tile's SSIM, 0..1: what other drivers and compilers change stays above 0.97
least_mean=0.97
update=0 keep=
case ${1:-} in
--update) update=1 ;;
--keep) keep=$2 ;;
esac
command -v ffmpeg >/dev/null || { echo "golden.sh: ffmpeg is missing; tests/run.sh installs it" && exit 1; }

# record: makes all recordings, two at a time.
record() {
    sed -n 's/^recording *//p' "$golden/views.txt" >recordings
    while read -r name arguments; do
        echo "$name $arguments"
    done <recordings | xargs -P 2 -L 1 sh -c 'name=$0; "$SPADEWORK" run "$@" --headless --threads 1 --record "$name.spade" >"$name.out" 2>&1 || echo "golden.sh: $name: $(cat "$name.out")" >>recordings.err'
    [ ! -s recordings.err ] || wrong "$(cat recordings.err)"
}

# draw QUALITY FOLDER [NAME...]: draws the views, or those that are named.
draw() {
    quality=$1 folder=$2
    shift 2
    mkdir -p "$folder"
    for recording in $(sed -n 's/^view *[^ ]* *\([^ ]*\) .*/\1/p' "$golden/views.txt" | sort -u); do
        sed -n "s/^view *\([^ ]*\) *$recording *\([^ ]*\) *\([^ ]*\)$/\1 \2 \3/p" "$golden/views.txt" >wanted
        pictures=
        while read -r name second camera; do
            case " $* " in
            "  " | *" $name "*) pictures="$pictures --picture $folder/$name.png@$second,$camera" ;;
            esac
        done <wanted
        # shellcheck disable=SC2086
        [ -z "$pictures" ] || "$spadework" export "$recording.spade" $pictures --size $size --plain --quality "$quality" \
            --threads 1 >out 2>err || wrong "$recording, $quality: $(cat err)"
    done
}

compare() {
    for quality in high low; do
        for name in $(sed -n 's/^view *\([^ ]*\) .*/\1/p' "$golden/views.txt"); do
            if is_alike "$quality/$name.png" "$golden/$quality/$name.jpg"; then
                echo "$quality $name $told" >>figures
            else
                wrong "$quality/$name looks different (mean, least tile of SSIM): $told"
            fi
        done
    done
}

# spoil NAME FILE SCRIPT VIEW...: a shader spoiled by sed's SCRIPT must make at least one of the views look different.
spoil() {
    fault=$1 file=$2 script=$3
    shift 3
    rm -rf data && cp -r "$root/data" data
    sed "$script" "$root/data/shaders/$file" >"data/shaders/$file"
    cmp -s "$root/data/shaders/$file" "data/shaders/$file" && wrong "$fault: $file has nothing to spoil any more: mend this script"
    SPADEWORK_DATA=$work/data draw high "spoiled-$fault" "$@"
    for view in "$@"; do
        [ -s "spoiled-$fault/$view.png" ] || wrong "$fault: $view was not drawn"
        is_alike "spoiled-$fault/$view.png" "$golden/high/$view.jpg" || { echo "spoiled $fault $view $told" >>figures && return; }
    done
    wrong "$fault: no picture of $* tells it: $told"
}

export SPADEWORK="$spadework"
record
draw high high
draw low low
if [ $update -eq 1 ]; then
    for quality in high low; do
        mkdir -p "$golden/$quality"
        for picture in "$quality"/*.png; do
            ffmpeg -nostdin -loglevel error -y -i "$picture" -q:v 2 -pix_fmt yuvj444p "$golden/$quality/$(basename "$picture" .png).jpg"
        done
    done
    exit $result
fi
compare
spoil shadow common.glsl 's/^float shadow_at(vec3 place, vec3 normal)$/float shadow_at(vec3 place, vec3 normal) { return 1.0; } float shadow_was(vec3 place, vec3 normal)/' \
    trench-around
# A belt's shoes are drawn nowhere: the instances' frames are moved away.
spoil track solid.glsl 's/^    gl_Position = view_projection \* /&(world.z < 0.9 \&\& world.z > -0.2 ? 0.0 : 1.0) * /' trench-around
# Skirts gape: chunks of different fineness no longer meet.
spoil seam terrain.glsl 's/^    ivec2 column = min(chunk + at, grid_size - 1);$/    ivec2 column = min(chunk + min(at, ivec2(CHUNK_CELLS - 1)), grid_size - 1);/' trench-around trench-bucket
# Fangs: single columns of what is heaped stand up.
spoil fang terrain.glsl 's/^    float height = texelFetch(height_map, column, 0).r;$/&\n    height += height > 0.02 \&\& (column.x * 7 + column.y * 13) % 23 == 0 ? 0.4 : 0.0;/' \
    trench-bucket trench-around
[ -z "$keep" ] || { mkdir -p "$keep" && cp -r high low spoiled-* figures "$keep"; }
[ $result -eq 0 ] && echo "golden.sh: $(grep -c . figures) pictures compared; least tile $(grep -v spoiled figures | sort -k 4 -n | head -1)"
exit $result
