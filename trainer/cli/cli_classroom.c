/// The classroom as a command.
#include "trainer/cli/cli_classroom.h"

#include <stdio.h>
#include <time.h>

#include "data/core/signals.h"
#include "trainer/remote/remote.h"
#include "trainer/cli/cli_commands.h"

int cli_classroom(const CliOptions *options)
{
    const RunOptions *run = &options->run;
    Status status = {STATUS_GOOD, ""};
    ClassroomParams params = {
        .console = {.address = run->console_address, .port = run->console_port, .token = run->console_token},
        .broker = {.url = run->broker, .password_file = run->broker_password_file, .ca_file = run->broker_ca},
    };
    Classroom *classroom = classroom_open(&params, &status);
    if (classroom == NULL) {
        return cli_fail(&status);
    }
    fprintf(stderr, "spadework: the classroom: %s\n", classroom_url(classroom));
    while (!signals_stop_asked()) {
        classroom_step(classroom);
        nanosleep(&(struct timespec){0, 1000000000 / CLASSROOM_STEPS}, NULL);
    }
    classroom_close(classroom);
    return STATUS_GOOD;
}
