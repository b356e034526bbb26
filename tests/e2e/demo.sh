#!/bin/sh
# test: long
# Without arguments and without a display: the demonstration runs by itself and leaves what it says.
. "$(dirname "$0")/common.inc"

"$spadework" >out 2>err || wrong "exit $?: $(tail -n 1 err)"
grep -q 'no display' err || wrong "does not say that there is no display"
tr '\r' '\n' <err | grep -q '^\[#.*45.0 of 45.0 s' || wrong "shows no progress: $(tail -n 2 err)"
for file in trench.spade trench.csv; do
    [ -s spadework-demo/$file ] || wrong "$file is missing"
    grep -q "spadework-demo/$file" out || wrong "$file is not named"
done
"$spadework" check spadework-demo/*.spade >checked 2>&1 || wrong "its recordings: $(cat checked)"
[ "$(sed -n '$p' spadework-demo/trench.csv | cut -d , -f 1)" = 2700 ] || wrong "the trench was not dug for 45 s"
grep -q 'constant' out && ! grep -q 'NOT constant' out || wrong "soil mass: $(grep 'soil mass' out)"
if ! grep -q 'without pictures' err; then
    for picture in trench-dump trench-halfway trench-cab; do
        [ "$(od -A n -t x1 -N 8 spadework-demo/$picture.png | tr -d ' \n')" = 89504e470d0a1a0a ] || wrong "$picture.png"
    done
fi
before=$(cksum spadework-demo/*)

# In a clone it leaves nothing that git would show: this folder with the repository's rules stands for one.
command -v git >/dev/null || { echo "demo.sh: git is missing; tests/run.sh installs it" && exit 1; }
git init -q . && cp "$root/.gitignore" .
untracked() {
    git status --porcelain --untracked-files=all | grep -v -e ' .gitignore$' -e ' out$' -e ' err$' -e ' checked$'
}
[ -z "$(untracked)" ] || wrong "leaves in a clone: $(untracked)"

# Again: a folder of its own. Ctrl-C ends it in good order.
"$spadework" >out 2>err &
program=$!
for _ in $(seq 100); do
    [ -s spadework-demo-2/trench.csv ] && break
    sleep 0.1
done
sleep 1
kill -TERM $program
wait $program
code=$?
program=
[ $code -eq 0 ] || wrong "interrupted: exit $code: $(tail -n 1 err)"
"$spadework" check spadework-demo-2/*.spade >checked 2>&1 || wrong "interrupted: $(cat checked)"
[ "$(cksum spadework-demo/*)" = "$before" ] || wrong "the second demonstration changed the first one's files"
[ -z "$(untracked)" ] || wrong "the second one leaves in a clone: $(untracked)"
[ ! -e spadework-demo-2/truck-loading.spade ] || wrong "interrupted, it went on with the next scene"

# Where nothing can be written it says so.
if [ "$(id -u)" -ne 0 ]; then
    mkdir closed
    chmod a-w closed
    (cd closed && "$spadework" >../out 2>../err)
    code=$?
    [ $code -eq 4 ] || wrong "a folder that cannot be written: exit $code"
fi
[ $result -eq 0 ] && echo "demo.sh: the demonstration leaves recordings, telemetry and pictures"
exit $result
