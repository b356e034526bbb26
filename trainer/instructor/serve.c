/// A station: scene after scene on one console.
#include "trainer/instructor/serve.h"

#include <stdio.h>

#include "data/core/signals/signals.h"
#include "trainer/command/cli_commands.h"
#include "trainer/instructor/instructor.h"

/// The scripted operator digs the trench until the page ends it.
static int serve_demo(Instructor *instructor, RunOptions options, ServeDrive *drive)
{
    InstructorWish wish = {0};
    int code = STATUS_GOOD;
    options.scene = "trench";
    options.operator_name = "auto";
    options.headless = true;
    while (!wish.ends && !signals_stop_asked() && code == STATUS_GOOD) {
        code = drive(&options, instructor_guide(instructor));
        wish = instructor_wish(instructor);
    }
    return code;
}

static int serve_scenes(Instructor *instructor, RunOptions options, ServeDrive *drive)
{
    InstructorWish next = instructor_wait(instructor);
    int code = STATUS_GOOD;
    while (!next.ends) {
        InstructorWish now = next;
        options.scene = now.scene;
        options.trainee = now.trainee[0] != '\0' ? now.trainee : NULL;
        code = drive(&options, instructor_guide(instructor));
        if (code != STATUS_GOOD) {
            instructor_tell_failure(instructor, now.scene); // stderr says why
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
    Instructor *instructor = instructor_open(&options->run, !options->demo, &status);
    if (instructor == NULL) {
        return cli_fail(&status);
    }
    int code =
        options->demo ? serve_demo(instructor, options->run, drive) : serve_scenes(instructor, options->run, drive);
    instructor_close(instructor);
    return code;
}
