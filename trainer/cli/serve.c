/// A station: scene after scene on one console.
#include "trainer/cli/serve.h"

#include <stdio.h>

#include "data/core/temporary_folder.h"
#include "data/core/signals.h"
#include "trainer/cli/cli_commands.h"
#include "trainer/remote/remote.h"

/// The scripted operator digs the trench until the page ends it. What is recorded on the way is thrown away.
static int serve_demo(Instructor *instructor, RunOptions options, ServeDrive *drive)
{
    InstructorWish wish = {0};
    Status status = {STATUS_GOOD, ""};
    char folder[TEMPORARY_FOLDER], record[TEMPORARY_FOLDER + 16];
    if (!temporary_folder_make(folder, &status)) {
        return cli_fail(&status);
    }
    int code = STATUS_GOOD;
    snprintf(record, sizeof record, "%s/demo.spade", folder);
    options.scene = "trench";
    options.operator_name = "auto";
    options.headless = true;
    options.record = record;
    while (!wish.ends && !signals_stop_asked() && code == STATUS_GOOD) {
        temporary_folder_empty(folder);
        code = drive(&options, instructor_guide(instructor), &status);
        instructor_offer_debrief(instructor);
        wish = instructor_wish(instructor);
    }
    temporary_folder_remove(folder);
    return code;
}

static int serve_scenes(Instructor *instructor, RunOptions options, ServeDrive *drive)
{
    InstructorWish next = instructor_wait(instructor);
    int code = STATUS_GOOD;
    options.stationed = true;
    while (!next.ends) {
        InstructorWish now = next;
        Status why = {STATUS_GOOD, ""};
        options.scene = now.scene;
        options.trainee = now.trainee[0] != '\0' ? now.trainee : NULL;
        options.course = now.course[0] != '\0' ? now.course : NULL;
        code = drive(&options, instructor_guide(instructor), &why);
        instructor_offer_debrief(instructor);
        if (code != STATUS_GOOD) {
            instructor_tell_failure(instructor, why.text[0] != '\0' ? why.text : now.scene);
        }
        next = instructor_wish(instructor);
        next.ends = signals_stop_asked(); // the order `end` ends the drive, and the station waits for another
        if (!next.ends && next.scene[0] == '\0') {
            next = instructor_wait(instructor);
        }
    }
    return code;
}

int serve(const CliOptions *options, ServeDrive *drive)
{
    Status status = {STATUS_GOOD, ""};
    RunOptions run = options->run;
    run.has_console = true;
    Instructor *instructor = instructor_open(&run, !options->demo, &status);
    if (instructor == NULL) {
        return cli_fail(&status);
    }
    int code = options->demo ? serve_demo(instructor, run, drive) : serve_scenes(instructor, run, drive);
    instructor_close(instructor);
    return code;
}
