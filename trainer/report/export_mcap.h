/// A recording as an MCAP file, for Foxglove and for people who work with ROS 2. docs/mcap.md lists the channels.
///
/// Times are ns of simulated time since the scene's start: a recording that took another one over begins later than 0.
/// States come `rate` times a second; events at their ticks; figures of the exercise with each survey of the ground;
/// the ground once a second while it changes. What was typed and who drove is left out. Belongs to the session's
/// thread.
#ifndef SPADEWORK_TRAINER_EXPORT_MCAP_H
#define SPADEWORK_TRAINER_EXPORT_MCAP_H

#include "trainer/record/record.h"
#include "trainer/sim/sim.h"

enum { EXPORT_MCAP_RATE = 60 }; ///< Hz, the usual rate

typedef struct ExportMcap ExportMcap;

typedef struct ExportMcapParams {
    const char *path; ///< over an older MCAP file, but over nothing else; PATH.part until the end
    int rate; ///< Hz, a divisor of the tick rate; 0: EXPORT_MCAP_RATE, or the tick rate where that is no multiple of it
    Recording *recording; ///< whose events, files and origin are written; outlives the export
    const RecordingSeal *seal; ///< what its seals say
} ExportMcapParams;

/// Creates the file for a session at the recording's first tick, which outlives the export. NULL with `status`: a rate
/// that does not divide the tick rate (STATUS_BAD_USAGE), or the file cannot be written (STATUS_LACKING).
ExportMcap *export_mcap_create(const ExportMcapParams *params, Session *session, Status *status);
/// Adds the session's present state, where one is due. Call it at the first tick and after each. False with `status`
/// (STATUS_LACKING).
bool export_mcap_tick(ExportMcap *export, Status *status);
int64_t export_mcap_messages(const ExportMcap *export); ///< so far
/// Ends and frees it. keep  false: nothing is left of the file. False with `status` when it was to be kept and could
/// not be written whole: nothing is left of it then, too. NULL is good.
bool export_mcap_close(ExportMcap *export, bool keep, Status *status);

#endif
