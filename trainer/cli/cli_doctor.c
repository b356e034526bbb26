/// Runs all looks one after the other, since those that measure want the computer for themselves.
#include "trainer/cli/cli_doctor.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "trainer/cli/cli_commands.h"
#include "trainer/cli/doctor_findings.h"
#include "trainer/cli/probe_looks.h"
#include "trainer/cli/looks.h"

/// SDL is linked here alone.
static void look_at_all_software(DoctorFacts *facts, DoctorTell *tell)
{
    SDL_version linked;
    char version[40];
    SDL_GetVersion(&linked);
    snprintf(version, sizeof version, "%u.%u.%u", linked.major, linked.minor, linked.patch);
    look_add_library(&facts->software, "SDL", version);
    look_at_software(facts, tell);
}

static const struct {
    DoctorLook *look;
    double limit; ///< s that it may be silent: several times what it takes on a slow computer. Chosen
} looks[DOCTOR_PART_COUNT] = {
    [DOCTOR_COMPUTER] = {look_at_computer, 3.0}, [DOCTOR_FILES] = {look_at_files, 5.0},
    [DOCTOR_SESSION] = {look_at_session, 8.0},   [DOCTOR_DRAWING] = {look_at_drawing, 12.0},
    [DOCTOR_DEVICES] = {look_at_devices, 5.0},   [DOCTOR_SOUND] = {look_at_sound, 5.0},
    [DOCTOR_FOLDERS] = {look_at_folders, 4.0},   [DOCTOR_SOFTWARE] = {look_at_all_software, 6.0},
};

static void look_at_everything(const CliOptions *options, DoctorFacts *facts)
{
    bool tells = isatty(STDERR_FILENO) == 1;
    facts->files.terminal = isatty(STDOUT_FILENO) == 1;
    facts->drawing.given = options->run.quality > 0;
    if (facts->drawing.given) {
        facts->drawing.asked = (SettingsQuality)(options->run.quality - 1);
    }
    for (int part = 0; part < DOCTOR_PART_COUNT; part++) {
        if (tells) {
            fprintf(stderr, "\rlooks at: %-30s", doctor_part_words((DoctorPart)part));
        }
        doctor_look(facts, (DoctorPart)part, looks[part].look, looks[part].limit);
    }
    if (tells) {
        fprintf(stderr, "\r%-40s\r", "");
    }
}

int cli_doctor(const CliOptions *options)
{
    Status status;
    DoctorFacts *facts = calloc(1, sizeof *facts);
    DoctorReport *report = calloc(1, sizeof *report);
    if (facts == NULL || report == NULL) {
        free(facts);
        free(report);
        status_fail(&status, STATUS_LACKING, "out of memory for the findings");
        return cli_fail(&status);
    }
    look_at_everything(options, facts);
    doctor_judge(facts, report);
    if (options->run.json) {
        doctor_print_json(report, stdout);
    } else {
        doctor_print(report, stdout);
    }
    int written = cli_flush();
    int code = written != STATUS_GOOD ? written : report->window ? STATUS_GOOD : STATUS_LACKING;
    doctor_free(report);
    free(report);
    free(facts);
    return code;
}
