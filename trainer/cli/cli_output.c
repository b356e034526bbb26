/// What commands print: failures, JSON, the progress of long work, and the seals of a recording.
#include "trainer/cli/cli_output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "trainer/report/report.h"

#define SHOW_EVERY 0.25 ///< s
#define SHOW_AFTER 1.0 ///< s: what is done sooner needs no line

int cli_fail(const Status *status)
{
    fprintf(stderr, "spadework: %s\n", status->text);
    return (int)status->code;
}

int cli_flush(void)
{
    if (fflush(stdout) == 0 && ferror(stdout) == 0) {
        return STATUS_GOOD;
    }
    fprintf(stderr, "spadework: the output cannot be written: %s\n", strerror(errno));
    return STATUS_LACKING;
}

/// ---- JSON ----------------------------------------------------------------------------------------------------------

void cli_print_json(json_t *value)
{
    json_dumpf(value, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    putchar('\n');
    json_decref(value);
}

json_t *cli_json_text(const char *text)
{
    return text[0] != '\0' ? json_string(text) : json_null();
}

json_t *cli_seal_json(const RecordingSeal *seal)
{
    json_t *object = json_object();
    char words[SEAL_WORDS];
    seal_words(seal, true, words, sizeof words);
    json_object_set_new(object, "state", json_string(seal_state_name(seal->state)));
    json_object_set_new(object, "seals", json_integer(seal->count));
    json_object_set_new(object, "closed", json_boolean(seal->closed));
    json_object_set_new(object, "seal", cli_json_text(seal->hash));
    json_object_set_new(object, "signed_by", cli_json_text(seal->station));
    json_object_set_new(object, "station_key", cli_json_text(seal->key));
    json_object_set_new(object, "trusted_station", cli_json_text(seal->trusted));
    json_object_set_new(object, "change", seal->state == RECORDING_CHANGED ? json_string(words) : json_null());
    return object;
}

/// ---- progress ------------------------------------------------------------------------------------------------------

bool cli_shows_progress(const RunOptions *options)
{
    return options->progress || isatty(STDERR_FILENO) == 1;
}

void cli_show_progress(void *context, int64_t done, int64_t all)
{
    CliProgress *self = context;
    double now = drive_clock();
    self->began = self->began == 0.0 ? now : self->began;
    bool early = !self->at_once && now - self->began < SHOW_AFTER;
    if (early || (now - self->shown < SHOW_EVERY && done < all) || (done == all && !self->visible && !self->at_once)) {
        return;
    }
    self->shown = now;
    self->visible = true;
    int64_t whole = all - self->from, so_far = done - self->from;
    fprintf(stderr, "\r%s %lld of %lld %s (%d %%)%s", self->done, (long long)so_far, (long long)whole, self->what,
            whole > 0 ? (int)(100 * so_far / whole) : 100, done < all ? "" : "\n");
}
