#!/bin/sh
# libmosquitto 2.0.21 hides why a broker of MQTT 3.1.1 refuses a client of MQTT 5; 2.0.11 said it.
# One would guess: both call on_connect with the reason "unsupported protocol version", as the broker answers it (CONNACK, code 1).
# What happens: 2.0.11 calls on_connect with 132 (0x84) and then on_disconnect; 2.0.21 calls on_disconnect alone, with 21
# (MOSQ_ERR_MALFORMED_PACKET, for which mosquitto_strerror has no text). A client that goes back to MQTT 3.1.1 when it is told to
# never does. Who meets it: a school whose broker is a small one of MQTT 3.1.1 (here aedes, for Node.js), after a station's move from
# Debian 12 to Debian 13. Seen 2026-11-29 with libmosquitto1 2.0.11-1.2+deb12u2 and 2.0.21-1, aedes 0.51.3.
#   sh mqtt5_client_at_mqtt3_broker.sh    needs gcc, node, npm, curl, libssl3; ends with 1 when the behaviour is another one
set -u
work=$(mktemp -d) || exit 4
broker=
trap '[ -z "$broker" ] || kill "$broker" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 4
# package NAME_VERSION SHA256
package() {
    curl -sfO "http://deb.debian.org/debian/pool/main/m/mosquitto/$1_amd64.deb" &&
        echo "$2  $1_amd64.deb" | sha256sum --quiet -c - && dpkg -x "$1_amd64.deb" "$1" || { echo "cannot get $1" && exit 4; }
}
old=libmosquitto1_2.0.11-1.2+deb12u2 new=libmosquitto1_2.0.21-1 headers=libmosquitto-dev_2.0.11-1.2+deb12u2
package $old 91aaf63e3ce4cafdbeaf33be4111917ff8095870701d9693d094a9716330992f
package $new d249f578c6e65483e92e9ff2fdee24b9526ebebdac6bdab111b1633da488b30f
package $headers 583290b24f3a1755a1c1348c4eb54e96665fe0de29c756c4c06d0a863dd0f7c1
npm install --silent --no-audit --no-fund --prefix . aedes@0.51.3 >/dev/null 2>&1 || { echo "cannot get aedes" && exit 4; }

cat >broker.js <<'END'
const broker = require('aedes')()
broker.on('connectionError', (client, error) => console.log('broker refuses:', error.message))
const server = require('net').createServer(broker.handle)
server.listen(0, '127.0.0.1', () => console.log('port', server.address().port))
END
cat >client.c <<'END'
#include <mosquitto.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
static bool ended;
static void on_connect(struct mosquitto *client, void *user, int code, int flags, const mosquitto_property *properties)
{
    (void)client, (void)user, (void)flags, (void)properties;
    printf(" on_connect(%d)", code);
}
static void on_disconnect(struct mosquitto *client, void *user, int code, const mosquitto_property *properties)
{
    (void)client, (void)user, (void)properties;
    printf(" on_disconnect(%d)", code);
    ended = true;
}
int main(int count, char **words)
{
    if (count != 3) return 2;
    int major, minor, revision;
    mosquitto_lib_init();
    mosquitto_lib_version(&major, &minor, &revision);
    printf("libmosquitto %d.%d.%d, MQTT %s:", major, minor, revision, atoi(words[2]) == 5 ? "5" : "3.1.1");
    struct mosquitto *client = mosquitto_new("station", true, NULL);
    mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, atoi(words[2]));
    mosquitto_connect_v5_callback_set(client, on_connect);
    mosquitto_disconnect_v5_callback_set(client, on_disconnect);
    if (mosquitto_connect(client, "127.0.0.1", atoi(words[1]), 60) != 0) return 3;
    for (int k = 0; k < 30 && !ended; k++)
        if (mosquitto_loop(client, 100, 1) != 0) break;
    printf("\n");
    return 0;
}
END
folder=usr/lib/x86_64-linux-gnu
gcc client.c -I $headers/usr/include -o client -L $old/$folder -l:libmosquitto.so.1 -Wl,--allow-shlib-undefined || exit 4
node broker.js >broker.log &
broker=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
    port=$(sed -n 's/^port //p' broker.log)
    [ -z "$port" ] || break
    sleep 0.5
done
for library in $old $new; do
    for protocol in 4 5; do # as the library numbers MQTT 3.1.1 and 5
        LD_LIBRARY_PATH=$library/$folder ./client "$port" $protocol
    done
done | tee seen
grep -v '^port' broker.log | sort | uniq -c
cat >expected <<'END'
libmosquitto 2.0.11, MQTT 3.1.1: on_connect(0)
libmosquitto 2.0.11, MQTT 5: on_connect(132) on_disconnect(2)
libmosquitto 2.0.21, MQTT 3.1.1: on_connect(0)
libmosquitto 2.0.21, MQTT 5: on_disconnect(21)
END
cmp -s seen expected && echo "as seen before" || { echo "ANOTHER BEHAVIOUR than was seen before" && exit 1; }
