/// Reads what a report is made of: the recording's own scene, figures, events, samples and maps of the ground.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/language.h"
#include "data/schema/load.h"
#include "trainer/report/scene_language.h"
#include "trainer/report/report_pages_internal.h"

double report_time(const ReportRun *run, int64_t tick)
{
    return (double)tick * run->dt;
}

static void copy_meta(Recording *recording, const char *key, char *text, size_t size)
{
    const char *value = recording_meta(recording, key);
    snprintf(text, size, "%s", value != NULL ? value : "");
}

/// Whose run it says it is.
static void read_about(Recording *recording, const char *path, double dt, ReportRun *run)
{
    snprintf(run->path, sizeof run->path, "%s", path);
    copy_meta(recording, "trainee", run->trainee, sizeof run->trainee);
    copy_meta(recording, "operator", run->operator_name, sizeof run->operator_name);
    recording_credit(recording, &run->credit);
    copy_meta(recording, "created", run->created, sizeof run->created);
    copy_meta(recording, "build", run->build, sizeof run->build);
    run->dt = dt;
    run->first_tick = recording_first_tick(recording);
    run->last_tick = recording_ticks(recording);
}

static bool read_run(Recording *recording, const char *path, double dt, ReportRun *run, Status *status)
{
    read_about(recording, path, dt, run);
    ExerciseMetric metrics[EXERCISE_MAX_METRICS];
    int count = recording_metrics(recording, metrics, EXERCISE_MAX_METRICS);
    run->has_values = count > 0 && run->seal.state == RECORDING_WHOLE;
    for (int k = 0; k < count && k < EXERCISE_MAX_METRICS; k++) {
        Metric metric = metric_named(metrics[k].name);
        if (metric < METRIC_COUNT && isfinite(metrics[k].value)) {
            run->values[metric] = metrics[k].value;
        }
    }
    run->events = calloc(EXERCISE_MAX_EVENTS, sizeof *run->events);
    if (run->events == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory for its events", path);
    }
    run->event_count = recording_events(recording, run->events, EXERCISE_MAX_EVENTS);
    run->sample_count = recording_trace(recording, &run->samples, status);
    return run->sample_count >= 0;
}

static bool read_main(const ReportRequest *request, Recording *recording, ReportData *data, Status *status)
{
    if (!data_load_scene_from_files(recording_files(recording), &data->scene, &data->machine, status)) {
        return false;
    }
    language_translate_scene(&data->scene);
    data->design = design_create(&data->scene.exercise, DESIGN_OF_WORK, NULL, status);
    if (data->design == NULL) {
        return false;
    }
    double dt = 1.0 / data->scene.rates.tick_rate;
    if (!recording_prove(recording, request->progress, request->context, &data->run.seal, status)) {
        return false;
    }
    if (request->seal != NULL) {
        *request->seal = data->run.seal;
    }
    if (report_is_changed(data)) {
        read_about(recording, request->recording, dt, &data->run);
        return true; // what else lies in it may be anything
    }
    return read_run(recording, request->recording, dt, &data->run, status) &&
           recording_ground(recording, data->run.first_tick, &data->before, status) &&
           recording_ground(recording, data->run.last_tick, &data->after, status);
}

static void free_run(ReportRun *run)
{
    free(run->events);
    free(run->samples);
}

static bool read_other(const char *path, ReportRun *run, Status *status)
{
    Recording *recording = recording_open(path, status);
    if (recording == NULL) {
        return false;
    }
    SceneParams *scene = calloc(1, sizeof *scene);
    MachineParams *machine = calloc(1, sizeof *machine);
    bool good = scene != NULL && machine != NULL &&
                data_load_scene_from_files(recording_files(recording), scene, machine, status) &&
                recording_check_seals(recording, &run->seal, status) &&
                read_run(recording, path, 1.0 / scene->rates.tick_rate, run, status);
    free(scene);
    free(machine);
    recording_close(recording);
    return good;
}

/// One that was looked up and cannot be read is left out, and told.
static bool read_others(const ReportRequest *request, ReportData *data, Status *status)
{
    snprintf(data->note, sizeof data->note, "%s", request->note != NULL ? request->note : "");
    for (int k = 0; k < request->against_count && k < REPORT_MAX_AGAINST; k++) {
        const ReportOther *other = &request->against[k];
        ReportRun *run = &data->against[data->against_count];
        *run = (ReportRun){0};
        snprintf(run->role, sizeof run->role, "%s", other->role);
        if (read_other(other->path, run, status)) {
            data->against_count++;
        } else if (other->found) {
            free_run(run);
            snprintf(data->note, sizeof data->note, language_text("Not compared with %s: %.400s"),
                     language_text(other->role), status->text);
        } else {
            data->against_count++; // whose memory is freed with the others'
            return false;
        }
    }
    return true;
}

static bool summarise(ReportData *data, Status *status)
{
    const ReportRun *run = &data->run;
    ScoreStand *stands = calloc((size_t)run->sample_count + 1, sizeof *stands);
    if (stands == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: out of memory for its score", run->path);
    }
    for (int64_t k = 0; k < run->sample_count; k++) {
        stands[k].tick = run->samples[k].tick;
        stands[k].work = run->samples[k].work;
        memcpy(stands[k].amount, run->samples[k].amount, sizeof stands[k].amount);
    }
    ReportFacts facts = {.asked = &data->scene.exercise,
                         .values = run->values,
                         .events = run->events,
                         .event_count = run->event_count,
                         .stands = stands,
                         .stand_count = run->sample_count,
                         .dt = run->dt,
                         .units = data->units};
    report_summarise(&facts, &data->summary);
    report_give_credit(&data->summary, &run->credit, run->trainee);
    free(stands);
    return true;
}

ReportData *report_data_read(const ReportRequest *request, Status *status)
{
    ReportData *data = calloc(1, sizeof *data);
    if (data == NULL) {
        status_fail(status, STATUS_LACKING, "%s: out of memory for the report", request->recording);
        return NULL;
    }
    data->units = request->units;
    Recording *recording = recording_open(request->recording, status);
    bool good = recording != NULL && read_main(request, recording, data, status);
    recording_close(recording);
    if (!good || !read_others(request, data, status) || !summarise(data, status)) {
        report_data_free(data);
        return NULL;
    }
    return data;
}

void report_data_free(ReportData *data)
{
    if (data == NULL) {
        return;
    }
    free_run(&data->run);
    for (int k = 0; k < data->against_count; k++) {
        free_run(&data->against[k]);
    }
    design_destroy(data->design);
    free(data->before.height);
    free(data->after.height);
    free(data);
}
