/// The motion of the operator's seat for a motion platform: one UDP packet for each hundredth of a simulated second.
///
/// A packet is MOTION_PACKET_SIZE bytes, little-endian; docs/motion-platform.md lists its fields. Sending never waits:
/// what the network does not take is lost, and the packets' numbers show it. Nothing is read from the network. The
/// session's thread.
#ifndef SPADEWORK_TRAINER_MOTION_STREAM_H
#define SPADEWORK_TRAINER_MOTION_STREAM_H

#include "trainer/sim/sim.h"

enum { MOTION_PACKET_SIZE = 112, MOTION_PACKET_VERSION = 1, MOTION_RATE = 100 };
/// Flags of a packet, beside those of the limits (MACHINE_LIMIT_BIT).
enum {
    MOTION_FLAG_END = 1 << 8, ///< the last: go back to neutral
    MOTION_FLAG_JUMP =
        1 << 9, ///< the first, or the first after a seek or a restart: what was before does not lead here
};

typedef struct MotionStream MotionStream;

/// True when `target` is HOST:PORT with a port of 1..65535; [ADDRESS]:PORT where the address holds colons. Else false
/// with `status` (STATUS_BAD_USAGE).
bool motion_stream_check(const char *target, Status *status);
/// Opens a socket to HOST:PORT. NULL with `status`: a bad target (STATUS_BAD_USAGE), a host that is not known or no
/// socket (STATUS_LACKING).
MotionStream *motion_stream_create(const char *target, Status *status);
/// Sends the packets of the session's last tick: one for each hundredth of a second in it, 1 or 2 at 60 ticks a second.
void motion_stream_tick(MotionStream *stream, const Session *session);
/// The session was restored, or is another one: the next packet says so. NULL is nothing.
void motion_stream_jump(MotionStream *stream);
/// Sends a last packet like the one before, with MOTION_FLAG_END, and closes. NULL is nothing.
void motion_stream_close(MotionStream *stream);

#endif
