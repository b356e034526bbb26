/// The command line as a table: commands, options and their help (cli_table.h), and how it is read (cli_parse.h).
#ifndef SPADEWORK_TRAINER_CLI_DOOR_H
#define SPADEWORK_TRAINER_CLI_DOOR_H

#include "trainer/cli/cli_parse.h"
#include "trainer/cli/cli_table.h"
#include "trainer/cli/cli_values.h"

#endif
