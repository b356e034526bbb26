/// The command `station`: the key by which this computer signs recordings, and the stations that are trusted.
#ifndef SPADEWORK_TRAINER_CLI_STATION_H
#define SPADEWORK_TRAINER_CLI_STATION_H

#include "trainer/cli/cli_options.h"

/// Does what the words behind `station` say: none prints this station's name and public key, `init NAME` makes a key,
/// `trust KEY NAME` adds another station. Returns the exit code; a failure is one line on stderr.
int cli_station(const CliOptions *options);

#endif
