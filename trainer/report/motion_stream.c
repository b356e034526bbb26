/// Sends the seat's motion by UDP. Packets are written byte by byte: they do not depend on byte order and alignment.
#include "trainer/report/motion_stream.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HOST_LENGTH = 256, PORT_LENGTH = 6, MOST_PORT = 65535 };

struct MotionStream {
    int socket; ///< connected, does not wait
    uint32_t sequence; ///< packets so far
    bool jumped; ///< the next packet says so
    unsigned char last[MOTION_PACKET_SIZE]; ///< what was sent last
};

/// ---- address -------------------------------------------------------------------------------------------------------

/// Splits HOST:PORT or [ADDRESS]:PORT. False where it is neither.
static bool split_target(const char *target, char host[HOST_LENGTH], char port[PORT_LENGTH])
{
    bool bracket = target[0] == '[';
    const char *start = bracket ? target + 1 : target, *colon = strrchr(target, ':');
    const char *end = bracket ? strchr(target, ']') : colon;
    if (colon == NULL || end == NULL || end == start || end - start >= HOST_LENGTH ||
        (bracket ? end + 1 != colon : strchr(target, ':') != colon)) {
        return false;
    }
    size_t digits = strlen(colon + 1);
    if (digits == 0 || digits >= PORT_LENGTH || strspn(colon + 1, "0123456789") != digits) {
        return false;
    }
    long number = strtol(colon + 1, NULL, 10);
    snprintf(host, HOST_LENGTH, "%.*s", (int)(end - start), start);
    snprintf(port, PORT_LENGTH, "%s", colon + 1);
    return number >= 1 && number <= MOST_PORT;
}

static bool fail_target(const char *target, Status *status)
{
    return status_fail(status, STATUS_BAD_USAGE,
                       "--motion %.80s: HOST:PORT is expected, with a port of 1 to %d (localhost:4600, [::1]:4600)",
                       target, MOST_PORT);
}

bool motion_stream_check(const char *target, Status *status)
{
    char host[HOST_LENGTH], port[PORT_LENGTH];
    return split_target(target, host, port) || fail_target(target, status);
}

/// The first address of the host, IPv4 or others, that a socket can be connected to; -1 with errno.
static int open_first(const struct addrinfo *addresses, bool ipv4)
{
    int handle = -1;
    for (const struct addrinfo *at = addresses; at != NULL && handle < 0; at = at->ai_next) {
        if ((at->ai_family == AF_INET) != ipv4) {
            continue;
        }
        handle = socket(at->ai_family, at->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, at->ai_protocol);
        if (handle >= 0 && connect(handle, at->ai_addr, at->ai_addrlen) != 0) {
            close(handle);
            handle = -1;
        }
    }
    return handle;
}

/// Motion platforms listen at IPv4 as a rule, while a resolver may name localhost's ::1 first.
static int open_socket(const struct addrinfo *addresses)
{
    int handle = open_first(addresses, true);
    return handle >= 0 ? handle : open_first(addresses, false);
}

MotionStream *motion_stream_create(const char *target, Status *status)
{
    char host[HOST_LENGTH], port[PORT_LENGTH];
    if (!split_target(target, host, port)) {
        fail_target(target, status);
        return NULL;
    }
    struct addrinfo wanted = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM}, *addresses = NULL;
    int problem = getaddrinfo(host, port, &wanted, &addresses);
    if (problem != 0) {
        status_fail(status, STATUS_LACKING, "--motion %.80s: the host is not known: %s", target, gai_strerror(problem));
        return NULL;
    }
    MotionStream *stream = calloc(1, sizeof *stream);
    int handle = stream != NULL ? open_socket(addresses) : -1;
    if (handle < 0) {
        status_fail(status, STATUS_LACKING, "--motion %.80s: no socket can be opened to it: %s", target,
                    stream != NULL ? strerror(errno) : "out of memory");
        free(stream);
        stream = NULL;
    } else {
        stream->socket = handle;
        stream->jumped = true;
    }
    freeaddrinfo(addresses);
    return stream;
}

/// ---- packets -------------------------------------------------------------------------------------------------------

/// A packet being put together.
typedef struct Packet {
    unsigned char bytes[MOTION_PACKET_SIZE];
    size_t length;
} Packet;

static void put_whole(Packet *packet, uint64_t value, int bytes)
{
    for (int k = 0; k < bytes; k++) {
        packet->bytes[packet->length++] = (unsigned char)(value >> (8 * k));
    }
}

static void put_real(Packet *packet, double value)
{
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    put_whole(packet, bits, 4);
}

static void put_vector(Packet *packet, Vec3 v)
{
    put_real(packet, v.x);
    put_real(packet, v.y);
    put_real(packet, v.z);
}

enum { SEQUENCE_AT = 8, FLAGS_AT = 12 };

static void send_packet(MotionStream *stream, const unsigned char bytes[MOTION_PACKET_SIZE])
{
    // What cannot be sent is lost, as any UDP packet may be: nobody listens yet, the buffer is full.
    (void)send(stream->socket, bytes, MOTION_PACKET_SIZE, MSG_DONTWAIT | MSG_NOSIGNAL);
    stream->sequence++;
}

/// `time`: s of the session.
static void send_sample(MotionStream *stream, const SessionFrame *frame, double time, const SeatSample *sample)
{
    Packet packet = {.length = 0};
    uint64_t bits;
    memcpy(packet.bytes, "SPMO", 4);
    packet.length = 4;
    put_whole(&packet, MOTION_PACKET_VERSION, 2);
    put_whole(&packet, MOTION_PACKET_SIZE, 2);
    put_whole(&packet, stream->sequence, 4);
    put_whole(&packet, (uint64_t)frame->machine.limits | (stream->jumped ? MOTION_FLAG_JUMP : 0), 4);
    put_whole(&packet, (uint64_t)frame->tick, 8);
    memcpy(&bits, &time, sizeof bits);
    put_whole(&packet, bits, 8);
    put_vector(&packet, sample->force);
    put_vector(&packet, sample->rate);
    put_vector(&packet, sample->onset);
    put_vector(&packet, sample->sustained);
    put_vector(&packet, sample->turn);
    put_vector(&packet, sample->attitude);
    put_real(&packet, frame->machine.engine_speed);
    put_real(&packet, sample->vibration);
    stream->jumped = false;
    memcpy(stream->last, packet.bytes, sizeof stream->last);
    send_packet(stream, packet.bytes);
}

void motion_stream_tick(MotionStream *stream, const Session *session)
{
    const SessionFrame *frame = session_frame(session);
    const SceneRates *rates = &session_scene(session)->rates;
    const SeatMotion *seat = session_seat(session);
    // Packet n stands for n hundredths of a second, that is n x substeps a second / 100 substeps since the start.
    int64_t per_second = (int64_t)rates->tick_rate * rates->substeps, before = (frame->tick - 1) * rates->substeps;
    int64_t first = before * MOTION_RATE / per_second + 1, last = frame->tick * MOTION_RATE / rates->tick_rate;
    for (int64_t n = first; n <= last; n++) {
        SeatSample sample = seat_motion_at(seat, (double)(n * per_second - before * MOTION_RATE) / MOTION_RATE);
        send_sample(stream, frame, (double)n / MOTION_RATE, &sample);
    }
}

void motion_stream_jump(MotionStream *stream)
{
    if (stream != NULL) {
        stream->jumped = true;
    }
}

void motion_stream_close(MotionStream *stream)
{
    if (stream == NULL) {
        return;
    }
    if (stream->sequence > 0) {
        for (int k = 0; k < 4; k++) {
            stream->last[SEQUENCE_AT + k] = (unsigned char)(stream->sequence >> (8 * k));
        }
        stream->last[FLAGS_AT + 1] |= (unsigned char)(MOTION_FLAG_END >> 8);
        send_packet(stream, stream->last);
    }
    close(stream->socket);
    free(stream);
}
