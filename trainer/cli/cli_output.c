/// Tells of seals as JSON, and draws the line of a long check.
#include "trainer/cli/cli_output.h"

#include <stdio.h>
#include <unistd.h>

#include "trainer/pilot/pilot.h"
#include "trainer/report/report.h"

#define SHOW_EVERY 0.25 ///< s
#define SHOW_AFTER 1.0 ///< s: what is done sooner needs no line

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

static json_t *text_or_null(const char *text)
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
    json_object_set_new(object, "seal", text_or_null(seal->hash));
    json_object_set_new(object, "signed_by", text_or_null(seal->station));
    json_object_set_new(object, "station_key", text_or_null(seal->key));
    json_object_set_new(object, "trusted_station", text_or_null(seal->trusted));
    json_object_set_new(object, "change", seal->state == RECORDING_CHANGED ? json_string(words) : json_null());
    return object;
}
