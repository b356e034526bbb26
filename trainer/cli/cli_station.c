/// Commands of a station: its signing key (station), driving scenes that an instructor's page loads (serve), and the
/// page of all stations of a broker (serve --classroom). And sessions for programs (env).
#include "trainer/cli/cli_commands.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "data/core/signals.h"
#include "data/core/system_files.h"
#include "trainer/cli/cli_table.h"
#include "trainer/record/record.h"
#include "trainer/remote/remote.h"

/// ---- station -------------------------------------------------------------------------------------------------------

/// A line that `spadework station trust` takes on another computer.
static void print_station(const Station *station)
{
    char text[STATION_HEX];
    station_key_text(station->key, text);
    printf("%s %s\n", text, station->name);
}

static bool print_own_station(Status *status)
{
    Station station;
    if (!station_load(&station, status)) {
        return false;
    }
    bool there = station.name[0] != '\0';
    if (there) {
        print_station(&station);
    }
    station_forget(&station);
    return there ||
           status_fail(status, STATUS_LACKING,
                       "this computer has no key: recordings are sealed and not signed; to make one: spadework "
                       "station init NAME");
}

static bool make_station(const char *name, Status *status)
{
    Station station;
    bool good = station_make(name, &station, status);
    if (good) {
        print_station(&station);
    }
    station_forget(&station);
    return good;
}

static bool trust_station(const char *text, const char *name, Status *status)
{
    unsigned char key[STATION_KEY];
    if (!station_key_read(text, key)) {
        return status_fail(status, STATUS_BAD_USAGE, "station trust %.80s: no key, allowed 64 hexadecimal digits",
                           text);
    }
    if (!station_trust(name, key, status)) {
        return false;
    }
    printf("%s: trusted\n", name);
    return true;
}

int cli_station(const CliOptions *options)
{
    Status status = {STATUS_GOOD, ""};
    const char *const *words = options->files;
    int count = options->file_count;
    bool good = count == 0                                    ? print_own_station(&status)
                : count == 2 && strcmp(words[0], "init") == 0 ? make_station(words[1], &status)
                : count == 3 && strcmp(words[0], "trust") == 0
                    ? trust_station(words[1], words[2], &status)
                    : status_fail(&status, STATUS_BAD_USAGE,
                                  "station %.80s: nothing, init NAME or trust "
                                  "KEY NAME is allowed; see: spadework station "
                                  "--help",
                                  words[0]);
    int written = cli_flush();
    return good ? written : cli_fail(&status);
}

/// ---- serve ---------------------------------------------------------------------------------------------------------

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
        options.conditions = &now.conditions;
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

int cli_serve(const CliOptions *options, ServeDrive *drive)
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

/// ---- serve --classroom ---------------------------------------------------------------------------------------------

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

/// ---- env -----------------------------------------------------------------------------------------------------------

int cli_env(const CliOptions *options)
{
    Status status = {STATUS_GOOD, ""};
    const EnvServerParams params = {.listen = options->listen,
                                    .any_host = options->any_host,
                                    .token_file = options->token_file,
                                    .session_most = options->session_most,
                                    .connection_most = options->connection_most};
    EnvServer *server = env_server_start(&params, &status);
    if (server == NULL) {
        return cli_fail(&status);
    }
    const char *token = env_server_token(server);
    fprintf(stderr, "spadework: env: %s%s%s\n", env_server_address(server), token != NULL ? ", token " : "",
            token != NULL ? token : "");
    env_server_run(server);
    env_server_close(server);
    return STATUS_GOOD;
}
