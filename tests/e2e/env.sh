#!/bin/sh
# Sessions over a socket: levers give the recording that `run` makes of them, states go back, clients do not disturb each other,
# garbage and strangers are refused, and signals end the server in good order. The client is docs/examples/env_client.py.
. "$(dirname "$0")/common.inc"
# numpy is a package of the system, of whose python others may stand in front
for python in python3 /usr/bin/python3; do
    ! "$python" -c 'import numpy' 2>/dev/null || break
done
"$python" -c 'import numpy' || { echo "$script: python3-numpy is missing; tests/run.sh installs it" && exit 1; }

# serve ARGS...: the server in the background; its address and token are in $address and $token.
serve() {
    "$spadework" env "$@" >out 2>err &
    program=$!
    until_line '^spadework: env: ' err
    address=$(sed -n 's/^spadework: env: \([^,]*\).*/\1/p' err)
    token=$(sed -n 's/^spadework: env: .*, token //p' err)
}
check() {
    "$python" "$root/tests/e2e/env_check.py" "$@" || result=1
}

# Levers of two seconds, driven by `run` and by a client: every tick and state is equal, and both verify.
printf 't,swing,boom,stick,bucket\n0,0,-0.4,0.2,0\n1,0.3,0,0.6,0.5\n' >levers.csv
run run trench --headless --operator levers.csv --seconds 2 --threads 1 --record run.spade
[ $code -eq 0 ] || wrong "run: $(cat err)"
serve --listen "$work/site.sock" --sessions 3 --connections 4
[ "$address" = "unix:$work/site.sock" ] && [ -z "$token" ] || wrong "tells $(cat err)"
[ "$(stat -c %a site.sock)" = 600 ] || wrong "others may use the socket: $(stat -c %a site.sock)"
check drive "$address" "$work/client.spade"
for table in input state; do
    sqlite3 run.spade "SELECT tick, hash FROM $table ORDER BY tick" >run.rows
    sqlite3 client.spade "SELECT tick, hash FROM $table ORDER BY tick" >client.rows
    [ -s run.rows ] && cmp -s run.rows client.rows || wrong "other ticks in $table: $(diff run.rows client.rows | head -n 3)"
done
run replay client.spade --verify
[ $code -eq 0 ] || wrong "the client's recording: $(cat err)"
for part in states clients garbage limits killed; do
    check $part "$address"
done

# A second server leaves the socket alone; SIGTERM breaks a step of hours off, and its recording is whole.
run env --listen "$work/site.sock"
[ $code -eq 4 ] && grep -q 'another program listens' err || wrong "a second server: $code, $(cat err)"
"$python" "$root/tests/e2e/env_check.py" forever "$address" "$work/forever.spade" >forever 2>&1 &
waits=$!
until_line stepping forever
kill -TERM $program
cp err err.program
ended
wait $waits || wrong "the client that steps: $(cat forever)"
[ ! -e site.sock ] || wrong "the socket is left"
run replay forever.spade --verify
[ $code -eq 0 ] || wrong "the recording of the step that broke off: $(cat err)"

# TCP: a random token, or one of a file that nobody else may read; this computer alone.
serve --listen localhost:0
check tcp "$address" "$token"
kill -INT $program
ended
printf '0123456789abcdef\n' >token
run env --listen localhost:0 --token token
[ $code -eq 1 ] && grep -q 'others may read' err || wrong "a token that others may read: $code, $(cat err)"
chmod 600 token
serve --listen '[::1]:0' --token token
[ -z "$token" ] || wrong "prints the token of a file"
check tcp "$address" 0123456789abcdef
kill -TERM $program
ended
for listen in 0.0.0.0:0 '[::]:0' site.sock example.org:80 127.0.0.1:70000 127.0.0.1 unix: ''; do
    run env --listen "$listen"
    [ $code -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] || wrong "--listen '$listen': $code, $(cat err)"
done
run env
[ $code -eq 2 ] && grep -q 'needs --listen' err || wrong "no address: $code, $(cat err)"
exit $result
