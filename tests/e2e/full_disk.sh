#!/bin/sh
# test: long
# A disk that gets full while somebody drives: the window asks, the drive goes on unrecorded, and what else cannot be
# written is told in the language of who reads.
#   SPADEWORK  the program (default: build/release/bin/spadework)   KEEP  a folder to keep the pictures in
set -u
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd -P)}
program_itself=${SPADEWORK:-$root/build/release/bin/spadework}
script=full_disk.sh
. "$root/tests/e2e/window.inc"
export SDL_AUDIODRIVER=none

# No file grows beyond what this leaves it: 512 bytes a block.
spadework=$work/on_a_small_disk
printf '#!/bin/sh\nulimit -f 600\nexec "%s" "$@"\n' "$program_itself" >"$spadework"
chmod +x "$spadework"

start "Graben" run trench --no-briefing --quality low --threads 1 --language de --record "$work/drive.spade"
wait_for_ticks "$work/drive.spade" 60
for _ in $(seq 60); do
    hold k 0.5 # what moves fills the disk sooner
    before=$(ask "$work/drive.spade" "select count(*) from input")
    sleep 2
    [ "$(ask "$work/drive.spade" "select count(*) from input")" -eq "$before" ] && break
done
press Down Return # drive on unrecorded
for _ in $(seq 20); do
    grep -q "driving on unrecorded" "$work/err" && break
    sleep 0.5
done
grep -q "drive.spade: .*; driving on unrecorded" "$work/err" || wrong "what became of the recording is not told: $(cat "$work/err")"

# The page of the end: the debrief does not fit either, which is told in whole words.
press Escape Up Return
sleep 1
press Return
sleep 2
press Up Up Up Return
for _ in $(seq 40); do
    grep -q "Auswertung" "$work/out" && break
    sleep 0.5
done
grep -q "Keine Auswertung: " "$work/out" || wrong "no word of the debrief: $(cat "$work/out" "$work/err")"
grep -q "gro?" "$work/out" && wrong "letters are lost: $(cat "$work/out")"
kill -0 "$program" 2>/dev/null || wrong "the program is gone: $(cat "$work/err")"
press Escape
for _ in $(seq 60); do
    kill -0 "$program" 2>/dev/null || break
    sleep 0.5
done
kill -0 "$program" 2>/dev/null && wrong "it still runs" || program=
"$program_itself" replay "$work/drive.spade" --verify >"$work/verify" 2>&1 ||
    wrong "what was recorded until the disk was full does not replay: $(cat "$work/verify")"
[ $result -eq 0 ] && echo "full_disk.sh: asked, driven on unrecorded, told, and what was recorded replays"
exit $result
