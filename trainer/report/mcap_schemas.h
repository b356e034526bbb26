/// JSON schemas of an export's channels (export_mcap.h). Those of Foxglove (https://docs.foxglove.dev/docs/sdk/schemas)
/// and of ROS 2 have the names and fields by which panels know them; those of Spadework say units. Any thread.
#ifndef SPADEWORK_TRAINER_MCAP_SCHEMAS_H
#define SPADEWORK_TRAINER_MCAP_SCHEMAS_H

#include "trainer/report/byte_buffer.h"
#include "trainer/sim/sim.h"

typedef enum McapChannel {
    MCAP_JOINT_STATES,
    MCAP_TF,
    MCAP_BASE,
    MCAP_TIP,
    MCAP_WRENCH,
    MCAP_PAYLOAD,
    MCAP_LEVERS,
    MCAP_HYDRAULICS,
    MCAP_EXERCISE,
    MCAP_LOG,
    MCAP_EVENTS,
    MCAP_GROUND,
    MCAP_CHANNELS
} McapChannel;

typedef struct McapChannelInfo {
    const char *topic, *schema_name;
} McapChannelInfo;
extern const McapChannelInfo mcap_channels[MCAP_CHANNELS];

/// Writes the schema of a channel for this session's machine and exercise, with the closing NUL.
void mcap_schema(McapChannel channel, const Session *session, ByteBuffer *text);

#endif
