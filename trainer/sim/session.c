/// A session's tick in its steps, which join machine, soil, rocks, trucks, loads and exercise. Order and number of the
/// floating-point operations are part of what a recording promises.
#include "trainer/sim/session.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "data/core/elementary.h"
#include "data/core/float_mode.h"
#include "data/schema/schema.h"
#include "trainer/sim/coupling.h"
#include "trainer/sim/damage.h"
#include "trainer/sim/incidents.h"
#include "trainer/sim/session_exercise.h"
#include "trainer/sim/session_rocks.h"
#include "trainer/sim/session_solids.h"
#include "trainer/sim/session_tools.h"
#include "trainer/sim/session_truck.h"
#include "trainer/sim/persons.h"
#include "trainer/sim/utilities.h"
#include "trainer/sim/wall_falls.h"

/// ---- where a start failed ------------------------------------------------------------------------------------------
///
/// Finds the key that a failure of building a session begins with in the files that it was loaded from.

/// Writes the key of an attachment's file that stands for a machine's key. True when the file has it.
static bool find_own_key(const DataFile *attachment, const MachineParams *machine, const char *key,
                         char own[KEY_PLACE_LENGTH])
{
    const char *tool = machine->body[machine->tool[0].body].name;
    char range[KEY_PLACE_LENGTH], cylinder[KEY_PLACE_LENGTH], body[KEY_PLACE_LENGTH];
    snprintf(range, sizeof range, "%s_range_deg", tool);
    snprintf(cylinder, sizeof cylinder, "%s_cylinder", tool);
    snprintf(body, sizeof body, "bodies.%s.", tool);
    snprintf(own, KEY_PLACE_LENGTH, "%s", key);
    if (strncmp(key, body, strlen(body)) == 0) {
        snprintf(own, KEY_PLACE_LENGTH, "body.%s", key + strlen(body));
    } else if (strcmp(key, "linkage") == 0 || strcmp(key, cylinder) == 0 || strcmp(key, range) == 0) {
        snprintf(own, KEY_PLACE_LENGTH, "%s",
                 key_place_has(attachment, "bucket_range_deg") ? "bucket_range_deg" : "link_pin");
    }
    return key_place_has(attachment, own);
}

/// `text`: behind the machine's name.
static void place_in_machine(const DataFiles *files, const MachineParams *machine, const char *text, Status *status)
{
    const DataFile *scene = data_files_find(files, "scenes", NULL);
    const DataFile *file = data_files_find(files, "machines", machine->name);
    const DataFile *attachment = data_files_find(files, "attachments", machine->attachment);
    char key[KEY_PLACE_LENGTH], own[KEY_PLACE_LENGTH];
    key_place_of_text(text, key);
    bool hangs = attachment != NULL && find_own_key(attachment, machine, key, own);
    if (file != NULL) {
        key_place_fail_in(hangs ? attachment : file, hangs ? own : key, text, status);
    }
    if (file != NULL && scene != NULL) {
        char outer[sizeof status->text + 32];
        const char *reference = hangs ? "machine.attachment" : "machine.file";
        snprintf(outer, sizeof outer, "%s: %s", reference, status->text);
        key_place_fail_in(scene, reference, outer, status);
    }
}

bool start_fault_place(const DataFiles *files, const MachineParams *machine, Status *status)
{
    size_t length = strlen(machine->name);
    if (status->code != STATUS_BAD_FILE) {
        return false;
    }
    if (strncmp(status->text, machine->name, length) == 0 && strncmp(status->text + length, ": ", 2) == 0) {
        place_in_machine(files, machine, status->text + length + 2, status);
        return true;
    }
    return key_place_text(data_files_find(files, "scenes", NULL), status);
}

/// ---- the session ---------------------------------------------------------------------------------------------------

/// What a tick hands from step to step. Too large for a small stack.
typedef struct Tick {
    const OperatorControls *controls;
    double dt, h; ///< s: of the tick, of a substep
    SoilTool tools[SOIL_MAX_TOOLS]; ///< the machine's, those that rocks take, then the machine's other steel
    int own, rocks, tool_count; ///< the machine's; those and the rocks'; all
    Wrench mean; ///< on the bucket or blade, so far
    ToolForces forces; ///< on the tools, so far
    Wrench wrenches[SOIL_MAX_TOOLS]; ///< on all tools, in the last substep
    double machine_ms;
} Tick;

struct Session {
    SceneParams scene;
    MachineParams machine_params;
    DataFiles files;
    uint64_t seed;
    SoilSolver solver;
    int threads; ///< as in SessionParams
    /// State.
    int64_t tick;
    MachineState machine_state;
    Soil *soil;
    Exercise *exercise;
    Wrench pending[COUPLING_MAX_TOOLS]; ///< the last substep's of each tool, for the machine's next one
    CouplingHull hull;
    SessionRocks *rocks; ///< NULL: none
    SessionTrucks *trucks; ///< or NULL
    SessionLoads *loads; ///< or NULL
    SessionSolids *solids; ///< or NULL
    SessionTools *tools; ///< or NULL
    MachineIncidents incidents;
    TruckIncidents truck_incidents;
    WallFalls wall_falls;
    Zones *zones;
    SessionOrders orders;
    SessionCab *cab; ///< or NULL
    SessionFoot *foot; ///< or NULL
    SessionUtilities *utilities; ///< or NULL
    SiteDamage damage;
    /// Scratch.
    Machine *machine; ///< as it is now
    Machine *first_machine; ///< with the tool of the start; owned
    SessionExercise *sampler; ///< makes the samples of the exercise
    int64_t mass_base; ///< quanta at the start
    SeatMotion seat;
    OperatorControls acting; ///< of the tick: levers that the machine gets
    SessionFrame frame;
    bool failed; ///< a tick got no memory
    Tick now; ///< the tick that is under way
};

/// Wall time: only for the figures that are named so; it never enters the state.
static double clock_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static RockPlace rock_place(const Session *session)
{
    RockPlace place = {.machine = session->machine, .state = &session->machine_state, .soil = session->soil};
    place.loads.count = session_loads_count(session->loads);
    for (int k = 0; k < place.loads.count; k++) {
        place.loads.shape[k] = session_loads_shape(session->loads, k);
        place.loads.motion[k] = session_loads_motion(session->loads, k);
    }
    return place;
}

static LoadSite load_site(const Session *session)
{
    return (LoadSite){session->soil, session->machine, &session->machine_state};
}

static FootSite foot_site(const Session *session)
{
    return (FootSite){session->soil, session->machine, &session->machine_state};
}

static ToolSite tool_site(Session *session)
{
    return (ToolSite){session->soil, session->machine, &session->machine_state};
}

/// Takes the machine with the tool that its coupler has now.
static void refit(Session *session)
{
    Machine *machine = session_tools_machine(session->tools, session->first_machine);
    if (machine != session->machine) {
        session->machine = machine;
        session->machine_params = *machine_params(machine);
    }
}

static void sample_exercise(const Session *session, ExerciseSample *sample)
{
    SoilTool tools[COUPLING_MAX_TOOLS];
    RockPlace place = rock_place(session);
    LoadSite site = load_site(session);
    SessionSight sight = {.tick = session->tick,
                          .dt = session_dt(session),
                          .scene = &session->scene,
                          .machine = &session->machine_params,
                          .readout = &session->frame.machine,
                          .controls = &session->acting,
                          .belts = session->machine_state.track_speed,
                          .payload = session->frame.payload,
                          .soil = session->soil,
                          .trucks = session->trucks,
                          .rocks = session->rocks,
                          .loads = session_loads_sample(session->loads, &site),
                          .changes = session_tools_sample(session->tools),
                          .walk = session_foot_sample(session->foot),
                          .start_up = session_cab_sample(session->cab),
                          .tools = tools,
                          .tool_count = coupling_tools(session->machine, &session->machine_state, tools),
                          .waited = exercise_waited(session->exercise),
                          .surface = exercise_surface(session->exercise)};
    if (!session_trucks_driven(session->trucks)) {
        Vec3 moment;
        sight.tray_rocks = session_rocks_tray_load(session->rocks, &place, 0, &moment);
    }
    session_exercise_sample(session->sampler, &sight, sample);
}

/// ---- frame ---------------------------------------------------------------------------------------------------------

#define AT_REST 0.03 ///< rad/s and m/s: joints and belts that are slower stand; chosen

/// Nothing moves the machine, so that the operator may climb out: its safety lever is up, or it stands still.
static bool may_leave(const Session *session)
{
    CabReadout cab = session_cab_readout(session->cab);
    double fastest = fmax(fabs(session->machine_state.track_speed[0]), fabs(session->machine_state.track_speed[1]));
    for (int k = 0; k < session->machine_params.joint_count; k++) {
        fastest = fmax(fastest, fabs(session->frame.machine.speed[k]));
    }
    return fastest < AT_REST && (!cab.has || !cab.lever_down);
}

static void update_operator(Session *session)
{
    FootSite site = foot_site(session);
    session->frame.cab = session_cab_readout(session->cab);
    session->frame.cab.seated = session_foot_seated(session->foot);
    session->frame.foot = session_foot_readout(session->foot, &site, may_leave(session));
}

/// Everything in the frame that follows from the state.
static void update_frame(Session *session)
{
    SessionFrame *frame = &session->frame;
    frame->tick = session->tick;
    frame->time = (double)session->tick / session->scene.rates.tick_rate;
    machine_get_readout(session->machine, &session->machine_state, &frame->machine);
    machine_get_tool(session->machine, &session->machine_state, &frame->tool);
    SoilTool tool;
    coupling_tool(session->machine, &session->machine_state, &tool);
    RockPlace place = rock_place(session);
    frame->rock_payload = session_rocks_payload(session->rocks, &place);
    frame->payload = soil_get_payload(session->soil, &tool, NULL) + frame->rock_payload;
    frame->rock_mass = session_rocks_mass(session->rocks);
    LoadSite site = load_site(session);
    frame->lift = session_loads_lift(session->loads, &site);
    ToolSite tools = tool_site(session);
    frame->coupler = session_tools_readout(session->tools, &tools);
    frame->lift.attended = zones_is_attended(session->zones);
    frame->ledger = soil_get_ledger(session->soil);
    frame->mass_drift = frame->ledger.total - session->mass_base;
    frame->counters = soil_get_counters(session->soil);
    update_operator(session);
}

static void update_score(Session *session)
{
    session->frame.score = exercise_score(session->exercise);
    session->frame.held = exercise_held(session->exercise);
    session->frame.event_count = exercise_event_count(session->exercise);
}

static void start_seat(Session *session)
{
    double step = session_dt(session) / session->scene.rates.substeps;
    seat_motion_start(&session->seat, session->machine, &session->machine_state, step);
    session->frame.seat = *seat_motion_last(&session->seat);
}

/// ---- life ----------------------------------------------------------------------------------------------------------

static bool load_files(Session *session, const SessionParams *params, Status *status)
{
    if (params->files == NULL) {
        return data_load_scene(params->scene, params->set, params->set_count, &session->scene, &session->machine_params,
                               &session->files, status);
    }
    for (int k = 0; k < params->files->count; k++) {
        DataFile *copy = &session->files.files[k];
        *copy = params->files->files[k];
        copy->text = malloc(copy->size + 1);
        if (copy->text == NULL) {
            return status_fail(status, STATUS_LACKING, "out of memory for the recording's files");
        }
        memcpy(copy->text, params->files->files[k].text, copy->size + 1);
        session->files.count = k + 1;
    }
    return data_load_scene_from_files(&session->files, &session->scene, &session->machine_params, status);
}

/// Puts the machine on what earthworks left where it starts: on the level, or inclined.
static void start_machine(Session *session)
{
    const SceneMachine *place = &session->scene.machine;
    const MachineTracks *tracks = &session->machine_params.tracks;
    const SceneGround *ground = &session->scene.ground;
    SceneStand stand = scene_stand(ground, place->x, place->y, place->heading, tracks->contact_length,
                                   tracks->gauge + tracks->shoe_width);
    double z = soil_get_height(session->soil, place->x, place->y);
    z += stand.height - scene_surface(ground, 0.0, place->x, place->y);
    double c = same_cos(place->heading), s = same_sin(place->heading);
    Vec3 up = vec3(s * stand.across - c * stand.along, -s * stand.along - c * stand.across, 1.0);
    up = vec3_scale(up, 1.0 / vec3_length(up));
    Vec3 at = vec3(place->x, place->y, z);
    machine_start_on(session->machine, at, up, place->heading, &session->machine_state);
    coupling_stand(session->soil, session->machine, &session->machine_state, &at, &up);
    machine_start_on(session->machine, at, up, place->heading, &session->machine_state);
    session->machine_state.engine_speed *= session->cab == NULL ? 1.0 : 0.0;
}

/// Builds all that follows from scene, machine, seed, solver and the number of threads: the session at tick 0. The
/// parts are none before, and all else zero.
static bool build_parts(Session *session, Status *status)
{
    session->frame.controls = session->acting = control_neutral;
    session_orders_clear(&session->orders);
    session->machine = session->first_machine = machine_create(&session->machine_params, status);
    if (session->machine == NULL) {
        return false;
    }
    session->soil = soil_create(&session->scene, session->seed, session->solver, session->threads, status);
    if (session->soil == NULL || !session_trucks_create(&session->scene, session->soil, &session->trucks, status)) {
        return false;
    }
    session->exercise = exercise_create(&session->scene);
    if (session->exercise == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the exercise");
    }
    coupling_hull_create(session->machine, &session->hull);
    if (!session_cab_create(&session->scene, &session->machine_params, &session->cab, status) ||
        !session_foot_create(&session->scene, &session->machine_params, &session->foot, status)) {
        return false;
    }
    start_machine(session);
    if (!coupling_tools_start_clear(session->machine, &session->machine_state, session->soil, status)) {
        Status own;
        *status = machine_starts_above(session->machine, &own) ? *status : own; // on level ground, too
        return false;
    }
    LoadSite site = load_site(session);
    if (!session_loads_create(&session->scene, &site, &session->loads, status) ||
        !session_solids_create(&session->scene, session->trucks, session->loads, session->machine,
                               &session->machine_state, &session->solids, status)) {
        return false;
    }
    ToolSite tools = tool_site(session);
    if (!session_tools_create(&session->scene, &session->files, session->first_machine, &tools, session->solids,
                              &session->tools, status) ||
        !zones_create(&session->scene, session->machine, &session->machine_state, session->soil, &session->zones,
                      status)) {
        return false;
    }
    RockPlace rocks = rock_place(session); // with the loads
    if (!session_rocks_create(&session->scene, session->seed, &rocks, &session->rocks, status)) {
        return false;
    }
    if (!session_utilities_create(&session->scene, session->soil, &session->utilities, status)) {
        return false;
    }
    session->sampler = session_exercise_create(&session->scene, session->soil);
    if (session->sampler == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for the exercise");
    }
    if (soil_has_failed(session->soil)) { // the ground under what was put down
        return status_fail(status, STATUS_LACKING, "out of memory for the ground");
    }
    session->mass_base = soil_get_ledger(session->soil).total;
    update_frame(session);
    ExerciseSample sample;
    start_seat(session);
    sample_exercise(session, &sample);
    exercise_start(session->exercise, &sample);
    update_score(session);
    return true;
}

/// Loads and builds; `in_file` says whether a file that the scene names is what is wrong.
static Session *load_and_build(const SessionParams *params, bool *in_file, Status *status)
{
    Session *session = calloc(1, sizeof *session);
    if (session == NULL) {
        status_fail(status, STATUS_LACKING, "out of memory for the session");
        return NULL;
    }
    *in_file = false;
    bool loaded = load_files(session, params, status);
    session->seed = params->has_seed ? params->seed : session->scene.seed;
    session->solver = params->solver;
    session->threads = params->threads;
    if (loaded && build_parts(session, status)) {
        return session;
    }
    if (loaded) {
        *in_file = start_fault_place(&session->files, &session->machine_params, status);
    }
    session_destroy(session);
    return NULL;
}

/// Names the --set that a scene cannot be begun with: without it the scene can.
static void blame_set(const SessionParams *params, bool in_file, Status *status)
{
    SessionParams plain = *params;
    plain.set_count = 0;
    Status ignored;
    bool unused = false;
    Session *session = load_and_build(&plain, &unused, &ignored);
    if (session != NULL) {
        data_blame_set(params->set, params->set_count, in_file, status);
    }
    session_destroy(session);
}

Session *session_create(const SessionParams *params, Status *status)
{
    bool in_file = false;
    FloatMode mode = float_mode_begin();
    Session *session = load_and_build(params, &in_file, status);
    if (session == NULL && params->files == NULL && params->set_count > 0 && strncmp(status->text, "--set ", 6) != 0) {
        blame_set(params, in_file, status); // what loads the scene has named none
    }
    float_mode_end(&mode);
    return session;
}

/// Frees what build_parts made.
static void destroy_parts(Session *session)
{
    session_utilities_destroy(session->utilities);
    session_foot_destroy(session->foot);
    session_cab_destroy(session->cab);
    session_rocks_destroy(session->rocks);
    session_solids_destroy(session->solids);
    session_loads_destroy(session->loads);
    zones_destroy(session->zones);
    session_tools_destroy(session->tools);
    machine_destroy(session->first_machine);
    session_trucks_destroy(session->trucks);
    soil_destroy(session->soil);
    exercise_destroy(session->exercise);
    session_exercise_destroy(session->sampler);
}

/// Puts a session to the start of a seed; `before` is a copy of it: its parts are freed, or given back on failure.
static bool rebuild(Session *session, Session *before, uint64_t seed, Status *status)
{
    // What is made of the scene and the machine holds pointers to them: they stay where they are.
    memset(session, 0, sizeof *session);
    session->scene = before->scene;
    session->machine_params = *machine_params(before->first_machine);
    session->files = before->files;
    session->solver = before->solver;
    session->threads = before->threads;
    session->seed = seed;
    if (build_parts(session, status)) {
        destroy_parts(before);
        return true;
    }
    (void)start_fault_place(&session->files, &session->machine_params, status);
    destroy_parts(session);
    *session = *before;
    return false;
}

bool session_reseed(Session *session, uint64_t seed, Status *status)
{
    Session *before = malloc(sizeof *before);
    if (before == NULL) {
        return status_fail(status, STATUS_LACKING, "out of memory for another start of the session");
    }
    FloatMode mode = float_mode_begin();
    *before = *session;
    bool good = rebuild(session, before, seed, status);
    free(before);
    float_mode_end(&mode);
    return good;
}

void session_destroy(Session *session)
{
    if (session != NULL) {
        destroy_parts(session);
        data_files_free(&session->files);
        free(session);
    }
}

/// ---- tick ----------------------------------------------------------------------------------------------------------

/// True once the machine must not move again: it has tipped over, or has broken a gas pipe or a cable.
static bool is_halted(const Session *session)
{
    return machine_incidents_halt(&session->incidents) || session_utilities_halt(session->utilities);
}

static_assert((int)COUPLING_MAX_TOOLS + (int)ROCK_TOOLS + (int)MACHINE_MAX_BODIES <= (int)SOIL_MAX_TOOLS,
              "the soil has room for the machine's tools, those of rocks, and the machine's other steel");

/// elapsed  share of the tick that is over
/// share    that a substep is of it
static void step_machine(Session *session, Tick *tick, double elapsed, double share)
{
    double h = tick->h;
    Vec3 positions[MACHINE_MAX_PATCHES];
    MachineGround ground[MACHINE_MAX_PATCHES];
    int count = machine_track_patches(session->machine, &session->machine_state, positions);
    coupling_ground(session->soil, session->scene.soils, &session->machine_params.tracks, positions, count, ground);
    Wrench loads[MACHINE_MAX_BODIES];
    coupling_loads(session->machine, session->pending, loads);
    session_rocks_add_loads(session->rocks, loads);
    coupling_hull_add_loads(&session->hull, loads);
    double dt = session_dt(session);
    MachineTouch *touches = session_solids_find(session->solids, session->trucks, session->loads, elapsed, dt,
                                                session->machine, &session->machine_state, &count);
    MachineMover movers[SESSION_MOVERS];
    LoadSite site = load_site(session);
    session_trucks_fill_movers(session->trucks, elapsed, dt, h, touches, count, movers);
    ToolSite tools = tool_site(session);
    count = session_tools_find(session->tools, &tools, SESSION_FIRST_TOOL, touches, count);
    Wrench pushes[SCENE_MAX_LOADS];
    session_rocks_on_loads(session->rocks, pushes);
    session_loads_push(session->loads, pushes, h);
    session_loads_fill_movers(session->loads, &site, touches, count, SCENE_MAX_TRUCKS, movers + SCENE_MAX_TRUCKS);
    session_tools_fill_movers(session->tools, &tools, session->solids, touches, count, SESSION_FIRST_TOOL,
                              movers + SESSION_FIRST_TOOL);
    int blows = session->machine_state.hammer_blows;
    MachineFaults faults = session_orders_machine(&session->orders);
    session_cab_add_faults(session->cab, &faults);
    faults.engine_stopped = faults.engine_stopped || is_halted(session);
    const MachineInputs inputs = {.controls = tick->controls,
                                  .faults = &faults,
                                  .ground = ground,
                                  .loads = loads,
                                  .touches = touches,
                                  .touch_count = count,
                                  .movers = movers,
                                  .mover_count = SESSION_MOVERS};
    machine_step(session->machine, &inputs, h, &session->machine_state);
    const ToolForceSources sources = {.machine = session->machine,
                                      .state = &session->machine_state,
                                      .touches = touches,
                                      .touch_count = count,
                                      .movers = movers,
                                      .mover_count = SESSION_MOVERS};
    tool_forces_add_step(&tick->forces, &sources, share);
    session_trucks_set_motion(session->trucks, movers);
    session_loads_set_motion(session->loads, movers + SCENE_MAX_TRUCKS);
    session_tools_set_motion(session->tools, movers + SESSION_FIRST_TOOL);
    session_solids_add_touches(session->solids, session->machine, &session->machine_state, movers, h);
    RockPlace place = rock_place(session);
    session_rocks_substep(session->rocks, &place, h);
    session_rocks_hammer(session->rocks, &place, session->machine_state.hammer_blows - blows, h);
}

/// The switch of the coupler acts, and the machine may be another one from here on.
static void change_tool(Session *session, const Tick *tick)
{
    CabReadout cab = session_cab_readout(session->cab);
    const MachineReadout *readout = &session->frame.machine;
    ToolSite site = tool_site(session);
    ToolSight sight = {.tick = session->tick,
                       .dt = tick->dt,
                       .readout = readout,
                       .payload = session->frame.payload,
                       .force = session_tool_load(session, 0),
                       .powered = cab.engine == CAB_ENGINE_RUNS && cab.lever_down &&
                                  readout->engine_speed > 0.5 * session->machine_params.engine.idle_speed};
    if (session_tools_begin_tick(session->tools, &site, &sight, tick->controls, session->exercise)) {
        refit(session);
        memset(session->pending, 0, sizeof session->pending); // what the soil did to the other tool
    }
}

static void move_trucks(Session *session, const SoilTool *tool, const OperatorControls *controls, double dt)
{
    const MachineTracks *tracks = &session->machine_params.tracks;
    double corner = same_hypot(0.5 * tracks->length, 0.5 * (tracks->gauge + tracks->shoe_width));
    SessionTruckHazard hazard = {
        .tool = tool, .base = session->frame.machine.base, .radius = fmax(session->machine_params.tail_radius, corner)};
    for (int k = 0; k < SCENE_MAX_TRUCKS; k++) {
        hazard.held[k] = session_orders_hold(&session->orders, k);
    }
    session_trucks_begin_tick(session->trucks, session->soil, &hazard, controls, session->tick, dt, session->exercise);
    session_solids_begin_tick(session->solids, &session->scene, &session->damage);
}

static void weigh_trucks(Session *session, const RockPlace *place, double dt)
{
    SessionTruckRocks rocks[SCENE_MAX_TRUCKS];
    for (int k = 0; k < SCENE_MAX_TRUCKS; k++) {
        rocks[k].mass = session_rocks_tray_load(session->rocks, place, k, &rocks[k].moment);
    }
    session_trucks_end_tick(session->trucks, session->soil, rocks, dt);
}

/// 1. Drivers decide and beds move; 2. rocks learn where trays and tools are; 3. the soil learns of all tools.
static void begin_tick(Session *session, Tick *tick)
{
    change_tool(session, tick);
    tick->own = coupling_tools(session->machine, &session->machine_state, tick->tools);
    move_trucks(session, &tick->tools[0], tick->controls, tick->dt);
    LoadSite site = load_site(session);
    session_loads_begin_tick(session->loads, &site, tick->controls, session->tick, session->exercise);
    RockPlace place = rock_place(session); // with what sleeps and wakes
    double before = clock_ms();
    session_rocks_begin(session->rocks, &place, tick->dt);
    tick->machine_ms += clock_ms() - before;
    tick->rocks = tick->own + session_rocks_tools(session->rocks, tick->tools + tick->own);
    coupling_hull_begin_tick(&session->hull, session->machine, &session->machine_state, session->soil, tick->dt);
    tick->tool_count = tick->rocks + coupling_hull_tools(&session->hull, session->machine, &session->machine_state,
                                                         tick->tools + tick->rocks);
    soil_begin_tick(session->soil, tick->tools, tick->tool_count, tick->dt);
}

/// Adds what soil and rocks did to the tools in the last substep.
static void add_tool_force(const Session *session, double share, ToolForces *forces)
{
    const ToolForceSources sources = {
        .machine = session->machine, .soil = session->pending, .hull = &session->hull, .rocks = session->rocks};
    tool_forces_add_soil(forces, &sources, share);
}

/// 4. The machine and the rocks move under the soil's last forces; 5. the soil moves against the tools where they are
/// now; what it did to them is kept for the next substep.
static void step_parts(Session *session, Tick *tick, double elapsed, double share)
{
    Wrench *wrenches = tick->wrenches;
    double before = clock_ms();
    step_machine(session, tick, elapsed, share);
    seat_motion_step(&session->seat, session->machine, &session->machine_state);
    tick->machine_ms += clock_ms() - before;
    coupling_tools(session->machine, &session->machine_state, tick->tools);
    session_rocks_tools(session->rocks, tick->tools + tick->own);
    coupling_hull_tools(&session->hull, session->machine, &session->machine_state, tick->tools + tick->rocks);
    soil_substep(session->soil, tick->tools, tick->tool_count, tick->h, wrenches);
    memcpy(session->pending, wrenches, (size_t)tick->own * sizeof *wrenches);
    session_rocks_set_wrenches(session->rocks, wrenches + tick->own);
    coupling_hull_set_wrenches(&session->hull, wrenches + tick->rocks, tick->tool_count - tick->rocks);
    wrench_add(&tick->mean, &session->pending[0], share);
    Wrench of_rocks = session_rocks_on_tool(session->rocks);
    wrench_add(&tick->mean, &of_rocks, share);
    add_tool_force(session, share, &tick->forces);
}

/// Tells the soil what stands on it, the tracks, then the trucks' wheels, and what holds its walls.
static void load_ground(Session *session)
{
    enum { WHEELS = SCENE_MAX_TRUCKS * SESSION_TRUCK_WHEELS, FOOTPRINTS = MACHINE_MAX_PATCHES + WHEELS };
    static_assert((int)FOOTPRINTS <= (int)SOIL_MAX_FOOTPRINTS, "the soil takes all of them");
    SoilFootprint footprints[FOOTPRINTS];
    coupling_standing(session->machine, &session->machine_state, footprints);
    session_trucks_standing(session->trucks, footprints + MACHINE_MAX_PATCHES);
    soil_load(session->soil, footprints, FOOTPRINTS);
    session_loads_press(session->loads, session->soil, session->tick, session->exercise);
    SoilPlate plates[SOIL_MAX_PLATES];
    soil_shore(session->soil, plates, session_loads_plates(session->loads, plates));
}

/// 6. Rocks come to rest, grains go back into the ground, slopes slide; 7. tracks and wheels press the ground, beds are
/// weighed, and touches become events.
static void end_tick(Session *session, Tick *tick)
{
    RockPlace place = rock_place(session);
    double before = clock_ms();
    session_rocks_end(session->rocks, &place, tick->dt);
    tick->machine_ms += clock_ms() - before;
    load_ground(session);
    soil_end_tick(session->soil, tick->tools, tick->tool_count);
    coupling_ruts(session->soil, session->machine, &session->machine_state, tick->dt);
    session_rocks_press(session->rocks, &place);
    weigh_trucks(session, &place, tick->dt);
    session->frame.overlap = session_solids_deepest(session->solids);
    if (session->rocks != NULL) {
        RocksCounters rocks = rocks_get_counters(session_rocks_get(session->rocks));
        session->frame.overlap = fmax(session->frame.overlap, rocks.deepest);
    }
    LoadSite site = load_site(session);
    session_loads_end_tick(session->loads, &site, session->tick, tick->dt, session->exercise);
    session_solids_end_tick(session->solids, session->machine, session->tick, tick->dt, session->exercise);
    ToolSite tools = tool_site(session);
    session_tools_end_tick(session->tools, &tools, session->solids, session->tick, tick->dt, session->exercise);
    int count;
    const SolidBlow *blows = session_solids_blows(session->solids, &count);
    site_damage_tick(&session->damage, &session->scene, blows, count, session->tick, session->exercise);
    session_utilities_end_tick(session->utilities, blows, count, session->soil, session->tick, tick->dt,
                               session->exercise);
}

/// Finds the incidents of the tick.
static void find_incidents(Session *session)
{
    IncidentSight sight = {.scene = &session->scene,
                           .machine = session->machine,
                           .state = &session->machine_state,
                           .readout = &session->frame.machine,
                           .soil = session->soil,
                           .payload = session->frame.payload,
                           .tick = session->tick,
                           .dt = session_dt(session)};
    sight.truck_count = session_trucks_sight(session->trucks, sight.truck);
    sight.load_count = session_loads_sight(session->loads, sight.load);
    sight.load_count += session_tools_sight(session->tools, sight.load + sight.load_count);
    sight.rocks = session->rocks;
    machine_incidents_tick(&session->incidents, &sight, session->exercise);
    zones_tick(session->zones, &sight, session_orders_walker(&session->orders),
               session_orders_walks_round(&session->orders) ? WALK_ROUND : WALK_STRAIGHT, session->exercise);
    if (zones_slinger_hooks(session->zones)) {
        LoadSite site = load_site(session);
        session_loads_serve(session->loads, &site, session->tick, session->exercise);
    }
    truck_incidents_tick(&session->truck_incidents, &sight, session->exercise);
    SoilPlate plates[SOIL_MAX_PLATES];
    int plate_count = session_loads_plates(session->loads, plates);
    wall_falls_tick(&session->wall_falls, &sight, session->zones, plates, plate_count, session->exercise);
}

/// 8. The exercise measures the result.
static void measure_exercise(Session *session)
{
    ExerciseSample sample;
    sample_exercise(session, &sample);
    exercise_tick(session->exercise, &sample);
    update_score(session);
}

#define TOOL_DOWN                                                                                                      \
    0.15 ///< m over the ground: a tool that is lower cannot fall; chosen: the thickness of a bucket's teeth

/// The operator on foot and the switches of the cab take the levers before the machine gets them.
static void apply_operator(Session *session, OperatorControls *controls)
{
    FootSite site = foot_site(session);
    const MachineReadout *readout = &session->frame.machine;
    bool leaves = may_leave(session), locked = exercise_is_locked(session->exercise);
    session_foot_tick(session->foot, &site, session->tick, session_dt(session), locked, leaves, controls,
                      session->exercise);
    double over = readout->tip.z - soil_get_height(session->soil, readout->tip.x, readout->tip.y);
    CabSight sight = {.tick = session->tick,
                      .dt = session_dt(session),
                      .readout = readout,
                      .ordered_stop = session_orders_machine(&session->orders).engine_stopped || is_halted(session),
                      .tool_down = over < TOOL_DOWN};
    if (session_cab_tick(session->cab, &sight, session_foot_seated(session->foot) && !locked, controls,
                         session->exercise)) {
        session_orders_apply(&session->orders, &(SessionOrder){.fault = SESSION_FAULT_ENGINE});
    }
}

/// The levers that count: while questions are to be answered, only the engine's and the answer; none of a machine that
/// is halted.
static OperatorControls asked_controls(const Session *session, const OperatorControls *controls)
{
    if (is_halted(session)) {
        return control_neutral;
    }
    if (!exercise_is_locked(session->exercise)) {
        return *controls;
    }
    OperatorControls asked = control_neutral;
    asked.axis[CONTROL_THROTTLE] = controls->axis[CONTROL_THROTTLE];
    asked.axis[CONTROL_ANSWER] = controls->axis[CONTROL_ANSWER];
    return asked;
}

/// A tick in the default floating-point environment.
static void advance(Session *session, const OperatorControls *controls)
{
    if (session_has_failed(session)) {
        return;
    }
    double start = clock_ms();
    int substeps = session->scene.rates.substeps;
#ifndef NDEBUG
    int64_t mass = soil_get_ledger(session->soil).total;
#endif
    session->frame.controls = asked_controls(session, controls);
    session->acting = session->frame.controls;
    apply_operator(session, &session->acting);
    Tick *tick = &session->now;
    memset(tick, 0, sizeof *tick);
    tick->controls = &session->acting;
    tick->dt = session_dt(session);
    tick->h = tick->dt / substeps;
    begin_tick(session, tick);
    seat_motion_begin_tick(&session->seat);
    for (int k = 0; k < substeps; k++) {
        step_parts(session, tick, (double)k / substeps, 1.0 / substeps);
    }
    end_tick(session, tick);
    session->failed = soil_has_failed(session->soil);
    if (session->failed) {
        return; // the frame stays that of the last whole tick
    }
    session->tick++;
    session->frame.tool_wrench = tick->mean;
    tool_forces_end(&tick->forces);
    memcpy(session->frame.tool_force, tick->forces.force, sizeof session->frame.tool_force);
    session->frame.seat = *seat_motion_last(&session->seat);
    update_frame(session);
    assert(session->frame.ledger.total == mass); // the ledger: soil is neither made nor lost
    double soil_end = clock_ms();
    find_incidents(session);
    measure_exercise(session);
    session->frame.machine_ms = tick->machine_ms;
    session->frame.soil_ms = soil_end - start - tick->machine_ms;
    session->frame.tick_ms = clock_ms() - start;
}

bool session_has_failed(const Session *session)
{
    return session->failed || soil_has_failed(session->soil);
}

void session_tick(Session *session, const OperatorControls *controls)
{
    FloatMode mode = float_mode_begin();
    advance(session, controls);
    float_mode_end(&mode);
}

/// ---- orders --------------------------------------------------------------------------------------------------------

static bool give_order(Session *session, const SessionOrder *order, Status *status)
{
    if (!session_order_check(order, &session->scene, &session->machine_params, status)) {
        return false;
    }
    ExerciseEvent event;
    session_order_event(order, &session->scene, &session->machine_params, session->tick, &event);
    exercise_note_event(session->exercise, &event);
    session_orders_apply(&session->orders, order);
    update_score(session);
    return true;
}

bool session_order(Session *session, const SessionOrder *order, Status *status)
{
    FloatMode mode = float_mode_begin();
    bool good = give_order(session, order, status);
    float_mode_end(&mode);
    return good;
}

double session_tool_load(const Session *session, int tool)
{
    return vec3_length(tool_force_total(&session->frame.tool_force[tool]));
}

double session_beyond_site(const Session *session)
{
    return machine_beyond_site(&session->scene.ground, session->machine, &session->machine_state, NULL, NULL);
}

double session_payload_shown(const Session *session)
{
    bool pushes = session->machine_params.type == MACHINE_DOZER;
    return session->frame.payload - (pushes ? session->frame.rock_payload : 0.0);
}

const SessionOrders *session_orders(const Session *session)
{
    return &session->orders;
}

/// ---- state ---------------------------------------------------------------------------------------------------------

static void visit_parts(Session *session, StateVisitor *visitor)
{
    STATE_VISIT(visitor, "session.tick", session->tick);
    for (int k = 0; k < COUPLING_MAX_TOOLS; k++) {
        STATE_VISIT(visitor, "session.pending_force", session->pending[k].force);
        STATE_VISIT(visitor, "session.pending_moment", session->pending[k].moment);
    }
    coupling_hull_visit(&session->hull, visitor);
    machine_state_visit(&session->machine_params, &session->machine_state, visitor);
    soil_visit(session->soil, visitor);
    exercise_visit(session->exercise, visitor);
    session_trucks_visit(session->trucks, visitor);
    session_rocks_visit(session->rocks, visitor);
    session_loads_visit(session->loads, visitor);
    session_solids_visit(session->solids, visitor);
    machine_incidents_visit(&session->incidents, visitor);
    zones_visit(session->zones, visitor);
    truck_incidents_visit(&session->truck_incidents, visitor);
    session_orders_visit(&session->orders, visitor);
    session_cab_visit(session->cab, visitor);
    session_foot_visit(session->foot, visitor);
    session_tools_visit(session->tools, visitor);
    wall_falls_visit(&session->wall_falls, visitor);
    zones_visit_walker(session->zones, session->soil, visitor);
    session_utilities_visit(session->utilities, visitor);
    site_damage_visit(&session->damage, &session->scene, visitor);
}

void session_visit(Session *session, StateVisitor *visitor)
{
    FloatMode mode = float_mode_begin(); // a restore computes
    visit_parts(session, visitor);
    float_mode_end(&mode);
}

/// True when the pins of all joints are where both of their bodies have them. Else `status` (STATUS_BAD_FILE) says
/// which joint, its bodies, how far they are apart and what is allowed.
static bool joined_bodies_hold(const Machine *machine, const MachineParams *params, const MachineState *state,
                               Status *status)
{
    for (int k = 0; k < params->joint_count; k++) {
        const MachineJointParams *joint = &params->joint[k];
        const char *parent = params->body[joint->parent].name, *child = params->body[joint->child].name;
        MachineJointGap gap = machine_joint_gap(machine, state, k);
        if (!(gap.distance <= JOINED_DISTANCE)) {
            return status_fail(status, STATUS_BAD_FILE,
                               "saved state: joint %s: machine.%s and machine.%s are %.4g m apart; allowed 0..%g m",
                               joint->name, parent, child, gap.distance, JOINED_DISTANCE);
        }
        if (!(gap.angle <= JOINED_ANGLE)) {
            return status_fail(status, STATUS_BAD_FILE,
                               "saved state: joint %s: machine.%s and machine.%s are %.4g rad askew; allowed 0..%g rad",
                               joint->name, parent, child, gap.angle, JOINED_ANGLE);
        }
    }
    return true;
}

static bool compute_restored(Session *session, Status *status)
{
    refit(session);
    if (!session_is_finite(session)) {
        return status_fail(status, STATUS_BAD_FILE, "the stored state holds numbers that are not finite");
    }
    if (!joined_bodies_hold(session->machine, &session->machine_params, &session->machine_state, status)) {
        return false;
    }
    session->failed = soil_has_failed(session->soil);
    // Levers of the tick before are no part of the state; of the tool's force the last substep's is.
    session->frame.controls = session->acting = control_neutral;
    session->frame.tool_wrench = session->pending[0];
    Wrench of_rocks = session_rocks_on_tool(session->rocks);
    wrench_add(&session->frame.tool_wrench, &of_rocks, 1.0);
    ToolForces forces = {.step_count = 0};
    add_tool_force(session, 1.0, &forces);
    memcpy(session->frame.tool_force, forces.force, sizeof session->frame.tool_force);
    session->frame.soil_ms = session->frame.machine_ms = session->frame.tick_ms = 0.0;
    update_frame(session);
    update_score(session);
    start_seat(session);
    return true;
}

bool session_after_restore(Session *session, Status *status)
{
    FloatMode mode = float_mode_begin();
    bool good = compute_restored(session, status);
    float_mode_end(&mode);
    return good;
}

bool session_is_finite(const Session *session)
{
    double sum = 0.0; // of what the soil did to the tools
    for (int k = 0; k < COUPLING_MAX_TOOLS; k++) {
        sum += vec3_length(session->pending[k].force) + vec3_length(session->pending[k].moment);
    }
    return isfinite(sum) && coupling_hull_is_finite(&session->hull) &&
           machine_state_is_finite(&session->machine_state) && soil_is_finite(session->soil) &&
           session_rocks_are_finite(session->rocks) && session_loads_are_finite(session->loads) &&
           session_trucks_are_finite(session->trucks) && session_cab_is_finite(session->cab) &&
           session_foot_is_finite(session->foot) && session_tools_are_finite(session->tools);
}

/// ---- what others read ----------------------------------------------------------------------------------------------

const SessionFrame *session_frame(const Session *session)
{
    return &session->frame;
}
const SceneParams *session_scene(const Session *session)
{
    return &session->scene;
}
const MachineParams *session_machine_params(const Session *session)
{
    return &session->machine_params;
}
const DataFiles *session_files(const Session *session)
{
    return &session->files;
}
uint64_t session_seed(const Session *session)
{
    return session->seed;
}
SoilSolver session_solver(const Session *session)
{
    return session->solver;
}
double session_dt(const Session *session)
{
    return 1.0 / session->scene.rates.tick_rate;
}
Soil *session_soil(Session *session)
{
    return session->soil;
}
const Machine *session_machine(const Session *session)
{
    return session->machine;
}
const MachineState *session_machine_state(const Session *session)
{
    return &session->machine_state;
}
const CouplingHull *session_hull(const Session *session)
{
    return &session->hull;
}
const SessionRocks *session_rocks(const Session *session)
{
    return session->rocks;
}
const SessionLoads *session_loads(const Session *session)
{
    return session->loads;
}
const SessionTools *session_tools(const Session *session)
{
    return session->tools;
}
const Exercise *session_exercise(const Session *session)
{
    return session->exercise;
}
const SeatMotion *session_seat(const Session *session)
{
    return &session->seat;
}
const PersonState *session_person(const Session *session, int person)
{
    return zones_person(session->zones, person);
}
bool session_is_stopped(const Session *session)
{
    return zones_stops(session->zones);
}
bool session_walker(const Session *session, Vec3 *feet)
{
    return zones_walker(session->zones, feet);
}
bool session_thing(const Session *session, int thing, Pose *place)
{
    FootSite site = foot_site(session);
    return session_foot_thing(session->foot, &site, thing, place);
}
double session_leak_left(const Session *session)
{
    return session_utilities_left(session->utilities);
}
FloodPool session_water(const Session *session)
{
    return session_utilities_water(session->utilities, session->soil);
}
const SiteDamage *session_damage(const Session *session)
{
    return &session->damage;
}
const SessionTrucks *session_trucks(const Session *session)
{
    return session->trucks;
}
