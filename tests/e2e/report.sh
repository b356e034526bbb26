#!/bin/sh
# The debrief of a recording, opened as its reader opens it: in a browser without a window, where there is one.
. "$(dirname "$0")/common.inc"

"$spadework" run trench --headless --operator auto --seconds 40 --trainee 'Ann & Bo' --record a.spade >out 2>err ||
    wrong "exit $?: $(tail -n 1 err)"
before=$(cksum a.spade)
"$spadework" report a.spade a.spade -o a.html --pdf a.pdf >out 2>err || wrong "report: exit $?: $(cat err)"
grep -q '^report  *a.html$' out || wrong "does not say where it is: $(cat out)"
[ "$(head -c 4 a.pdf)" = "%PDF" ] || wrong "a.pdf is no PDF"
[ "$before" = "$(cksum a.spade)" ] || wrong "the recording has changed"
"$spadework" report a.spade -o a.html >out 2>err || wrong "an older report is not replaced: $(cat err)"
"$spadework" report a.spade -o a.spade >out 2>err && wrong "writes over its own recording"
"$spadework" report a.spade >out 2>err && wrong "writes nothing and calls it good"
grep -q 'needs -o OUT.html' err || wrong "does not say what is missing: $(cat err)"
head -c 3000 a.spade >cut.spade
"$spadework" report cut.spade -o cut.html >out 2>err
[ $? = 1 ] || wrong "a cut recording gives exit $?"
[ ! -e cut.html ] || wrong "a cut recording leaves a page"

# The runs to compare with are looked up; whoever has none is told which command makes one.
grep -qF 'This makes one: spadework run trench --headless --operator expert --keep' err && wrong "a cut recording has a hint"
"$spadework" report a.spade -o a.html >out 2>err || wrong "report: exit $?: $(cat err)"
grep -qF 'This makes one: spadework run trench --headless --operator expert --keep' err || wrong "no command is named: $(cat err)"
[ "$(wc -l <err)" -eq 1 ] || wrong "more than one line: $(cat err)"
"$spadework" report a.spade --no-compare -o b.html >out 2>err || wrong "report: exit $?: $(cat err)"
[ ! -s err ] || wrong "--no-compare tells: $(cat err)"
"$spadework" run trench --headless --operator expert --keep --seconds 5 >out 2>err || wrong "--keep: $(cat err)"
set -- "$XDG_DATA_HOME"/spadework/recordings/trench-*.spade
[ -f "$1" ] || wrong "--keep keeps no recording"
"$spadework" results >out || wrong "results: exit $?"
grep -qF "$1" out || wrong "--keep stores no attempt: $(cat out)"
"$spadework" run trench --headless --keep --no-record --seconds 1 >out 2>err && wrong "--keep --no-record is taken"
"$spadework" report a.spade -o a.html >out 2>err || wrong "report: exit $?: $(cat err)"
[ ! -s err ] || wrong "with an expert at hand it tells: $(cat err)"
grep -q '>A: expert, 20' a.html || wrong "the expert is not in the comparison"
"$spadework" report a.spade --results nowhere.db -o a.html >out 2>err && wrong "results that are not there are taken"
[ ! -e nowhere.db ] || wrong "a report made a file of results"

# A logo of the settings stands at the head of the page and of the PDF; a file that is no
# picture gives an error with what to do, and is left out.
command -v python3 >/dev/null 2>&1 || { echo "$script: needs python3 (trainer/packages.txt)" && exit 77; }
python3 - <<'END'
import struct, zlib
def png(width, height, rows):
    part = lambda name, data: struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + rows(part) + part(b"IEND", b"")
good = png(300, 60, lambda part: part(b"IDAT", zlib.compress((b"\0" + b"\x10\x60\xc0" * 300) * 60)))
open("logo.png", "wb").write(good)
open("cut.png", "wb").write(good[:80])
open("wide.png", "wb").write(png(2001, 1, lambda part: part(b"IDAT", zlib.compress(b"\0" * 6004))))
open("large.png", "wb").write(good + bytes(1 << 20))
open("text.png", "w").write("no picture\n" * 9)
END
mkdir -p "$XDG_CONFIG_HOME/spadework"
set_logo() {
    printf 'kind: settings\nlogo: %s\n' "$work/$1" >"$XDG_CONFIG_HOME/spadework/settings.yaml"
}
set_logo logo.png
good report a.spade --no-compare -o logo.html --pdf logo.pdf
[ ! -s err ] || wrong "a good logo gives an error: $(cat err)"
grep -q '<p><img width="220" height="44" alt="" src="data:image/png;base64,iVBORw0KGgo' logo.html || wrong "the page has no logo"
[ "$(grep -a -c '/Subtype /Image' logo.pdf)" -ge 1 ] || wrong "the PDF has no logo"
for one in 'cut.png: cannot be decoded' 'wide.png: read 2001 x 1 pixels, allowed 1..2000 a side: save it smaller' \
    'large.png: read 10[0-9]* bytes, allowed 1048576' 'text.png: read no PNG, allowed a PNG file' 'none.png: .*No such file'; do
    set_logo "${one%%:*}"
    good report a.spade --no-compare -o logo.html
    grep -q "logo $work/$one.*logo in settings.yaml.*the debrief has none\|logo $work/$one.*change logo in settings.yaml" err || wrong "$one: $(cat err)"
    grep -q '<p><img width="220"' logo.html && wrong "${one%%:*} is on the page"
done
rm "$XDG_CONFIG_HOME/spadework/settings.yaml"

browser=$(command -v chromium || command -v chromium-browser) || {
    echo "report.sh: no chromium here: the page was not opened in a browser"
    exit $result
}
open_page() {
    timeout 120 "$browser" --no-sandbox --headless --disable-gpu --user-data-dir="$PWD/profile" --enable-logging=stderr "$@" \
        "file://$PWD/a.html" 2>console
}
open_page --dump-dom >dom || wrong "the browser does not open it: $(tail -n 3 console)"
grep -q 'CONSOLE' console && wrong "the browser's console: $(grep CONSOLE console)"
[ "$(grep -o '<figure id=' dom | wc -l)" -ge 8 ] || wrong "figures are missing"
[ "$(grep -o 'src="data:image' dom | wc -l)" -ge 8 ] || wrong "figures have no pictures"
for link in $(grep -o 'href="#[a-z0-9]*"' dom | cut -d '#' -f 2 | tr -d '"'); do
    grep -q "id=\"$link\"" dom || wrong "the link to $link leads nowhere"
done
# On a phone (390 pixels) the page does not pan sideways, however long names are, and neither page nor paper names a folder.
long=$(printf 'a_long_name_without_blanks_%.0s' 1 2 3 4)
cp a.spade "$work/$long.spade"
"$spadework" report "$work/$long.spade" a.spade a.spade a.spade -o a.html --pdf long.pdf >out 2>err || wrong "report: exit $?: $(cat err)"
grep -q -F "$work" a.html && wrong "the page shows the folder of the recording"
command=$(sed -n 's/.*<code>\(spadework replay .*\) --from S<.*/\1/p' a.html)
[ "$command" = "spadework replay $long.spade" ] || wrong "not a command for the recording's folder: $command"
cp a.html page.html
printf '%s' '<!DOCTYPE html><html><body style="margin:0"><iframe style="border:0;width:390px;height:900px" src="page.html"></iframe>' \
    '<script>onload=()=>{let d=document.querySelector("iframe").contentDocument.documentElement;' \
    'document.body.dataset.width=d.scrollWidth+" of "+d.clientWidth}</script></body></html>' >a.html
open_page --allow-file-access-from-files --virtual-time-budget=5000 --dump-dom >dom || wrong "the browser does not open the frame"
widths=$(grep -o 'data-width="[^"]*"' dom | cut -d '"' -f 2)
[ -n "$widths" ] && [ "${widths% of *}" = "${widths#* of }" ] || wrong "on a phone the page is wider than the screen: $widths"
cp page.html a.html
open_page --window-size=800,3000 --screenshot="$PWD/page.png" >out
[ "$(od -A n -t x1 -N 8 page.png | tr -d ' \n')" = 89504e470d0a1a0a ] || wrong "the browser cannot draw it"
exit $result
