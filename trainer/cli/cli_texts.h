/// The command texts.
#ifndef SPADEWORK_TRAINER_CLI_TEXTS_H
#define SPADEWORK_TRAINER_CLI_TEXTS_H

#include "trainer/cli/cli_parse.h"

/// Prints the words of the named scenes, of all shipped ones when none is named, with those of metrics and incidents,
/// as a template for translators (gettext PO). Returns the exit code.
int cli_texts(const CliOptions *options);

#endif
