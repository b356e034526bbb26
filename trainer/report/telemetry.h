/// Telemetry: a CSV file with one row a tick, SI units, a header row.
///
/// The columns of joints bear the names that the machine's tables give them, those of their pressures NAME_pressure:
/// swing, boom, stick, bucket of an excavator; ripper, blade_lift, blade_angle, blade_tilt of a bulldozer.
/// `limit` is the gravest limit that acts, `limits` all of them ("relief+slip"), `relief` whose relief valves are open:
/// joints by their names, left_track, right_track ("boom+bucket"); each is "none" where there is none.
/// `tool_f`, `tool_m`: force and moment of soil and rocks on the first tool. `tool_load`: size of all that it feels,
/// with what is solid (`solid_f`), a load on its sling (`sling_f`) and a hammer's blows (`blow_f`); a second tool's
/// whole force is named after the body that carries it (`ripper_f`). All N, on the tool, world axes
/// (trainer/sim/coupling.h). `seat_` columns are the operator's (seat_motion.h): specific force, rates, weighted
/// vibration. Numbers have 9 digits and a point whatever the locale; masses are exact to the soil's quantum. The last
/// three columns are wall times, the only ones that differ between two runs.
#ifndef SPADEWORK_TRAINER_TELEMETRY_H
#define SPADEWORK_TRAINER_TELEMETRY_H

#include "trainer/sim/sim.h"

typedef struct Telemetry Telemetry;

/// Creates the file, over older telemetry of the same name but over nothing else, and writes the header.
/// machine  whose joints name columns; copied
/// NULL with `status` (STATUS_LACKING) when it cannot, or when it is a pipe that nobody reads.
Telemetry *telemetry_create(const char *path, const MachineParams *machine, Status *status);
/// Adds the row of the session's last tick. Buffered; written out each simulated second, for which a reader is waited
/// for, once a stop was asked for not for long (data/core/system_files.h). False once writing failed.
bool telemetry_tick(Telemetry *telemetry, const Session *session, Status *status);
/// True when it failed because nobody reads the pipe that it goes to any more.
bool telemetry_reader_left(const Telemetry *telemetry);
/// Writes the rest and closes. False when something was lost. NULL is good.
bool telemetry_close(Telemetry *telemetry, Status *status);

#endif
