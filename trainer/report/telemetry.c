/// Writes telemetry, a row a tick, through a buffer of its own.
#include "trainer/report/telemetry.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/core/system_files.h"
#include "trainer/report/output_file.h"

enum { BUFFER = 1 << 18, ROW = 4096 };

struct Telemetry {
    int file; ///< -1: none
    locale_t locale; ///< "C": a decimal point
    char *path, *buffer;
    size_t held; ///< bytes of `buffer` that are not written out yet
    int joint_count;
    char joint[MACHINE_MAX_JOINTS][MACHINE_NAME_SIZE]; ///< columns
    int tool_count;
    char tool[MACHINE_MAX_TOOLS][MACHINE_NAME_SIZE]; ///< names of the bodies that carry them
    bool failed, reader_left;
};

/// A row being put together.
typedef struct Row {
    char text[ROW];
    int length;
} Row;

static void add_text(Row *row, const char *text, const char *end)
{
    row->length += snprintf(row->text + row->length, sizeof row->text - (size_t)row->length, "%s%s", text, end);
}

/// The arm's or the blade's joints, then the first: the swing, the ripper.
static int pressure_joint(const Telemetry *self, int place)
{
    return place + 1 < self->joint_count ? place + 1 : 0;
}

static void add_header(const Telemetry *self, Row *row)
{
    add_text(row, "tick,t,", "");
    for (int k = 0; k < self->joint_count; k++) {
        add_text(row, self->joint[k], ",");
    }
    add_text(row, "tip_x,tip_y,tip_z,base_x,base_y,base_z,yaw,pitch,roll,", "");
    for (int k = 0; k < self->joint_count; k++) {
        add_text(row, self->joint[pressure_joint(self, k)], "_pressure,");
    }
    add_text(row,
             "pump_power,engine_speed,fuel,tool_fx,tool_fy,tool_fz,tool_mx,tool_my,tool_mz,payload,"
             "ground_mass,particle_mass,body_mass,left_mass,total_mass,"
             "particles,contacts,active_columns,crowding,hastened,"
             "left_slip,right_slip,limit,limits,relief,"
             "seat_ax,seat_ay,seat_az,seat_roll_rate,seat_pitch_rate,seat_yaw_rate,seat_vibration,score,events,held,"
             "truck,truck_load,truck_front,truck_rear,truck_left,truck_right,"
             "tool_load,solid_fx,solid_fy,solid_fz,sling_fx,sling_fy,sling_fz,blow_fx,blow_fy,blow_fz,",
             "");
    for (int k = 1; k < self->tool_count; k++) {
        static const char *const ends[] = {"_fx,", "_fy,", "_fz,"};
        for (size_t n = 0; n < sizeof ends / sizeof ends[0]; n++) {
            add_text(row, self->tool[k], ends[n]);
        }
    }
    add_text(row, "engine,safety_lever,travel_range,power_mode,auto_idle,lights,wiper,oil_c,on_foot,foot_x,foot_y,",
             "coupler,tool,");
    add_text(row, "soil_ms,machine_ms,tick_ms", "\n");
}

static bool fail(Telemetry *self, Status *status)
{
    self->failed = true;
    self->reader_left = errno == EPIPE;
    return status_fail(status, STATUS_LACKING, "%s: cannot write the telemetry: %s", self->path,
                       written_file_reason(errno));
}

static bool write_out(Telemetry *self, Status *status)
{
    size_t held = self->held;
    self->held = 0;
    return written_file_put(self->file, self->buffer, held) || fail(self, status);
}

static bool add_row(Telemetry *self, const Row *row, Status *status)
{
    if (self->held + (size_t)row->length > BUFFER && !write_out(self, status)) {
        return false;
    }
    memcpy(self->buffer + self->held, row->text, (size_t)row->length);
    self->held += (size_t)row->length;
    return true;
}

static void free_telemetry(Telemetry *self)
{
    if (self->file >= 0) {
        close(self->file);
    }
    if (self->locale != (locale_t)0) {
        freelocale(self->locale);
    }
    free(self->path);
    free(self->buffer);
    free(self);
}

Telemetry *telemetry_create(const char *path, const MachineParams *machine, Status *status)
{
    Telemetry *self = calloc(1, sizeof *self);
    Row header = {.length = 0};
    if (self != NULL) {
        self->file = -1;
        self->joint_count = machine->joint_count;
        for (int k = 0; k < machine->joint_count; k++) {
            snprintf(self->joint[k], MACHINE_NAME_SIZE, "%s", machine->joint[k].column);
        }
        self->tool_count = machine->tool_count;
        for (int k = 0; k < machine->tool_count; k++) {
            snprintf(self->tool[k], MACHINE_NAME_SIZE, "%s", machine->body[machine->tool[k].body].name);
        }
        add_header(self, &header);
        self->path = strdup(path);
        self->buffer = malloc(BUFFER);
        self->locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    }
    if (self == NULL || self->path == NULL || self->buffer == NULL || self->locale == (locale_t)0) {
        status_fail(status, STATUS_LACKING, "%s: out of memory for the telemetry", path);
    } else if (!output_may_replace(path, OUTPUT_TELEMETRY, status)) {
        free_telemetry(self);
        return NULL;
    } else if ((self->file = written_file_handle(path)) < 0) {
        fail(self, status);
    } else if (add_row(self, &header, status) && write_out(self, status)) {
        return self;
    }
    if (self != NULL) {
        free_telemetry(self);
    }
    return NULL;
}

static void add_number(Row *row, double value)
{
    row->length += snprintf(row->text + row->length, sizeof row->text - (size_t)row->length, "%.9g,", value);
}

static void add_vector(Row *row, Vec3 v)
{
    add_number(row, v.x);
    add_number(row, v.y);
    add_number(row, v.z);
}

static void add_count(Row *row, int64_t value)
{
    row->length += snprintf(row->text + row->length, sizeof row->text - (size_t)row->length, "%lld,", (long long)value);
}

/// kg with all of its digits: a quantum is 1e-4 kg.
static void add_mass(Row *row, int64_t quanta)
{
    row->length += snprintf(row->text + row->length, sizeof row->text - (size_t)row->length, "%lld.%04lld,",
                            (long long)(quanta / 10000), (long long)(quanta % 10000));
}

static void add_machine(const Telemetry *self, Row *row, const MachineReadout *machine)
{
    for (int k = 0; k < self->joint_count; k++) {
        add_number(row, machine->angle[k]);
    }
    add_vector(row, machine->tip);
    add_vector(row, machine->base);
    add_number(row, machine->yaw);
    add_number(row, machine->pitch);
    add_number(row, machine->roll);
    for (int k = 0; k < self->joint_count; k++) {
        add_number(row, machine->pressure[pressure_joint(self, k)]);
    }
    add_number(row, machine->pump_power);
    add_number(row, machine->engine_speed);
    add_number(row, machine->fuel);
}

static void add_limits(const Telemetry *self, Row *row, const MachineReadout *machine)
{
    static const char *const tracks[2] = {"left_track", "right_track"};
    char text[MACHINE_LIMITS_TEXT];
    machine_limits_text(machine->limits, text);
    add_text(row, machine_limit_names[machine->limit], ",");
    add_text(row, text, ",");
    const char *before = "";
    for (int k = 0; k < self->joint_count; k++) {
        if ((machine->relief & MACHINE_RELIEF_JOINT(k)) != 0) {
            add_text(row, before, self->joint[k]);
            before = "+";
        }
    }
    for (int side = 0; side < 2; side++) {
        if ((machine->relief & MACHINE_RELIEF_TRACK(side)) != 0) {
            add_text(row, before, tracks[side]);
            before = "+";
        }
    }
    add_text(row, machine->relief == 0 ? "none" : "", ",");
}

/// The truck that the operator has to do with, from 1 on, and what it bears in kg; all 0 without one.
static void add_truck(Row *row, const SessionTrucks *trucks)
{
    int index = session_trucks_watched(trucks);
    SessionTruckReadout truck = {.load = 0.0};
    if (index >= 0) {
        truck = session_trucks_readout(trucks, index);
    }
    add_count(row, index + 1);
    add_number(row, truck.load);
    add_number(row, truck.front);
    add_number(row, truck.rear);
    add_number(row, truck.left);
    add_number(row, truck.right);
}

/// What the tools feel beside the soil on the first one (tool_f): by what, and all of it.
static void add_forces(const Telemetry *self, Row *row, const SessionFrame *frame)
{
    const ToolForce *first = &frame->tool_force[0];
    add_number(row, vec3_length(tool_force_total(first)));
    add_vector(row, first->solids);
    add_vector(row, first->sling);
    add_vector(row, first->blows);
    for (int k = 1; k < self->tool_count; k++) {
        add_vector(row, tool_force_total(&frame->tool_force[k]));
    }
}

/// The switches of the cab, the operator on foot, and the coupler.
static void add_operator(Row *row, const SessionFrame *frame)
{
    const CabReadout *cab = &frame->cab;
    const int switches[] = {(int)cab->engine, cab->lever_down, cab->high_range, !cab->eco,
                            cab->auto_idle,   cab->lights,     cab->wiper};
    for (size_t k = 0; k < sizeof switches / sizeof switches[0]; k++) {
        add_count(row, switches[k]);
    }
    add_number(row, cab->oil);
    add_count(row, frame->foot.walks);
    add_number(row, frame->foot.walks ? frame->foot.eye.x : 0.0);
    add_number(row, frame->foot.walks ? frame->foot.eye.y : 0.0);
    add_count(row, frame->coupler.stand);
    add_count(row, frame->coupler.tool);
}

static void add_frame(const Telemetry *self, Row *row, const SessionFrame *frame, const SessionTrucks *trucks)
{
    add_count(row, frame->tick);
    add_number(row, frame->time);
    add_machine(self, row, &frame->machine);
    add_vector(row, frame->tool_wrench.force);
    add_vector(row, frame->tool_wrench.moment);
    add_number(row, frame->payload);
    add_mass(row, frame->ledger.ground);
    add_mass(row, frame->ledger.particles);
    add_mass(row, frame->ledger.trays + frame->rock_mass);
    add_mass(row, frame->ledger.left);
    add_mass(row, frame->ledger.total + frame->rock_mass);
    add_count(row, frame->counters.particles);
    add_count(row, frame->counters.contacts);
    add_count(row, frame->counters.active_columns);
    add_number(row, frame->counters.crowding);
    add_count(row, frame->counters.hastened);
    add_number(row, frame->machine.slip[0]);
    add_number(row, frame->machine.slip[1]);
    add_limits(self, row, &frame->machine);
    add_vector(row, frame->seat.force);
    add_vector(row, frame->seat.rate);
    add_number(row, frame->seat.vibration);
    add_number(row, frame->score);
    add_count(row, frame->event_count);
    add_number(row, frame->held);
    add_truck(row, trucks);
    add_forces(self, row, frame);
    add_operator(row, frame);
    add_number(row, frame->soil_ms);
    add_number(row, frame->machine_ms);
    add_number(row, frame->tick_ms);
}

bool telemetry_tick(Telemetry *telemetry, const Session *session, Status *status)
{
    if (telemetry->failed) {
        return status_fail(status, STATUS_LACKING, "%s: the telemetry was given up", telemetry->path);
    }
    const SessionFrame *frame = session_frame(session);
    Row row = {.length = 0};
    locale_t before = uselocale(telemetry->locale);
    add_frame(telemetry, &row, frame, session_trucks(session));
    uselocale(before);
    row.text[row.length - 1] = '\n';
    bool due = frame->tick % session_scene(session)->rates.tick_rate == 0;
    return add_row(telemetry, &row, status) && (!due || write_out(telemetry, status));
}

bool telemetry_reader_left(const Telemetry *telemetry)
{
    return telemetry->reader_left;
}

bool telemetry_close(Telemetry *telemetry, Status *status)
{
    if (telemetry == NULL) {
        return true;
    }
    bool good = !telemetry->failed && write_out(telemetry, status);
    int closed = close(telemetry->file);
    telemetry->file = -1;
    if (good && closed != 0) {
        good = fail(telemetry, status);
    }
    free_telemetry(telemetry);
    return good;
}
