/// Packets for a motion platform, received on this computer; and targets that are none.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/test.h"
#include "trainer/report/motion_stream.h"

static Session *make_session(void)
{
    static const char *const set[] = {"ground.size_x=26", "ground.size_y=26"};
    SessionParams params = {.scene = "free", .set = set, .set_count = 2, .threads = 1};
    Status status;
    Session *session = session_create(&params, &status);
    assert_good(session != NULL, status);
    return session;
}

/// A socket of this computer that listens, and its HOST:PORT.
static int listen_here(char target[32])
{
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof here;
    int handle = socket(AF_INET, SOCK_DGRAM, 0);
    assert_true(handle >= 0);
    assert_int_equal(bind(handle, (struct sockaddr *)&here, sizeof here), 0);
    assert_int_equal(getsockname(handle, (struct sockaddr *)&here, &size), 0);
    snprintf(target, 32, "127.0.0.1:%d", ntohs(here.sin_port));
    return handle;
}

/// The next packet; false when none comes.
static bool receive(int handle, unsigned char packet[MOTION_PACKET_SIZE])
{
    struct pollfd waits = {.fd = handle, .events = POLLIN};
    unsigned char bytes[2 * MOTION_PACKET_SIZE];
    if (poll(&waits, 1, 200) <= 0) {
        return false;
    }
    assert_int_equal(recv(handle, bytes, sizeof bytes, 0), MOTION_PACKET_SIZE);
    memcpy(packet, bytes, MOTION_PACKET_SIZE);
    return true;
}

static uint64_t whole(const unsigned char *packet, int at, int bytes)
{
    uint64_t value = 0;
    for (int k = bytes - 1; k >= 0; k--) {
        value = value << 8 | packet[at + k];
    }
    return value;
}

static double real_of(const unsigned char *packet, int at)
{
    uint32_t bits = (uint32_t)whole(packet, at, 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static double time_of(const unsigned char *packet)
{
    uint64_t bits = whole(packet, 24, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

enum { TICKS = 60 };

/// A second of driving is a hundred packets, numbered, each at its own hundredth, and one that ends.
TEST(test_a_hundred_packets_a_second)
{
    char target[32];
    int handle = listen_here(target), count = 0;
    Status status;
    MotionStream *stream = motion_stream_create(target, &status);
    assert_good(stream != NULL, status);
    Session *session = make_session();
    OperatorControls controls = control_neutral;
    controls.axis[CONTROL_LEFT_TRACK] = controls.axis[CONTROL_RIGHT_TRACK] = CONTROL_FULL;
    unsigned char packet[MOTION_PACKET_SIZE];
    for (int tick = 1; tick <= TICKS; tick++) {
        session_tick(session, &controls);
        motion_stream_tick(stream, session);
        while (count < tick * 100 / 60 && receive(handle, packet)) {
            assert_memory_equal(packet, "SPMO", 4);
            assert_int_equal(whole(packet, 4, 2), MOTION_PACKET_VERSION);
            assert_int_equal(whole(packet, 6, 2), MOTION_PACKET_SIZE);
            assert_int_equal(whole(packet, 8, 4), count);
            assert_int_equal(whole(packet, 12, 4) & MOTION_FLAG_JUMP, count == 0 ? MOTION_FLAG_JUMP : 0);
            assert_int_equal(whole(packet, 16, 8), tick);
            count++;
            assert_near(time_of(packet), count / 100.0, 1e-12);
        }
        assert_int_equal(count, tick * 100 / 60);
    }
    assert_int_equal(count, 100);
    const SessionFrame *frame = session_frame(session); // the last packet is of the last substep
    assert_near(real_of(packet, 32), frame->seat.force.x, 1e-5);
    assert_near(real_of(packet, 40), frame->seat.force.z, 1e-5);
    assert_near(real_of(packet, 48), frame->seat.rate.y, 1e-6);
    assert_near(real_of(packet, 56), frame->seat.onset.x, 1e-5);
    assert_near(real_of(packet, 76), frame->seat.sustained.z, 1e-5);
    assert_near(real_of(packet, 88), frame->seat.turn.z, 1e-6);
    assert_near(real_of(packet, 96), frame->seat.attitude.y, 1e-6);
    assert_near(real_of(packet, 104), frame->machine.engine_speed, 1e-4);
    assert_near(real_of(packet, 108), frame->seat.vibration, 1e-5);
    motion_stream_jump(stream);
    motion_stream_close(stream);
    assert_true(receive(handle, packet));
    assert_int_equal(whole(packet, 8, 4), 100);
    assert_int_equal(whole(packet, 12, 4) & MOTION_FLAG_END, MOTION_FLAG_END);
    assert_false(receive(handle, packet));
    session_destroy(session);
    close(handle);
}

/// Nobody listens: the session is driven on, nothing waits and nothing fails.
TEST(test_nobody_listens)
{
    char target[32];
    Status status;
    close(listen_here(target));
    MotionStream *stream = motion_stream_create(target, &status);
    assert_good(stream != NULL, status);
    Session *session = make_session();
    OperatorControls controls = control_neutral;
    for (int tick = 0; tick < 10; tick++) {
        session_tick(session, &controls);
        motion_stream_tick(stream, session);
    }
    motion_stream_close(stream);
    motion_stream_close(NULL);
    motion_stream_jump(NULL);
    session_destroy(session);
}

TEST(test_targets_that_are_none)
{
    static const char *const bad[] = {"",         "localhost", "localhost:", ":4600",   "localhost:0",
                                      "a:65536",  "a:123456",  "a:-1",       "a:46x",   "a: 46",
                                      "::1:4600", "[::1]4600", "[::1:4600",  "[]:4600", "a:1:2"};
    Status status;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        assert_false(motion_stream_check(bad[k], &status));
        assert_int_equal(status.code, STATUS_BAD_USAGE);
        assert_non_null(strstr(status.text, "HOST:PORT is expected"));
        assert_null(motion_stream_create(bad[k], &status));
        assert_int_equal(status.code, STATUS_BAD_USAGE);
    }
    assert_true(motion_stream_check("platform.example:4600", &status));
    assert_true(motion_stream_check("[::1]:65535", &status));
    assert_null(motion_stream_create("no-such-host.invalid:4600", &status));
    assert_int_equal(status.code, STATUS_LACKING);
    assert_non_null(strstr(status.text, "no-such-host.invalid:4600"));
}

TEST_GROUP(NULL, NULL)
