#!/bin/sh
# test: long
# A ghost beside a drive: drawn only. What is recorded with it and without it is the same in every tick, in the window and without one; who
# asks for the expert's ghost and has none is told which command makes one.
. "$(dirname "$0")/common.inc"

# states REC: the hash of every tick.
states() {
    sqlite3 "$1" 'select tick, hex(hash) from state order by tick' || wrong "$1 cannot be read"
}

run run trench --headless --operator auto --seconds 3 --ghost expert --shot never.png --record none.spade
[ $code -eq 1 ] || wrong "a ghost that there is not: exit $code"
grep -qF 'This makes one: spadework run trench --headless --operator expert --keep' err || wrong "no command is named: $(cat err)"
[ ! -e none.spade ] || wrong "it has begun a recording"
run run trench --headless --operator expert --keep --seconds 1
[ $code -eq 0 ] || wrong "--keep: $(cat err)"
run run trench --headless --operator auto --clumsy 0.5 --seconds 1 --record without.spade --shot without.png
[ $code -eq 4 ] && grep -q picture err && {
    echo "ghost.sh: this computer draws no pictures"
    exit 77
}
run run trench --headless --operator auto --clumsy 0.5 --seconds 1 --record with.spade --ghost expert --shot with.png
[ $code -eq 0 ] || wrong "with a ghost: exit $code: $(cat err)"
[ "$(states without.spade)" = "$(states with.spade)" ] || wrong "a ghost changes the drive"
cmp -s without.png with.png && wrong "the ghost is not in the picture"
run run trench --headless --seconds 0.5 --ghost with.spade
[ $code -eq 2 ] || wrong "a ghost without a picture: exit $code"
run run trench --headless --seconds 1 --ghost with.png --shot again.png
[ $code -eq 1 ] || wrong "a picture as a ghost: exit $code"
run resume with.spade --at 0.5 --headless --operator auto --seconds 0.3 --ghost expert --shot resumed.png
[ $code -eq 0 ] || wrong "a ghost beside one that is taken over: exit $code: $(cat err)"

export SDL_VIDEODRIVER=offscreen
run run trench --operator auto --seconds 0.5 --mute --no-record --record a.spade
[ $code -eq 0 ] || wrong "the window: exit $code: $(cat err)"
run run trench --operator auto --seconds 0.5 --mute --no-record --record b.spade --ghost with.spade
[ $code -eq 0 ] || wrong "the window with a ghost: exit $code: $(cat err)"
[ "$(states a.spade)" = "$(states b.spade)" ] || wrong "a ghost in the window changes the drive"
run run free --operator auto --seconds 0.2 --mute --no-record --ghost with.spade
grep -q 'it drives another scene' err || wrong "another scene is not told: $(cat err)"
exit $result
