/// Writes demonstrations: where each array lies in a layout, what a recording is replayed from, and the samples.
#include "trainer/report/export_hdf5.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/core/signals.h"
#include "data/schema/schema.h"
#include "trainer/report/hdf5_file.h"
#include "trainer/report/output_file.h"
#include "trainer/report/report_words.h"
#include "trainer/report/sampling.h"

const char *const hdf5_layout_names[HDF5_LAYOUT_COUNT] = {
#define X(id, name) name,
    HDF5_LAYOUTS(X)
#undef X
};

static const char *const camera_names[] = {
#define X(id, name) name,
    CAMERAS(X)
#undef X
};

/// ---- series --------------------------------------------------------------------------------------------------------

/// What an observation belongs to; decides on where a layout has it.
typedef enum Place { OF_MACHINE, OF_TASK, OF_TIME, OF_HEIGHTS, OF_CAMERA } Place;

/// An array of observations; robomimic has each a second time, a sample later.
typedef struct Series {
    Hdf5Array now, next;
} Series;

enum { SERIES_MOST = SAMPLING_ARRAYS + HDF5_CAMERAS + 8 };

enum { TIME_TICK, TIME_SECONDS, TIME_COUNT };
enum { HEIGHTS_GROUND, HEIGHTS_DESIGN, HEIGHTS_MASK, HEIGHTS_PLACE, HEIGHTS_COUNT };

/// What all demonstrations of a file have in common.
typedef struct DemoFile {
    Hdf5File file;
    int axis_count; ///< of an action; 0: none was written yet
    ControlAxis axes[CONTROL_COUNT];
} DemoFile;

/// One recording that is being written.
typedef struct Demo {
    const Hdf5Params *params;
    DemoFile *common;
    Hdf5Summary *summary;
    int number; ///< of the recording
    char root[32]; ///< "" or "/data/demo_3"
    Recording *recording;
    Session *session;
    Hdf5File *file;
    Sampling sampling;
    int rate, step; ///< samples a second; ticks from one to the next
    int picture_step; ///< ticks
    int64_t first, samples; ///< tick; whole intervals that the recording holds
    Series observed[SAMPLING_ARRAYS], time[TIME_COUNT], heights[HEIGHTS_COUNT], pictures[HDF5_CAMERAS];
    Hdf5Array action, reward, done, state, picture_tick;
    int64_t levers[CONTROL_COUNT]; ///< sum over the interval
    double score; ///< at its beginning
    double *values; ///< [sampling.column_count]
    float *numbers; ///< [sampling.column_count], or a patch
    float *design;
    uint8_t *mask;
    unsigned char *rgb;
} Demo;

/// True of layouts in which each array has a row a sample, pictures too.
static bool is_aligned(const Demo *self)
{
    return self->params->layout != HDF5_LAYOUT_SPADEWORK;
}

/// Path of an observation.
static void path_of(const Demo *self, Place place, const char *name, bool next, char path[HDF5_PATH])
{
    static const char *const groups[HDF5_LAYOUT_COUNT][OF_CAMERA + 1] = {
        [HDF5_LAYOUT_SPADEWORK] = {"observations/", "task/", "time/", "heights/", "pictures/"},
        [HDF5_LAYOUT_ACT] = {"observations/", "observations/", "observations/", "observations/heights_",
                             "observations/images/"},
        [HDF5_LAYOUT_ROBOMIMIC] = {"obs/", "obs/", "obs/", "obs/heights_", "obs/"}};
    bool robomimic = self->params->layout == HDF5_LAYOUT_ROBOMIMIC;
    snprintf(path, HDF5_PATH, "%s/%s%s%s%s", self->root, next ? "next_" : "", groups[self->params->layout][place], name,
             robomimic && place == OF_CAMERA ? "_image" : "");
}

static void make_series(Demo *self, Series *series, Place place, const char *name, Hdf5Type type, int rank,
                        const uint64_t *sizes, bool big)
{
    char path[HDF5_PATH];
    bool twice = self->params->layout == HDF5_LAYOUT_ROBOMIMIC;
    int room = place == OF_CAMERA ? 1 : self->rate, chunk = big ? 1 : self->rate;
    for (int next = 0; next <= twice; next++) {
        path_of(self, place, name, next != 0, path);
        hdf5_array(self->file, next ? &series->next : &series->now, path, type, rank, sizes, chunk, room);
    }
}

static void close_series(Series *series)
{
    hdf5_array_close(&series->now);
    hdf5_array_close(&series->next);
}

/// Adds the row of sample `sample`, 0..samples: the last one is only what the last action led to.
static void add_row(const Demo *self, Series *series, int64_t sample, const void *row)
{
    if (sample < self->samples) {
        hdf5_add(&series->now, row);
    }
    if (sample > 0 && series->next.file != NULL) {
        hdf5_add(&series->next, row);
    }
}

/// Names and units of the columns of an array, and what it is.
static void describe(const Demo *self, const char *path, const SampledColumn *columns, int count, const char *about)
{
    const char *names[SAMPLING_COLUMNS], *units[SAMPLING_COLUMNS];
    for (int k = 0; k < count; k++) {
        names[k] = columns[k].name;
        units[k] = columns[k].unit;
    }
    hdf5_texts(self->file, path, "names", names, count);
    hdf5_texts(self->file, path, "units", units, count);
    hdf5_text(self->file, path, "about", about);
}

static void describe_series(const Demo *self, Place place, const char *name, const SampledColumn *columns, int count,
                            const char *about)
{
    for (int next = 0; next <= (self->params->layout == HDF5_LAYOUT_ROBOMIMIC); next++) {
        char path[HDF5_PATH];
        path_of(self, place, name, next != 0, path);
        describe(self, path, columns, count, about);
    }
}

/// ---- what is replayed ----------------------------------------------------------------------------------------------

static void write_files(Demo *self)
{
    const DataFiles *files = recording_files(self->recording);
    for (int k = 0; k < files->count; k++) {
        char path[HDF5_PATH];
        uint64_t size = files->files[k].size;
        snprintf(path, sizeof path, "%s/replay/files/%d", self->root, k);
        hdf5_data(self->file, path, HDF5_UINT8, 1, &size, files->files[k].text);
        hdf5_text(self->file, path, "kind", files->files[k].kind);
        hdf5_text(self->file, path, "name", files->files[k].name);
    }
}

/// Puts the path of a dataset of the replay together.
static const char *replay_path(const Demo *self, const char *name, char path[HDF5_PATH])
{
    snprintf(path, HDF5_PATH, "%s/replay/%s", self->root, name);
    return path;
}

enum { FAULT_NAME = 16 };

/// The orders of one column each.
typedef struct OrderColumns {
    uint64_t count;
    int64_t *ticks;
    int32_t *parts;
    double *values;
    char (*faults)[FAULT_NAME];
} OrderColumns;

static void take_order(OrderColumns *columns, const RecordedOrder *row)
{
    uint64_t k = columns->count++;
    columns->ticks[k] = row->tick;
    columns->parts[k] = row->order.part;
    columns->values[k] = row->order.value;
    snprintf(columns->faults[k], FAULT_NAME, "%s", session_fault_kind((SessionFault)row->order.fault)->name);
}

static bool gather_orders(Demo *self, OrderColumns *columns, Status *status)
{
    int64_t last = recording_ticks(self->recording);
    size_t count = 0;
    int of_tick;
    for (int64_t tick = self->first; tick < last; tick++) {
        recording_orders_of(self->recording, tick, &of_tick);
        count += (size_t)of_tick;
    }
    columns->ticks = calloc(count + 1, sizeof *columns->ticks);
    columns->parts = calloc(count + 1, sizeof *columns->parts);
    columns->values = calloc(count + 1, sizeof *columns->values);
    columns->faults = calloc(count + 1, sizeof *columns->faults);
    if (columns->ticks == NULL || columns->parts == NULL || columns->values == NULL || columns->faults == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: no memory for its orders", self->file->path);
    }
    for (int64_t tick = self->first; tick < last; tick++) {
        const RecordedOrder *rows = recording_orders_of(self->recording, tick, &of_tick);
        for (int k = 0; k < of_tick; k++) {
            take_order(columns, &rows[k]);
        }
    }
    return true;
}

static bool write_orders(Demo *self, Status *status)
{
    char path[HDF5_PATH];
    OrderColumns columns = {0};
    bool good = gather_orders(self, &columns, status);
    if (good) {
        hdf5_data(self->file, replay_path(self, "orders/tick", path), HDF5_INT64, 1, &columns.count, columns.ticks);
        hdf5_text(self->file, path, "about", "given before the controls of this tick, in this order");
        hdf5_strings(self->file, replay_path(self, "orders/fault", path), columns.faults[0], (int)columns.count,
                     FAULT_NAME);
        hdf5_data(self->file, replay_path(self, "orders/part", path), HDF5_INT32, 1, &columns.count, columns.parts);
        hdf5_data(self->file, replay_path(self, "orders/value", path), HDF5_DOUBLE, 1, &columns.count, columns.values);
    }
    free(columns.ticks);
    free(columns.parts);
    free(columns.values);
    free(columns.faults);
    return good;
}

/// Levers of each tick and the hash of each state.
static bool write_ticks(Demo *self, Status *status)
{
    char path[HDF5_PATH];
    uint64_t ticks = (uint64_t)(recording_ticks(self->recording) - self->first);
    uint64_t states = ticks + 1, sizes[2] = {ticks, CONTROL_COUNT};
    OperatorControls *controls = calloc(ticks + 1, sizeof *controls);
    uint64_t *hashes = calloc(states, sizeof *hashes);
    bool good = controls != NULL && hashes != NULL;
    if (!good) {
        status_fail(status, STATUS_LACKING, "%s: no memory for its levers", self->file->path);
    }
    for (uint64_t k = 0; k < ticks && good; k++) {
        good = recording_controls(self->recording, self->first + (int64_t)k, &controls[k], status);
    }
    for (uint64_t k = 0; k < states && good; k++) {
        hashes[k] = recording_state_hash(self->recording, self->first + (int64_t)k);
    }
    if (good) {
        hdf5_data(self->file, replay_path(self, "controls", path), HDF5_INT16, 2, sizes, controls);
        hdf5_texts(self->file, path, "names", control_axis_names, CONTROL_COUNT);
        hdf5_text(self->file, path, "about", "row t leads from tick first_tick + t to the next; 32767 is a full lever");
        hdf5_data(self->file, replay_path(self, "hash", path), HDF5_UINT64, 1, &states, hashes);
        hdf5_text(self->file, path, "about", "XXH3 of the whole state at tick first_tick + t");
    }
    free(controls);
    free(hashes);
    return good;
}

/// The state where it begins, of a recording that took another one over.
static bool write_start(Demo *self, Status *status)
{
    char path[HDF5_PATH];
    StateBuffer buffer = {0};
    bool good = self->first == 0 || state_save(self->session, &buffer, status);
    if (good && self->first > 0) {
        uint64_t size = buffer.size;
        hdf5_data(self->file, replay_path(self, "start", path), HDF5_UINT8, 1, &size, buffer.data);
        hdf5_text(self->file, path, "about", "the saved state at first_tick");
    }
    state_buffer_free(&buffer);
    return good;
}

static bool write_replay(Demo *self, Status *status)
{
    static const char *const solvers[] = {
        [SOIL_SOLVER_DEFAULT] = "default", [SOIL_SOLVER_P2] = "p2", [SOIL_SOLVER_GS] = "gs"};
    char path[HDF5_PATH];
    snprintf(path, sizeof path, "%s/replay", self->root);
    hdf5_group(self->file, path);
    hdf5_whole(self->file, path, "format", RECORDING_VERSION);
    hdf5_unsigned(self->file, path, "seed", session_seed(self->session));
    hdf5_text(self->file, path, "solver", solvers[session_solver(self->session)]);
    hdf5_whole(self->file, path, "first_tick", self->first);
    hdf5_whole(self->file, path, "tick_rate", session_scene(self->session)->rates.tick_rate);
    write_files(self);
    return write_orders(self, status) && write_ticks(self, status) && write_start(self, status);
}

/// ---- events --------------------------------------------------------------------------------------------------------

enum { EVENTS_MOST = 4096, EVENT_ROW = EVENT_TEXT + 1 };

typedef struct EventColumns {
    int count;
    int64_t ticks[EVENTS_MOST];
    double numbers[EVENTS_MOST][EVENT_NUMBER_COUNT];
    char kinds[EVENTS_MOST][EVENT_NAME], parts[EVENTS_MOST][EVENT_NAME], things[EVENTS_MOST][EVENT_NAME];
    char texts[EVENTS_MOST][EVENT_ROW];
} EventColumns;

/// What people typed may name a person: it is left out with the names.
static void take_event(const Demo *self, EventColumns *columns, ExerciseEvent *event)
{
    int k = columns->count++;
    if (!self->params->trainee_names) {
        event->text[0] = '\0';
    }
    columns->ticks[k] = event->tick;
    memcpy(columns->numbers[k], &event->number, sizeof columns->numbers[k]);
    snprintf(columns->kinds[k], EVENT_NAME, "%s", event_kind_name((EventKind)event->kind));
    snprintf(columns->parts[k], EVENT_NAME, "%s", event->part.name);
    snprintf(columns->things[k], EVENT_NAME, "%s", event->thing.name);
    event_text(event, &reader_of_files, &session_scene(self->session)->exercise, columns->texts[k]);
}

static void write_event_columns(Demo *self, const EventColumns *columns)
{
    char path[HDF5_PATH], group[64];
    snprintf(group, sizeof group, "%s/events", self->root);
    const char *names[EVENT_NUMBER_COUNT], *units[EVENT_NUMBER_COUNT];
    for (int k = 0; k < EVENT_NUMBER_COUNT; k++) {
        names[k] = event_numbers[k].name;
        units[k] = event_numbers[k].unit;
    }
    uint64_t sizes[2] = {(uint64_t)columns->count, EVENT_NUMBER_COUNT};
    snprintf(path, sizeof path, "%s/tick", group);
    hdf5_data(self->file, path, HDF5_INT64, 1, sizes, columns->ticks);
    snprintf(path, sizeof path, "%s/numbers", group);
    hdf5_data(self->file, path, HDF5_DOUBLE, 2, sizes, columns->numbers);
    hdf5_texts(self->file, path, "names", names, EVENT_NUMBER_COUNT);
    hdf5_texts(self->file, path, "units", units, EVENT_NUMBER_COUNT);
    snprintf(path, sizeof path, "%s/kind", group);
    hdf5_strings(self->file, path, columns->kinds[0], columns->count, EVENT_NAME);
    snprintf(path, sizeof path, "%s/part", group);
    hdf5_strings(self->file, path, columns->parts[0], columns->count, EVENT_NAME);
    snprintf(path, sizeof path, "%s/thing", group);
    hdf5_strings(self->file, path, columns->things[0], columns->count, EVENT_NAME);
    snprintf(path, sizeof path, "%s/text", group);
    hdf5_strings(self->file, path, columns->texts[0], columns->count, EVENT_ROW);
}

static bool write_events(Demo *self, Status *status)
{
    ExerciseEvent *events = calloc(EVENTS_MOST, sizeof *events);
    EventColumns *columns = calloc(1, sizeof *columns);
    bool good = events != NULL && columns != NULL;
    if (!good) {
        status_fail(status, STATUS_LACKING, "%s: no memory for its events", self->file->path);
    }
    int count = good ? recording_events(self->recording, events, EVENTS_MOST) : 0;
    for (int k = 0; k < count; k++) {
        take_event(self, columns, &events[k]);
    }
    if (good) {
        write_event_columns(self, columns);
    }
    free(columns);
    free(events);
    return good;
}

/// ---- attributes ----------------------------------------------------------------------------------------------------

static const char *root_of(const Demo *self)
{
    return self->root[0] != '\0' ? self->root : "/";
}

/// Copies facts that a recording states of itself.
static void write_meta(Demo *self)
{
    static const char *const keys[] = {"scene",  "title",    "build",  "computer", "solver",
                                       "driver", "operator", "clumsy", "language", "created"};
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        const char *value = recording_meta(self->recording, keys[k]);
        hdf5_text(self->file, root_of(self), keys[k], value != NULL ? value : "");
    }
    const char *trainee = self->params->trainee_names ? recording_meta(self->recording, "trainee") : NULL;
    if (trainee != NULL) {
        hdf5_text(self->file, root_of(self), "trainee", trainee);
    }
}

static void write_facts(Demo *self)
{
    Hdf5File *file = self->file;
    const char *root = root_of(self);
    const RecordingSeal *seal = &self->summary->seal;
    hdf5_flag(file, root, "complete", false);
    hdf5_whole(file, root, "format", RECORDING_VERSION);
    write_meta(self);
    hdf5_unsigned(file, root, "seed", session_seed(self->session));
    hdf5_whole(file, root, "tick_rate", session_scene(self->session)->rates.tick_rate);
    hdf5_real(file, root, "dt", session_dt(self->session));
    hdf5_whole(file, root, "rate", self->rate);
    hdf5_whole(file, root, "first_tick", self->first);
    hdf5_text(file, root, "machine", session_machine_params(self->session)->name);
    hdf5_text(file, root, "seal", seal->hash);
    hdf5_text(file, root, "seal_state", seal_state_name(seal->state));
    hdf5_text(file, root, "station", seal->station);
    hdf5_text(file, root, "station_key", seal->key);
}

/// What robomimic asks of a file.
static void write_environment(Demo *self)
{
    char text[1024], name[128];
    const char *scene = recording_meta(self->recording, "scene");
    size_t length = 0;
    for (const char *c = scene != NULL ? scene : ""; *c != '\0' && length + 2 < sizeof name; c++) {
        if (*c == '"' || *c == '\\') {
            name[length++] = '\\';
        }
        name[length++] = *c;
    }
    name[length] = '\0';
    snprintf(text, sizeof text,
             "{\"env_name\": \"spadework\", \"env_type\": 2, \"env_kwargs\": {\"scene\": \"%s\", \"seed\": %" PRIu64
             ", \"rate\": %d}}",
             name, session_seed(self->session), self->rate);
    hdf5_text(self->file, "/data", "env_args", text);
    hdf5_whole(self->file, "/data", "total", 0);
}

/// ---- arrays --------------------------------------------------------------------------------------------------------

static void make_observed(Demo *self)
{
    for (int k = 0; k < self->sampling.array_count; k++) {
        const SampledArray *array = &self->sampling.arrays[k];
        Place place = array->task ? OF_TASK : OF_MACHINE;
        uint64_t size = (uint64_t)array->count;
        make_series(self, &self->observed[k], place, array->name, HDF5_FLOAT, 1, &size, false);
        describe_series(self, place, array->name, &self->sampling.columns[array->first], array->count, array->about);
    }
    static const SampledColumn tick = {"tick", "1"}, seconds = {"seconds", "s"};
    make_series(self, &self->time[TIME_TICK], OF_TIME, "tick", HDF5_INT64, 0, NULL, false);
    describe_series(self, OF_TIME, "tick", &tick, 1, "ticks done when the sample was taken");
    make_series(self, &self->time[TIME_SECONDS], OF_TIME, "seconds", HDF5_DOUBLE, 0, NULL, false);
    describe_series(self, OF_TIME, "seconds", &seconds, 1, "simulated time");
}

static void make_heights(Demo *self)
{
    static const SampledColumn height = {"z", "m"}, mask = {"bits", "1"};
    static const SampledColumn place[] = {{"x", "m"}, {"y", "m"}, {"heading", "rad"}};
    uint64_t sizes[2] = {(uint64_t)self->params->heights, (uint64_t)self->params->heights}, three = 3;
    if (self->params->heights == 0) {
        return;
    }
    make_series(self, &self->heights[HEIGHTS_GROUND], OF_HEIGHTS, "ground", HDF5_FLOAT, 2, sizes, true);
    describe_series(self, OF_HEIGHTS, "ground", &height, 1,
                    "the ground with its grains; columns run ahead along `place`'s heading, rows to the left");
    make_series(self, &self->heights[HEIGHTS_DESIGN], OF_HEIGHTS, "design", HDF5_FLOAT, 2, sizes, true);
    describe_series(self, OF_HEIGHTS, "design", &height, 1, "what is asked for; the ground where nothing is");
    make_series(self, &self->heights[HEIGHTS_MASK], OF_HEIGHTS, "mask", HDF5_UINT8, 2, sizes, true);
    describe_series(self, OF_HEIGHTS, "mask", &mask, 1, "1: on the site, 2: grains, 4: a design");
    make_series(self, &self->heights[HEIGHTS_PLACE], OF_HEIGHTS, "place", HDF5_DOUBLE, 1, &three, false);
    describe_series(self, OF_HEIGHTS, "place", place, 3, "the patch's middle, world, and where its columns run");
    char path[HDF5_PATH];
    path_of(self, OF_HEIGHTS, "ground", false, path);
    hdf5_real(self->file, path, "spacing", self->params->spacing);
}

static void make_pictures(Demo *self)
{
    const Hdf5Params *params = self->params;
    uint64_t sizes[3] = {(uint64_t)params->height, (uint64_t)params->width, 3};
    for (int k = 0; k < params->camera_count; k++) {
        char path[HDF5_PATH];
        const char *name = camera_names[params->cameras[k]];
        make_series(self, &self->pictures[k], OF_CAMERA, name, HDF5_UINT8, 3, sizes, true);
        path_of(self, OF_CAMERA, name, false, path);
        hdf5_text(self->file, path, "about", "RGB, top row first");
        hdf5_whole(self->file, path, "rate", session_scene(self->session)->rates.tick_rate / self->picture_step);
    }
    if (params->camera_count > 0 && !is_aligned(self)) {
        hdf5_array(self->file, &self->picture_tick, "/pictures/tick", HDF5_INT64, 0, NULL, self->rate, self->rate);
        hdf5_text(self->file, "/pictures/tick", "about", "ticks done when the pictures were taken");
    }
}

static void make_actions(Demo *self)
{
    bool robomimic = self->params->layout == HDF5_LAYOUT_ROBOMIMIC;
    char path[HDF5_PATH];
    SampledColumn axes[CONTROL_COUNT];
    uint64_t size = (uint64_t)self->sampling.axis_count;
    for (int k = 0; k < self->sampling.axis_count; k++) {
        axes[k] = (SampledColumn){.unit = "1"};
        snprintf(axes[k].name, sizeof axes[k].name, "%s", control_axis_names[self->sampling.axes[k]]);
    }
    snprintf(path, sizeof path, "%s/%s", self->root, robomimic ? "actions" : "action");
    hdf5_array(self->file, &self->action, path, HDF5_FLOAT, 1, &size, self->rate, self->rate);
    describe(self, path, axes, self->sampling.axis_count,
             "lever positions, -1..1, from this sample to the next: their mean where that is several ticks");
    if (!robomimic) {
        return;
    }
    uint64_t columns = (uint64_t)self->sampling.column_count + 1;
    snprintf(path, sizeof path, "%s/rewards", self->root);
    hdf5_array(self->file, &self->reward, path, HDF5_FLOAT, 0, NULL, self->rate, self->rate);
    hdf5_text(self->file, path, "about", "points of the score that the interval gave; below 0: took");
    snprintf(path, sizeof path, "%s/dones", self->root);
    hdf5_array(self->file, &self->done, path, HDF5_UINT8, 0, NULL, self->rate, self->rate);
    snprintf(path, sizeof path, "%s/states", self->root);
    hdf5_array(self->file, &self->state, path, HDF5_DOUBLE, 1, &columns, self->rate, self->rate);
    hdf5_text(self->file, path, "about", "tick, then all numbers of obs; the whole state follows from replay");
}

static void close_arrays(Demo *self)
{
    for (int k = 0; k < SAMPLING_ARRAYS; k++) {
        close_series(&self->observed[k]);
    }
    for (int k = 0; k < TIME_COUNT; k++) {
        close_series(&self->time[k]);
    }
    for (int k = 0; k < HEIGHTS_COUNT; k++) {
        close_series(&self->heights[k]);
    }
    for (int k = 0; k < HDF5_CAMERAS; k++) {
        close_series(&self->pictures[k]);
    }
    Hdf5Array *const single[] = {&self->action, &self->reward, &self->done, &self->state, &self->picture_tick};
    for (size_t k = 0; k < sizeof single / sizeof single[0]; k++) {
        hdf5_array_close(single[k]);
    }
}

/// ---- samples -------------------------------------------------------------------------------------------------------

/// Rounds heights to 0.12 mm: the digits behind it take most of the room, and say nothing of soil.
static void round_heights(float *heights, size_t count)
{
    const float step = 8192.0f; // 1/m, a power of 2
    for (size_t k = 0; k < count; k++) {
        heights[k] = rintf(heights[k] * step) / step;
    }
}

static void add_heights(Demo *self, int64_t sample)
{
    int side = self->params->heights;
    if (side == 0) {
        return;
    }
    GroundPatch patch = ground_patch_at_tip(self->session, side, side, self->params->spacing);
    ground_patch_fill(self->session, &patch, self->numbers, self->design, self->mask);
    round_heights(self->numbers, (size_t)side * (size_t)side);
    round_heights(self->design, (size_t)side * (size_t)side);
    const double place[3] = {patch.x, patch.y, patch.heading};
    add_row(self, &self->heights[HEIGHTS_GROUND], sample, self->numbers);
    add_row(self, &self->heights[HEIGHTS_DESIGN], sample, self->design);
    add_row(self, &self->heights[HEIGHTS_MASK], sample, self->mask);
    add_row(self, &self->heights[HEIGHTS_PLACE], sample, place);
}

static bool add_pictures(Demo *self, int64_t sample, Status *status)
{
    const Hdf5Params *params = self->params;
    const char *recording = params->recordings[self->number];
    for (int k = 0; k < params->camera_count; k++) {
        if (!params->painter.paint(params->painter.context, recording, self->session, params->cameras[k], self->rgb,
                                   status)) {
            return false;
        }
        add_row(self, &self->pictures[k], sample, self->rgb);
        self->summary->pictures += sample < self->samples;
    }
    return true;
}

/// What is observed of the present state, as sample `sample`, 0..samples.
static bool add_sample(Demo *self, int64_t sample, Status *status)
{
    const SessionFrame *frame = session_frame(self->session);
    const Sampling *sampling = &self->sampling;
    sampling_take(self->session, sampling, self->values + 1);
    self->values[0] = (double)frame->tick;
    if (sample < self->samples && self->state.file != NULL) {
        hdf5_add(&self->state, self->values);
    }
    for (int k = 0; k < sampling->column_count; k++) {
        self->numbers[k] = (float)self->values[k + 1];
    }
    for (int k = 0; k < sampling->array_count; k++) {
        add_row(self, &self->observed[k], sample, self->numbers + sampling->arrays[k].first);
    }
    add_row(self, &self->time[TIME_TICK], sample, &frame->tick);
    add_row(self, &self->time[TIME_SECONDS], sample, &frame->time);
    add_heights(self, sample);
    self->score = frame->score;
    return !is_aligned(self) || add_pictures(self, sample, status);
}

/// The levers of the interval that has just ended, and what it was worth.
static void add_action(Demo *self, int64_t sample)
{
    float action[CONTROL_COUNT], reward = (float)(session_frame(self->session)->score - self->score);
    bool finished = exercise_is_finished(session_exercise(self->session));
    uint8_t done = finished || sample + 1 == self->samples;
    for (int k = 0; k < self->sampling.axis_count; k++) {
        action[k] = (float)((double)self->levers[self->sampling.axes[k]] / (CONTROL_FULL * self->step));
    }
    memset(self->levers, 0, sizeof self->levers);
    hdf5_add(&self->action, action);
    if (self->reward.file != NULL) {
        hdf5_add(&self->reward, &reward);
        hdf5_add(&self->done, &done);
    }
    self->summary->samples = sample + 1;
}

/// Pictures of the layout that has them at a rate of their own.
static bool add_own_pictures(Demo *self, Status *status)
{
    int64_t tick = session_frame(self->session)->tick, since = tick - self->first;
    if (is_aligned(self) || self->params->camera_count == 0 || since % self->picture_step != 0) {
        return true;
    }
    hdf5_add(&self->picture_tick, &tick);
    return add_pictures(self, 0, status);
}

static void write_series_out(Series *series)
{
    if (series->now.file != NULL) {
        hdf5_write_out(&series->now);
    }
    if (series->next.file != NULL) {
        hdf5_write_out(&series->next);
    }
}

/// Puts all rows so far into the file, and how many they are.
static void write_second(Demo *self)
{
    for (int k = 0; k < SAMPLING_ARRAYS; k++) {
        write_series_out(&self->observed[k]);
    }
    for (int k = 0; k < TIME_COUNT; k++) {
        write_series_out(&self->time[k]);
    }
    for (int k = 0; k < HEIGHTS_COUNT; k++) {
        write_series_out(&self->heights[k]);
    }
    for (int k = 0; k < HDF5_CAMERAS; k++) {
        write_series_out(&self->pictures[k]);
    }
    Hdf5Array *const single[] = {&self->action, &self->reward, &self->done, &self->state, &self->picture_tick};
    for (size_t k = 0; k < sizeof single / sizeof single[0]; k++) {
        if (single[k]->file != NULL) {
            hdf5_write_out(single[k]);
        }
    }
    hdf5_whole(self->file, root_of(self), "num_samples", self->summary->samples);
    hdf5_flush(self->file);
}

static bool check_state(const Demo *self, Status *status)
{
    int64_t tick = session_frame(self->session)->tick;
    return state_hash(self->session) == recording_state_hash(self->recording, tick) ||
           status_fail(status, STATUS_NOT_VERIFIED,
                       "%s: differs from the replay at tick %" PRId64 "; see: spadework replay REC --verify",
                       self->params->recordings[self->number], tick);
}

/// Makes a tick and what falls due with it.
static bool make_tick(Demo *self, Status *status)
{
    OperatorControls controls;
    int64_t tick = session_frame(self->session)->tick, since = tick + 1 - self->first;
    if (!recording_controls(self->recording, tick, &controls, status) ||
        !recording_advance(self->recording, self->session, status) || !check_state(self, status)) {
        return false;
    }
    for (int k = 0; k < CONTROL_COUNT; k++) {
        self->levers[k] += controls.axis[k];
    }
    self->summary->ticks = since;
    int64_t sample = since / self->step;
    if (since % self->step == 0 && sample <= self->samples) {
        add_action(self, sample - 1);
        if (!add_sample(self, sample, status)) {
            return false;
        }
    }
    if (!add_own_pictures(self, status)) {
        return false;
    }
    if (since % session_scene(self->session)->rates.tick_rate == 0) {
        write_second(self);
    }
    return hdf5_good(self->file, status);
}

static bool replay(Demo *self, Status *status)
{
    const Hdf5Params *params = self->params;
    int64_t ticks = recording_ticks(self->recording) - self->first;
    bool good = check_state(self, status) && add_sample(self, 0, status) && add_own_pictures(self, status);
    for (int64_t done = 1; good && done <= ticks; done++) {
        good = signals_go_on(params->recordings[self->number], status) && make_tick(self, status);
        if (params->progress != NULL) {
            params->progress(params->context, self->number, done, ticks);
        }
    }
    if (good || status->code == STATUS_STOPPED) {
        write_second(self);
    }
    return good && hdf5_good(self->file, status);
}

/// ---- one recording -------------------------------------------------------------------------------------------------

static bool choose_steps(Demo *self, Status *status)
{
    const Hdf5Params *params = self->params;
    const char *path = params->recordings[self->number];
    int ticks = recording_tick_rate(self->recording);
    self->rate = params->rate > 0 ? params->rate : ticks;
    if (ticks % self->rate != 0) {
        return status_fail(status, STATUS_BAD_USAGE, "--rate %d: does not divide the %d ticks a second of %s",
                           self->rate, ticks, path);
    }
    self->step = ticks / self->rate;
    int pictures = is_aligned(self)                 ? self->rate
                   : params->picture_rate > 0       ? params->picture_rate
                   : self->rate < HDF5_PICTURE_RATE ? self->rate
                                                    : HDF5_PICTURE_RATE;
    if (ticks % pictures != 0) {
        return status_fail(status, STATUS_BAD_USAGE, "--picture-rate %d: does not divide the %d ticks a second of %s",
                           pictures, ticks, path);
    }
    self->picture_step = ticks / pictures;
    self->summary->rate = self->rate;
    self->first = recording_first_tick(self->recording);
    self->samples = (recording_ticks(self->recording) - self->first) / self->step;
    return self->samples > 0 ||
           status_fail(status, STATUS_BAD_FILE, "%s: is shorter than a sample: it holds %" PRId64 " ticks", path,
                       recording_ticks(self->recording) - self->first);
}

static bool take_memory(Demo *self, Status *status)
{
    const Hdf5Params *params = self->params;
    size_t patch = (size_t)params->heights * (size_t)params->heights, columns = (size_t)self->sampling.column_count;
    self->values = calloc(columns + 1, sizeof *self->values);
    self->numbers = calloc(patch > columns ? patch : columns, sizeof *self->numbers);
    self->design = calloc(patch + 1, sizeof *self->design);
    self->mask = calloc(patch + 1, sizeof *self->mask);
    self->rgb = params->camera_count > 0 ? malloc(3 * (size_t)params->width * (size_t)params->height) : NULL;
    return (self->values != NULL && self->numbers != NULL && self->design != NULL && self->mask != NULL &&
            (self->rgb != NULL || params->camera_count == 0)) ||
           status_fail(status, STATUS_LACKING, "%s: no memory for its samples", self->file->path);
}

/// An action means the same in all of a file.
static bool check_axes(Demo *self, Status *status)
{
    const Sampling *sampling = &self->sampling;
    DemoFile *common = self->common;
    size_t size = (size_t)sampling->axis_count * sizeof *sampling->axes;
    if (common->axis_count == 0) {
        common->axis_count = sampling->axis_count;
        memcpy(common->axes, sampling->axes, size);
    }
    return (common->axis_count == sampling->axis_count && memcmp(common->axes, sampling->axes, size) == 0) ||
           status_fail(status, STATUS_BAD_USAGE,
                       "%s: its machine has other levers than that of %s: export them into files of their own",
                       self->params->recordings[self->number], self->params->recordings[0]);
}

static bool write_demo(Demo *self, Status *status)
{
    const Hdf5Params *params = self->params;
    self->recording = recording_open(params->recordings[self->number], status);
    if (self->recording == NULL || !recording_check_seals(self->recording, &self->summary->seal, status) ||
        !choose_steps(self, status)) {
        return false;
    }
    self->session = recording_create_session(self->recording, params->threads, status);
    if (self->session == NULL) {
        return false;
    }
    sampling_describe(self->session, &self->sampling);
    if (!check_axes(self, status) || !take_memory(self, status)) {
        return false;
    }
    hdf5_group(self->file, root_of(self));
    write_facts(self);
    if (params->layout == HDF5_LAYOUT_ACT) {
        hdf5_flag(self->file, "/", "sim", true);
    }
    if (params->layout == HDF5_LAYOUT_ROBOMIMIC && self->number == 0) {
        write_environment(self);
    }
    make_actions(self);
    make_observed(self);
    make_heights(self);
    make_pictures(self);
    bool good = write_replay(self, status) && write_events(self, status);
    hdf5_flush(self->file); // from now on a killed export leaves a file that can be opened
    good = good && replay(self, status);
    close_arrays(self);
    if (good) {
        hdf5_flag(self->file, root_of(self), "complete", true);
    }
    return good && hdf5_good(self->file, status);
}

static void end_demo(Demo *self)
{
    close_arrays(self);
    session_destroy(self->session);
    if (self->recording != NULL) {
        recording_close(self->recording);
    }
    free(self->values);
    free(self->numbers);
    free(self->design);
    free(self->mask);
    free(self->rgb);
    free(self);
}

static bool export_demo(const Hdf5Params *params, int number, DemoFile *common, Hdf5Summary *summary, Status *status)
{
    Demo *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: no memory", common->file.path);
    }
    *self = (Demo){.params = params, .common = common, .summary = summary, .number = number, .file = &common->file};
    if (params->layout == HDF5_LAYOUT_ROBOMIMIC) {
        snprintf(self->root, sizeof self->root, "/data/demo_%d", number);
    }
    bool good = write_demo(self, status);
    end_demo(self);
    return good;
}

/// ---- the file ------------------------------------------------------------------------------------------------------

enum { DEMO_NAME = 16 };

/// The list of demonstrations that robomimic trains on: all.
static bool write_mask(const Hdf5Params *params, Hdf5File *file, Status *status)
{
    char(*names)[DEMO_NAME] = calloc((size_t)params->count, sizeof *names);
    if (names == NULL) {
        return status_fail(status, STATUS_LACKING, "%s: no memory", file->path);
    }
    for (int k = 0; k < params->count; k++) {
        snprintf(names[k], DEMO_NAME, "demo_%d", k);
    }
    hdf5_strings(file, "/mask/train", names[0], params->count, DEMO_NAME);
    free(names);
    return hdf5_good(file, status);
}

static bool write_demos(const Hdf5Params *params, DemoFile *common, Hdf5Summary *summaries, Status *status)
{
    int64_t total = 0;
    Hdf5File *file = &common->file;
    hdf5_flag(file, "/", "complete", false);
    hdf5_text(file, "/", "made_by", "spadework " SPADEWORK_VERSION);
    hdf5_text(file, "/", "layout", hdf5_layout_names[params->layout]);
    for (int k = 0; k < params->count; k++) {
        if (!export_demo(params, k, common, &summaries[k], status)) {
            return false;
        }
        total += summaries[k].samples;
        if (params->layout == HDF5_LAYOUT_ROBOMIMIC) {
            hdf5_whole(file, "/data", "total", total);
        }
    }
    if (params->layout == HDF5_LAYOUT_ROBOMIMIC && !write_mask(params, file, status)) {
        return false;
    }
    hdf5_flag(file, "/", "complete", true);
    return hdf5_good(file, status);
}

bool export_hdf5(const Hdf5Params *params, Hdf5Summary *summaries, Status *status)
{
    assert(params->count >= 1 && (params->count == 1 || params->layout == HDF5_LAYOUT_ROBOMIMIC));
    DemoFile common = {0};
    Status later;
    char part[DATA_PATH_LENGTH + 8];
    memset(summaries, 0, (size_t)params->count * sizeof *summaries);
    status_good(status);
    if (strlen(params->path) >= DATA_PATH_LENGTH) {
        return status_fail(status, STATUS_LACKING, "%.80s...: the path is longer than %d bytes", params->path,
                           DATA_PATH_LENGTH - 1);
    }
    snprintf(part, sizeof part, "%s.part", params->path);
    if (!output_may_replace(params->path, OUTPUT_HDF5, status) || !output_may_replace(part, OUTPUT_HDF5, status) ||
        !hdf5_create(&common.file, part, status)) {
        return false;
    }
    bool good = write_demos(params, &common, summaries, status);
    if (!hdf5_close(&common.file, &later) && good) {
        *status = later;
        good = false;
    }
    if (good && rename(part, params->path) != 0) {
        good = status_fail(status, STATUS_LACKING, "%s: cannot be renamed from %s.part", params->path, params->path);
    }
    if (!good && status->code != STATUS_STOPPED) {
        unlink(part);
    }
    return good;
}
