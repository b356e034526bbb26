/// Sets a machine's bodies by the angles of a sample, joint by joint from the tracks to the tool, and takes its look
/// from there: struts and frames are the machine's own (machine.h).
#include "trainer/screens/replay/ghost.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Quat joint_turn(MachineAxis axis, double angle)
{
    return axis == MACHINE_PITCH ? quat_turn(vec3(0.0, -1.0, 0.0), angle)
           : axis == MACHINE_YAW ? quat_turn(vec3(0.0, 0.0, -1.0), angle)
                                 : quat_turn(vec3(1.0, 0.0, 0.0), angle);
}

/// Puts a body's frame to `origin`, turned by `turn`.
static void put_body(const MachineParams *params, int body, Vec3 origin, Quat turn, MachineState *state)
{
    const double *c = params->body[body].center;
    Mat3 rotation = mat3_from_quat(turn);
    Vec3 center = vec3_add(origin, mat3_mul(&rotation, vec3(c[0], c[1], c[2])));
    MachineBodyState *to = &state->body[body];
    *to =
        (MachineBodyState){.position = {center.x, center.y, center.z}, .quaternion = {turn.w, turn.x, turn.y, turn.z}};
}

void ghost_place(const Machine *machine, const TraceSample *sample, MachineState *state)
{
    const MachineParams *params = machine_params(machine);
    Quat turn[MACHINE_MAX_BODIES];
    Quat level = quat_mul(quat_turn(vec3(0.0, 0.0, 1.0), (double)sample->yaw),
                          quat_turn(vec3(0.0, -1.0, 0.0), (double)sample->pitch));
    turn[MACHINE_BASE] = quat_mul(level, quat_turn(vec3(1.0, 0.0, 0.0), (double)sample->roll));
    *state = (MachineState){0};
    put_body(params, MACHINE_BASE, vec3((double)sample->base_x, (double)sample->base_y, (double)sample->base_z),
             turn[MACHINE_BASE], state);
    for (int k = 0; k < params->joint_count; k++) { // a parent's own joint comes before
        const MachineJointParams *joint = &params->joint[k];
        Pose parent;
        machine_get_body_frame(machine, state, joint->parent, &parent);
        turn[joint->child] = quat_mul(turn[joint->parent], joint_turn(joint->axis, (double)sample->angle[k]));
        put_body(params, joint->child, pose_apply(&parent, vec3(joint->origin.x, 0.0, joint->origin.z)),
                 turn[joint->child], state);
    }
}

/// The shorter way round for angles.
static float between(float a, float b, double share, bool angle)
{
    double step = (double)b - (double)a;
    return (float)((double)a + share * (angle ? remainder(step, 2.0 * M_PI) : step));
}

static TraceSample sample_at(const Ghost *ghost, double time)
{
    int64_t low = 0, high = ghost->count - 1;
    while (low < high) {
        int64_t middle = (low + high + 1) / 2;
        bool before = (double)ghost->samples[middle].tick * ghost->dt <= time;
        low = before ? middle : low;
        high = before ? high : middle - 1;
    }
    TraceSample sample = ghost->samples[low];
    if (low + 1 >= ghost->count) {
        return sample;
    }
    const TraceSample *a = &ghost->samples[low], *b = &ghost->samples[low + 1];
    double length = (double)(b->tick - a->tick) * ghost->dt, since = time - (double)a->tick * ghost->dt;
    double share = length > 0.0 ? fmin(fmax(since / length, 0.0), 1.0) : 0.0;
    sample.base_x = between(a->base_x, b->base_x, share, false);
    sample.base_y = between(a->base_y, b->base_y, share, false);
    sample.base_z = between(a->base_z, b->base_z, share, false);
    sample.yaw = between(a->yaw, b->yaw, share, true);
    sample.pitch = between(a->pitch, b->pitch, share, true);
    sample.roll = between(a->roll, b->roll, share, true);
    for (int k = 0; k < MACHINE_MAX_JOINTS; k++) {
        sample.angle[k] = between(a->angle[k], b->angle[k], share, true);
    }
    return sample;
}

void ghost_show(const Ghost *ghost, double time, RenderGhost *shown)
{
    *shown = (RenderGhost){0};
    if (ghost->count == 0) {
        return;
    }
    const Machine *machine = session_machine(ghost->session);
    TraceSample sample = sample_at(ghost, time);
    MachineState state;
    ghost_place(machine, &sample, &state);
    shown->machine = session_machine_params(ghost->session);
    for (int body = 0; body < shown->machine->body_count; body++) {
        machine_get_body_frame(machine, &state, body, &shown->body[body]);
    }
    MachineStrut struts[MACHINE_MAX_STRUTS];
    shown->strut_count = machine_get_struts(machine, &state, struts);
    for (int k = 0; k < shown->strut_count; k++) {
        shown->struts[k] = (RenderStrut){.bar = struts[k].kind == MACHINE_STRUT_BAR,
                                         .a = struts[k].a,
                                         .b = struts[k].b,
                                         .radius = struts[k].radius,
                                         .rod_radius = struts[k].rod_radius,
                                         .barrel = struts[k].barrel};
    }
}

static void write_note(Ghost *ghost, const char *path, const Session *watched)
{
    const SceneParams *a = session_scene(watched), *b = session_scene(ghost->session);
    const MachineParams *one = session_machine_params(watched), *other = session_machine_params(ghost->session);
    const char *name = strrchr(path, '/');
    bool scene = strcmp(a->title, b->title) != 0, machine = strcmp(one->title, other->title) != 0;
    char driven[120] = "", which[120] = "";
    if (scene) {
        snprintf(driven, sizeof driven, "; it drives another scene, \"%.80s\"", b->title);
    }
    if (machine) {
        snprintf(which, sizeof which, "; its machine is another one, %.80s", other->title);
    }
    ghost->differs = scene || machine;
    snprintf(ghost->note, sizeof ghost->note, "Ghost: %.60s%s%s", name != NULL ? name + 1 : path, driven, which);
}

bool ghost_open(Ghost *ghost, const char *path, const Session *watched, Status *status)
{
    *ghost = (Ghost){0};
    Recording *recording = recording_open(path, status);
    if (recording == NULL) {
        return false;
    }
    ghost->session = recording_create_session(recording, 1, status);
    ghost->count = ghost->session != NULL ? recording_trace(recording, &ghost->samples, status) : -1;
    recording_close(recording);
    if (ghost->count == 0) {
        status_fail(status, STATUS_BAD_FILE, "%s: has no samples to make a ghost of", path);
    }
    if (ghost->count <= 0) {
        ghost_close(ghost);
        return false;
    }
    ghost->dt = session_dt(ghost->session);
    write_note(ghost, path, watched);
    return true;
}

void ghost_close(Ghost *ghost)
{
    free(ghost->samples);
    if (ghost->session != NULL) {
        session_destroy(ghost->session);
    }
    *ghost = (Ghost){0};
}
