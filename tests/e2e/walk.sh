#!/bin/sh
# test: long
# A walk through the window: each page of the menu, of a drive, of a replay and of what follows them; in English, or in all three
# languages at once where the translations differ from those of the kept pictures. Each page is reached by keys, stands still, looks
# like its picture in tests/golden/walk, and differs between languages; each key that the program, its lists of keys and the README
# name is pressed.
#   walk.sh            compares; then sees that a missing text is told
#   walk.sh --update   draws the kept pictures anew: look at them before they are committed
#   SPADEWORK  the program (default: build/release/bin/spadework)   KEEP  a folder to keep the pictures in
#   LANGUAGES, WALKS   which of them ("en de es" for all languages; default: as above, all walks)
set -u
root=${SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd -P)}
spadework=${SPADEWORK:-$root/build/release/bin/spadework}
script=walk.sh
golden=$root/tests/golden/walk
least_mean=0.995 least_tile=0.98 # of a page's likeness to the kept one, 0..1: pages in another language stay below 0.91
site_mean=0.985 site_tile=0.93  # of panels, through which a moving site is seen
for tool in ffmpeg flock; do
    command -v $tool >/dev/null || { echo "walk.sh: $tool is missing; tests/run.sh installs it" && exit 1; }
done

# One language: walk.sh --language LANGUAGE FOLDER UPDATE, which leaves pages, figures and pressed in the folder.
if [ "${1:-}" = --language ]; then
    language=$2 walked=$3 update=$4
    screen=800x450
    . "$root/tests/e2e/window.inc"
    . "$root/tests/e2e/alike.inc"
    . "$root/tests/e2e/walk.inc"
    . "$root/tests/e2e/walk_menu.inc"
    . "$root/tests/e2e/walk_drive.inc"
    export SDL_AUDIODRIVER=none
    keep=$walked
    [ "$update" -eq 0 ] || mkdir -p "$golden/$language"
    cd "$work" || exit 1
    # Some pages name the folder that they are about: it is the same in each run.
    home=/tmp/spadework-walk/$language
    export XDG_DATA_HOME="$home/data" XDG_CONFIG_HOME="$home/config"
    for walk in ${WALKS:-first home scenes controls settings drive dozer ends replay}; do
        "walk_$walk"
    done
    [ "${WALKS:-}" ] || [ $update -eq 1 ] || walk_spoiled
    rm -rf "$home"
    for told in pages figures pressed; do
        [ ! -s $told ] || cp $told "$walked/$language-$told"
    done
    exit $result
fi

update=0
[ "${1:-}" != --update ] || update=1
texts=$(cat "$root"/data/texts/*.po "$root"/data/texts/screen/*.po | cksum)
default=en
[ $update -eq 0 ] && [ "$texts" = "$(cat "$golden/texts" 2>/dev/null)" ] || default='en de es'
languages=${LANGUAGES:-$default}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
walked=${KEEP:-$work}
result=0
wrong() {
    echo "walk.sh: $*"
    result=1
}

# One walk at a time, for the folder's sake.
mkdir -p /tmp/spadework-walk && exec 9>/tmp/spadework-walk/lock && flock -w 300 9 ||
    { echo "walk.sh: /tmp/spadework-walk cannot be had" && exit 1; }
walkers=
for language in $languages; do
    sh "$0" --language "$language" "$walked" $update 9>&- &
    walkers="$walkers $!"
done
for walker in $walkers; do
    wait "$walker" || result=1
done

# Between two languages at least one tile of a page is another one.
least_mean=0.999 least_tile=0.99
. "$root/tests/e2e/alike.inc"
cd "$work" || exit 1
set -- $languages
while [ $# -gt 1 ]; do
    first=$1
    shift
    for other in "$@"; do
        while read -r page; do
            [ -s "$walked/$other-$page.png" ] || { wrong "$other-$page is missing" && continue; }
            ! is_alike "$walked/$first-$page.png" "$walked/$other-$page.png" || wrong "$page is the same in $first and $other: $told"
        done <"$walked/$first-pages"
    done
done
[ "${WALKS:-}" ] || . "$root/tests/e2e/walk_keys.inc"
[ $result -ne 0 ] || echo "walk.sh: $(cat "$walked"/*-pages | wc -l) pages in $languages; least like the kept ones:" \
    "$(cat "$walked"/*-figures 2>/dev/null | sort -n -k 2 | head -n 1)"
[ $update -eq 0 ] || [ $result -ne 0 ] || [ "$languages" != 'en de es' ] || echo "$texts" >"$golden/texts"
exit $result
