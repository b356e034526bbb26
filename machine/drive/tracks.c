/// Two crawler tracks as rows of contact patches: sinkage carries the weight, shear displacement gives the pull (Janosi
/// and Hanamoto 1961; Bekker 1956; Wong, Theory of Ground Vehicles), the belts run with what is left of the drives'
/// force. Numbers without a source are chosen; test_machine_tracks and `validate run traction` check their effects.
#include "data/core/elementary.h"
#include "machine/drive/drive.h"

// Belts resist being dragged at this speed (m/s) with their full rolling resistance, in proportion below it.
#define ROLLING_SPEED 0.05
// Mass that a drive moves besides the machine: belt, sprocket, motor, kg.
#define BELT_MASS 1500.0
// Damping of the shear spring as the time (s) whose slip counts like displacement.
#define SHEAR_DAMPING_TIME 0.05
// Share of its shear displacement limit from which a patch yields as much as it is pushed.
#define ELASTIC_SHARE 0.4
// A patch slides from this share of its greatest shear displacement on, when it moves over the ground faster than this
// (m/s) plus this share of the belt's speed (less is the slip that any traction and any turn takes).
#define SLIDING_SHARE 0.95
#define SLIDING_SPEED 0.02
#define SLIDING_SLIP  0.25
// Tipping: the middle of pressure is this share of half the base from its centre.
#define TIP_SHARE 0.94

Vec3 track_patch_point(const MachineTracks *tracks, int patch)
{
    int n = tracks->patches, side = patch / n, i = patch % n;
    return vec3(tracks->contact_length * ((double)i / (n - 1) - 0.5), (side == 0 ? 0.5 : -0.5) * tracks->gauge, 0.0);
}

double track_patch_area(const MachineTracks *tracks)
{
    return tracks->contact_length * tracks->shoe_width / tracks->patches;
}

// Sinkage spring and damper, compression only: N = A min(k z, p) + c dz/dt, with p what the ground bears before it
// sinks for good, and c of the whole machine's heave shared by all patches.
static double normal_load(const MachineTracks *tracks, double mass, const MachineGround *ground, double depth,
                          double sinking)
{
    if (depth <= 0.0) {
        return 0.0;
    }
    int patches = 2 * tracks->patches;
    double area = track_patch_area(tracks), stiffness = tracks->stiffness * ground->firmness * area;
    double damping = 2.0 * tracks->damping_ratio * sqrt(stiffness * patches * mass) / patches;
    return fmax(0.0, fmin(stiffness * depth, ground->bearing * area) + damping * sinking);
}

// Shear displacement z of a patch moving over the ground with slip velocity v, of Janosi and Hanamoto's length K:
//   dz/dt = v - a(|z|) z/K max(0, v . z/|z|),  a = min(1, (|z| / 0.4 K)^2)
// With a = 1, |z| = K (1 - exp(-j/K)), their law for the displacement j. Small loads (a << 1) and unloading are
// elastic, so that a machine at rest stands on what it has and does not walk under its arm's jolts. The belt carries
// the displacement to the rear as it lays down fresh shoes at the front: + belt/h (z of the patch before it - z).

// What of the slip velocity yields, for each m of z: a/K max(0, v . z/|z|).
static double yielding_rate(const double z[2], const double v[2], double length)
{
    double size = sqrt(z[0] * z[0] + z[1] * z[1]);
    double share = size / (ELASTIC_SHARE * length);
    double yielding = fmin(1.0, share * share);
    return size > 0.0 ? yielding * fmax(0.0, (v[0] * z[0] + v[1] * z[1]) / size) / length : 0.0;
}

static void advance_shear(double z[2], const double v[2], const double upstream[2], double refresh, double length,
                          double dt)
{
    double loading = yielding_rate(z, v, length);
    for (int k = 0; k < 2; k++) {
        z[k] += dt * (v[k] - loading * z[k] + refresh * (upstream[k] - z[k]));
    }
    double size = sqrt(z[0] * z[0] + z[1] * z[1]);
    if (size > length) {
        z[0] *= length / size;
        z[1] *= length / size;
    }
}

// What the soil under a patch bears along its face: tracks->friction (A c + N tan(phi)) (Mohr and Coulomb; Bekker 1956:
// a track's greatest thrust is A c + W tan(phi)).
static double shear_strength(const MachineTracks *tracks, const MachineGround *ground, double load)
{
    return tracks->friction * (track_patch_area(tracks) * ground->cohesion + load * ground->friction);
}

// What resists a track that slides sideways: its grousers run across it, cut no soil in that direction and slide along
// themselves, with the coefficient of lateral resistance mu_t (side_friction), at most with what the soil bears.
static double side_resistance(const MachineTracks *tracks, double strength, double load)
{
    return fmin(strength, tracks->side_friction * load);
}

// Shear forces along and across the track: f = -F (z + T v)/K with F the most of each direction; both together stay
// within the ellipse of the two.
static void shear_force(const double z[2], const double v[2], const double most[2], double length, double force[2])
{
    double share[2];
    for (int k = 0; k < 2; k++) {
        share[k] = (z[k] + SHEAR_DAMPING_TIME * v[k]) / length;
    }
    double size = fmax(1.0, sqrt(share[0] * share[0] + share[1] * share[1]));
    for (int k = 0; k < 2; k++) {
        force[k] = -most[k] * share[k] / size;
    }
}

// The greatest shear displacement of the patch that a belt lays down first, when the track slips on the spot: from v =
// z/K v + belt/h z above, with v = belt. The others come nearer to K.
static double slipping_shear(const MachineTracks *tracks)
{
    double length = tracks->shear_modulus_length, spacing = tracks->contact_length / (tracks->patches - 1);
    return length / (1.0 + length / spacing);
}

// One patch in one step: what it sees and what it gives.
typedef struct Patch {
    Vec3 point; // world
    const MachineGround *ground;
    double belt; // m/s
    double drift; // m/s: speed of the track's middle across the track
    const double *upstream; // shear displacement of the patch laid down before it
    double *shear;
    double load; // N
    double along; // N: part of the force that the drive feels
    bool sliding;
    Vec3 force; // on the undercarriage, world
} Patch;

double track_patch_shearing(const MachineTracks *tracks, const RigidMotion *motion, int patch,
                            const MachineState *state)
{
    const double *z = state->track_shear[patch];
    Vec3 point = pose_apply(&motion->frame, track_patch_point(tracks, patch));
    Vec3 velocity = vec3_add(motion->velocity, vec3_cross(motion->spin, vec3_sub(point, motion->center)));
    const Mat3 *turn = &motion->frame.rotation;
    double slip[2] = {vec3_dot(velocity, mat3_mul(turn, vec3(1.0, 0.0, 0.0))) -
                          state->track_speed[patch / tracks->patches],
                      vec3_dot(velocity, mat3_mul(turn, vec3(0.0, 1.0, 0.0)))};
    double size = sqrt(z[0] * z[0] + z[1] * z[1]);
    return size * yielding_rate(z, slip, tracks->shear_modulus_length);
}

static void step_patch(const MachineTracks *tracks, double mass, const RigidMotion *motion, double dt, Patch *patch)
{
    const MachineGround *ground = patch->ground;
    Vec3 velocity = vec3_add(motion->velocity, vec3_cross(motion->spin, vec3_sub(patch->point, motion->center)));
    Vec3 n = ground->normal;
    patch->load = normal_load(tracks, mass, ground, (ground->height - patch->point.z) * n.z, -vec3_dot(velocity, n));
    if (patch->load <= 0.0) {
        patch->shear[0] = 0.0;
        patch->shear[1] = 0.0;
        return;
    }
    Vec3 x = mat3_mul(&motion->frame.rotation, vec3(1.0, 0.0, 0.0));
    Vec3 along = vec3_unit(vec3_madd(x, -vec3_dot(x, n), n), x);
    Vec3 across = vec3_cross(n, along);
    double moving = vec3_dot(velocity, along);
    double slip[2] = {moving - patch->belt, vec3_dot(velocity, across)};
    double length = tracks->shear_modulus_length, spacing = tracks->contact_length / (tracks->patches - 1);
    advance_shear(patch->shear, slip, patch->upstream, fabs(patch->belt) / spacing, length, dt);
    double strength = shear_strength(tracks, ground, patch->load), force[2];
    double most[2] = {strength, side_resistance(tracks, strength, patch->load)};
    shear_force(patch->shear, slip, most, length, force);
    patch->along = force[0];
    // A track that turns scrubs sideways: that is no slip. One whose belt stands slips any way in which its middle
    // moves.
    bool stands = fabs(patch->belt) < SLIDING_SPEED;
    double sheared = stands ? same_hypot(patch->shear[0], patch->shear[1]) : fabs(patch->shear[0]);
    double slipping = stands ? same_hypot(slip[0], patch->drift) : fabs(slip[0]);
    patch->sliding =
        sheared > SLIDING_SHARE * slipping_shear(tracks) && slipping > SLIDING_SPEED + SLIDING_SLIP * fabs(patch->belt);
    double rolling = -tracks->rolling_resistance * patch->load * fmax(-1.0, fmin(moving / ROLLING_SPEED, 1.0));
    patch->force = vec3_madd(vec3_madd(vec3_scale(n, patch->load), force[0] + rolling, along), force[1], across);
}

// The drive brings the belt into its range of speeds within one step unless that takes more than it has. Within the
// range the belt runs free.
static void advance_belt(const BeltDrive *drive, int side, double reaction, double dt, MachineState *state)
{
    double speed = state->track_speed[side], free = speed - dt * reaction / BELT_MASS;
    double next = fmax(drive->least, fmin(free, drive->most));
    double wanted = next != free ? BELT_MASS * (next - speed) / dt + reaction : 0.0;
    double force = fmax(-drive->back, fmin(wanted, drive->ahead));
    state->track_force[side] = force;
    state->track_speed[side] += dt * (force - reaction) / BELT_MASS;
    state->track_travel[side] += dt * state->track_speed[side];
}

// One track: its patches, then its belt. A belt running forward lays shoes down at the front, so that each patch takes
// over the shear of the one ahead of it; going from the rear to the front that neighbour is still that of the step
// before.
static void step_side(const MachineTracks *tracks, double mass, const RigidMotion *motion, const TrackDrive *drive,
                      const MachineGround *ground, int side, double dt, MachineState *state, TrackReaction *total)
{
    const double fresh[2] = {0.0, 0.0};
    int n = tracks->patches;
    double reaction = 0.0, belt = state->track_speed[side];
    Vec3 middle = pose_apply(&motion->frame, vec3(0.0, (side == 0 ? 0.5 : -0.5) * tracks->gauge, 0.0));
    Vec3 velocity = vec3_add(motion->velocity, vec3_cross(motion->spin, vec3_sub(middle, motion->center)));
    double drift = vec3_dot(velocity, mat3_mul(&motion->frame.rotation, vec3(0.0, 1.0, 0.0)));
    int ahead = belt >= 0.0 ? 1 : -1;
    for (int k = 0; k < n; k++) {
        int index = side * n + (ahead > 0 ? k : n - 1 - k);
        Patch patch = {.point = pose_apply(&motion->frame, track_patch_point(tracks, index)),
                       .ground = &ground[index],
                       .belt = belt,
                       .drift = drift,
                       .upstream = k + 1 < n ? state->track_shear[index + ahead] : fresh,
                       .shear = state->track_shear[index]};
        step_patch(tracks, mass, motion, dt, &patch);
        state->patch_load[index] = patch.load;
        reaction += patch.along;
        total->load += patch.load;
        total->sliding += patch.sliding ? patch.load : 0.0;
        Vec3 arm = vec3_sub(patch.point, motion->center);
        total->wrench.force = vec3_add(total->wrench.force, patch.force);
        total->wrench.moment = vec3_add(total->wrench.moment, vec3_cross(arm, patch.force));
    }
    advance_belt(&drive->belt[side], side, reaction, dt, state);
}

TrackReaction tracks_step(const MachineTracks *tracks, double mass, const RigidMotion *motion, const TrackDrive *drive,
                          const MachineGround *ground, double dt, MachineState *state)
{
    TrackReaction total = {0};
    for (int side = 0; side < 2; side++) {
        step_side(tracks, mass, motion, drive, ground, side, dt, state, &total);
    }
    return total;
}

bool tracks_tip(const MachineTracks *tracks, const MachineState *state)
{
    double load = 0.0, x = 0.0, y = 0.0;
    for (int patch = 0; patch < 2 * tracks->patches; patch++) {
        Vec3 point = track_patch_point(tracks, patch);
        load += state->patch_load[patch];
        x += state->patch_load[patch] * point.x;
        y += state->patch_load[patch] * point.y;
    }
    return fabs(x) >= TIP_SHARE * 0.5 * tracks->contact_length * load ||
           fabs(y) >= TIP_SHARE * 0.5 * tracks->gauge * load;
}
