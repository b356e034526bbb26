/// A site to look at, made without soil or machine: half a trench with its spoil, a filled bucket, a truck being
/// loaded.
#ifndef SPADEWORK_TESTS_RENDER_SCENE_H
#define SPADEWORK_TESTS_RENDER_SCENE_H

#include "data/schema/schema.h"
#include "render/render.h"
#include "tests/support/test.h"

enum { STAGE_MAX_PARTICLES = 20000, STAGE_SIDE = 401, STAGE_TRAY_ROWS = 29, STAGE_TRAY_COLUMNS = 54 };

typedef struct Stage {
    SceneParams scene;
    MachineParams machine;
    RenderView view;
    float height[STAGE_SIDE * STAGE_SIDE];
    uint8_t soil[STAGE_SIDE * STAGE_SIDE], loose[STAGE_SIDE * STAGE_SIDE];
    uint16_t strata[STAGE_SIDE * STAGE_SIDE * RENDER_STRATA];
    float tray_height[STAGE_TRAY_ROWS * STAGE_TRAY_COLUMNS];
    uint8_t tray_soil[STAGE_TRAY_ROWS * STAGE_TRAY_COLUMNS], tray_loose[STAGE_TRAY_ROWS * STAGE_TRAY_COLUMNS];
    float xyzr[4 * STAGE_MAX_PARTICLES];
    uint8_t particle_soil[STAGE_MAX_PARTICLES];
    uint32_t id[STAGE_MAX_PARTICLES];
    uint32_t random;
} Stage;

static inline double stage_random(Stage *stage)
{
    stage->random = stage->random * 1664525U + 1013904223U;
    return (double)(stage->random >> 8) / 16777216.0;
}

static inline double stage_smooth_noise(double x, double y)
{
    return sin(1.3 * x + 0.7 * y) * 0.5 + sin(0.61 * x - 1.9 * y + 1.0) * 0.35 + sin(2.7 * x + 3.1 * y) * 0.15;
}

static inline Pose stage_link(const Pose *parent, Vec3 origin, double pitch)
{
    double c = cos(pitch), s = sin(pitch);
    Mat3 turn = {{{c, 0, -s}, {0, 1, 0}, {s, 0, c}}}, r;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            r.m[i][j] = 0.0;
            for (int k = 0; k < 3; k++) {
                r.m[i][j] += parent->rotation.m[i][k] * turn.m[k][j];
            }
        }
    }
    return (Pose){pose_apply(parent, origin), r};
}

static inline Vec3 stage_pin(const Pose *pose, PlanePoint p, double y)
{
    return pose_apply(pose, vec3(p.x, y, p.z));
}

static inline void stage_add_cylinder(Stage *stage, const MachineCylinder *cylinder, Vec3 a, Vec3 b)
{
    stage->view.struts[stage->view.strut_count++] =
        (RenderStrut){false, a, b, 0.5 * cylinder->bore + 0.012, 0.5 * cylinder->rod, cylinder->closed - 0.12};
}

/// Where two circles in a link's plane meet, on the left of the line from p to q.
static inline PlanePoint stage_meet(PlanePoint p, double rp, PlanePoint q, double rq)
{
    double dx = q.x - p.x, dz = q.z - p.z, d = hypot(dx, dz);
    double along = (d * d + rp * rp - rq * rq) / (2.0 * d), across = sqrt(fmax(rp * rp - along * along, 0.0));
    return (PlanePoint){p.x + (along * dx - across * dz) / d, p.z + (along * dz + across * dx) / d};
}

/// Puts the cutting edge at (x, z) of the house plane, the tip line at `elevation`, the house turned to the right by
/// `swing`.
static inline void stage_pose(Stage *stage, double swing, double x, double z, double elevation)
{
    const MachineParams *m = &stage->machine;
    RenderView *view = &stage->view;
    Pose *body = view->body;
    double heading = stage->scene.machine.heading;
    body[MACHINE_BASE] = (Pose){vec3(stage->scene.machine.x, stage->scene.machine.y, 0.0), mat3_yaw(heading)};
    body[EXCAVATOR_HOUSE] = (Pose){vec3(stage->scene.machine.x, stage->scene.machine.y, excavator_swing_height(m)),
                                   mat3_yaw(heading - swing)};
    double px = x - excavator_tip_radius(m) * cos(elevation) - excavator_boom_foot(m).x,
           pz = z - excavator_tip_radius(m) * sin(elevation) - excavator_boom_foot(m).z;
    double d = fmin(hypot(px, pz), excavator_boom_length(m) + excavator_stick_length(m) - 0.01),
           a = excavator_boom_length(m), b = excavator_stick_length(m);
    double boom = atan2(pz, px) + acos((a * a + d * d - b * b) / (2.0 * a * d));
    double stick = atan2(pz - a * sin(boom), px - a * cos(boom));
    body[EXCAVATOR_BOOM] =
        stage_link(&body[EXCAVATOR_HOUSE], vec3(excavator_boom_foot(m).x, 0.0, excavator_boom_foot(m).z), boom);
    body[EXCAVATOR_STICK] = stage_link(&body[EXCAVATOR_BOOM], vec3(a, 0.0, 0.0), stick - boom);
    body[EXCAVATOR_BUCKET] = stage_link(&body[EXCAVATOR_STICK], vec3(b, 0.0, 0.0), elevation - stick);
    view->strut_count = 0;
    for (int side = -1; side <= 1; side += 2) {
        stage_add_cylinder(stage, &m->joint[EXCAVATOR_JOINT_BOOM].cylinder,
                           stage_pin(&body[EXCAVATOR_HOUSE], m->joint[EXCAVATOR_JOINT_BOOM].cylinder.base, side * 0.42),
                           stage_pin(&body[EXCAVATOR_BOOM], m->joint[EXCAVATOR_JOINT_BOOM].cylinder.head, side * 0.42));
    }
    stage_add_cylinder(stage, &m->joint[EXCAVATOR_JOINT_STICK].cylinder,
                       stage_pin(&body[EXCAVATOR_BOOM], m->joint[EXCAVATOR_JOINT_STICK].cylinder.base, 0.0),
                       stage_pin(&body[EXCAVATOR_STICK], m->joint[EXCAVATOR_JOINT_STICK].cylinder.head, 0.0));
    Vec3 link =
        pose_apply_inverse(&body[EXCAVATOR_STICK],
                           stage_pin(&body[EXCAVATOR_BUCKET], m->joint[EXCAVATOR_JOINT_BUCKET].linkage.link_pin, 0.0));
    PlanePoint joint = stage_meet(m->joint[EXCAVATOR_JOINT_BUCKET].linkage.rocker_pivot,
                                  m->joint[EXCAVATOR_JOINT_BUCKET].linkage.rocker_length, (PlanePoint){link.x, link.z},
                                  m->joint[EXCAVATOR_JOINT_BUCKET].linkage.link_length);
    Vec3 joined = stage_pin(&body[EXCAVATOR_STICK], joint, 0.0);
    stage_add_cylinder(stage, &m->joint[EXCAVATOR_JOINT_BUCKET].cylinder,
                       stage_pin(&body[EXCAVATOR_STICK], m->joint[EXCAVATOR_JOINT_BUCKET].cylinder.base, 0.0), joined);
    Vec3 ends[2] = {stage_pin(&body[EXCAVATOR_STICK], m->joint[EXCAVATOR_JOINT_BUCKET].linkage.rocker_pivot, 0.0),
                    stage_pin(&body[EXCAVATOR_BUCKET], m->joint[EXCAVATOR_JOINT_BUCKET].linkage.link_pin, 0.0)};
    for (int k = 0; k < 2; k++) {
        view->struts[view->strut_count++] =
            (RenderStrut){true, k == 0 ? ends[0] : joined, k == 0 ? joined : ends[1], 0.05, 0.05, 0.0};
    }
}

static inline double stage_x(int column)
{
    return (column - STAGE_SIDE / 2) * 0.1;
}

static inline float *stage_height(Stage *stage, double x, double y)
{
    int i = (int)lrint(x / 0.1) + STAGE_SIDE / 2, j = (int)lrint(y / 0.1) + STAGE_SIDE / 2;
    return &stage->height[j * STAGE_SIDE + i];
}

static inline void stage_add_particle(Stage *stage, Vec3 p, double radius, int soil)
{
    RenderParticles *particles = &stage->view.particles;
    if (particles->count < STAGE_MAX_PARTICLES) {
        int k = particles->count++;
        const float xyzr[4] = {(float)p.x, (float)p.y, (float)p.z, (float)radius};
        memcpy(&stage->xyzr[4 * k], xyzr, sizeof(xyzr));
        stage->particle_soil[k] = (uint8_t)soil;
        stage->id[k] = 1000U + (uint32_t)k * 7U;
    }
}

/// Surface of a heap over its foot, `dx`, `dy` m from its middle.
static inline double stage_heap_height(double dx, double dy, double top)
{
    double rough = 0.10 * stage_smooth_noise(2.2 * dx, 2.2 * dy) + 0.05 * stage_smooth_noise(5.0 * dy, 6.0 * dx);
    return top + 0.25 - 0.72 * hypot(hypot(dx, dy), 0.28) + rough;
}

static inline void stage_heap(Stage *stage, double x, double y, double top, int soil)
{
    for (int at = 0; at < STAGE_SIDE * STAGE_SIDE; at++) {
        double h = stage_heap_height(stage_x(at % STAGE_SIDE) - x, stage_x(at / STAGE_SIDE) - y, top);
        if (h > (double)stage->height[at]) {
            stage->height[at] = (float)h;
            stage->soil[at] = (uint8_t)soil;
            stage->loose[at] = 255;
        }
    }
}

static inline void stage_dig(Stage *stage, double x0, double x1, double y0, double y1, double depth, int soil)
{
    for (int j = 0; j < STAGE_SIDE; j++) {
        for (int i = 0; i < STAGE_SIDE; i++) {
            double x = stage_x(i), y = stage_x(j) + 0.05 * stage_smooth_noise(3.0 * x, 1.0);
            if (x < x0 || x > x1 || y < y0 || y > y1) {
                continue;
            }
            double d = fmin(depth, 0.55 * (x - x0)) + 0.05 * stage_smooth_noise(4.0 * x, 5.0 * y);
            int at = j * STAGE_SIDE + i;
            stage->height[at] -= (float)fmax(d, 0.0);
            stage->soil[at] = (uint8_t)soil;
            stage->loose[at] = (uint8_t)(120 + 100 * stage_random(stage));
        }
    }
}

/// Particles lying on the ground around a place.
static inline void stage_scatter(Stage *stage, double x, double y, double spread, int count, int soil)
{
    for (int k = 0; k < count; k++) {
        double angle = 2.0 * M_PI * stage_random(stage), d = spread * sqrt(stage_random(stage));
        double px = x + d * cos(angle), py = y + d * sin(angle);
        stage_add_particle(stage, vec3(px, py, (double)*stage_height(stage, px, py) + 0.02), 0.05, soil);
    }
}

/// Fills the bucket; `heap` m over the line between its lips (towards -z of its frame).
static inline void stage_fill_bucket(Stage *stage, double heap, int soil)
{
    const ToolShape *tool = &stage->machine.tool[0].shape;
    for (int k = 0; k < 9000; k++) {
        double x = 0.1 + 1.4 * stage_random(stage), z = -heap + (0.85 + heap) * stage_random(stage);
        double y = (stage_random(stage) - 0.5) * (tool->inside_width - 0.08);
        bool inside = true;
        for (int c = 0; c < tool->inside_count; c++) {
            const double *a = tool->inside[c], *b = tool->inside[(c + 1) % tool->inside_count];
            double side = (b[0] - a[0]) * (z - a[1]) - (b[1] - a[1]) * (x - a[0]);
            bool opening = c == tool->inside_count - 1;
            inside = inside && side > (opening ? -1e9 : 0.03);
        }
        double middle = (x - 0.8) / 0.7;
        double over = -heap * (1.0 - middle * middle) * (1.0 - 0.5 * fabs(y) / 0.6);
        if (inside && z > over) {
            stage_add_particle(stage, pose_apply(&stage->view.body[EXCAVATOR_BUCKET], vec3(x, y, z)), 0.05, soil);
        }
    }
}

static inline Stage *stage_create(const char *scene, Status *status)
{
    Stage *stage = calloc(1, sizeof(*stage));
    if (stage == NULL || !data_load_scene(scene, NULL, 0, &stage->scene, &stage->machine, NULL, status)) {
        free(stage);
        return NULL;
    }
    stage->random = 12345U;
    for (int j = 0; j < STAGE_SIDE; j++) {
        for (int i = 0; i < STAGE_SIDE; i++) {
            double x = stage_x(i), y = stage_x(j);
            stage->height[j * STAGE_SIDE + i] = (float)(0.03 * stage_smooth_noise(x, y));
            stage->soil[j * STAGE_SIDE + i] = (uint8_t)stage->scene.ground.layers[0].soil_index;
        }
    }
    RenderView *view = &stage->view;
    view->scene = &stage->scene;
    view->machine = &stage->machine;
    view->grid_count = 1;
    view->grids[0] = (RenderGrid){.rows = STAGE_SIDE,
                                  .columns = STAGE_SIDE,
                                  .spacing = 0.1,
                                  .origin_x = stage_x(0),
                                  .origin_y = stage_x(0),
                                  .height = stage->height,
                                  .soil = stage->soil,
                                  .loose = stage->loose,
                                  .all_dirty = true};
    view->particles = (RenderParticles){.xyzr = stage->xyzr, .soil = stage->particle_soil, .id = stage->id};
    stage_pose(stage, 0.0, 7.5, -0.8, -1.7);
    return stage;
}

/// Lets faces show the scene's first two layers under the surface as it was, and what was put on it.
static inline void stage_show_layers(Stage *stage)
{
    const SceneGround *ground = &stage->scene.ground;
    int top = ground->layers[0].soil_index, below = ground->layers[1].soil_index;
    for (int at = 0; at < STAGE_SIDE * STAGE_SIDE; at++) {
        double was = 0.03 * stage_smooth_noise(stage_x(at % STAGE_SIDE), stage_x(at / STAGE_SIDE));
        double put = (double)stage->height[at] - was, left = ground->layers[0].thickness + fmin(put, 0.0);
        uint16_t *strata = &stage->strata[at * RENDER_STRATA];
        int k = 0;
        if (put > 0.001) {
            strata[k++] = render_stratum(stage->soil[at], true, put);
        }
        if (left > 0.0) {
            strata[k++] = render_stratum(top, false, left + fmax(put, 0.0));
        }
        while (k < RENDER_STRATA) {
            strata[k++] = render_stratum(below, false, 9.0);
        }
    }
    stage->view.grids[0].strata = stage->strata;
}

static inline void stage_mark(Stage *stage, Vec3 a, Vec3 b, float r, float g, float bl)
{
    stage->view.lines[stage->view.line_count++] = (RenderLine){.a = a, .b = b, .color = {r, g, bl, 0.95f}};
}

/// The trench scene, half dug, the bucket full at the trench's end.
static inline Stage *stage_create_trench(Status *status)
{
    Stage *stage = stage_create("trench", status);
    if (stage == NULL) {
        return NULL;
    }
    const SceneTrench *t = &stage->scene.exercise.trench;
    int loam = stage->scene.ground.layers[1].soil_index;
    stage_dig(stage, t->x + 0.9, t->x + t->length, t->y - 0.5 * t->width, t->y + 0.5 * t->width, 0.95, loam);
    stage_heap(stage, t->dump_x + 0.4, t->dump_y, 1.35, loam);
    stage_heap(stage, t->dump_x - 0.9, t->dump_y + 0.6, 0.95, loam);
    stage_pose(stage, 0.0, 7.3, -1.75, -1.25);
    stage_pose(stage, 0.0, 6.6, -0.95, -2.65);
    stage_fill_bucket(stage, 0.22, loam);
    stage_scatter(stage, 1.6, 0.0, 0.75, 260, loam);
    stage_scatter(stage, 3.0, 0.2, 0.5, 80, loam);
    stage_scatter(stage, t->dump_x, t->dump_y, 1.5, 420, loam);
    stage_scatter(stage, t->dump_x + 0.6, t->dump_y, 2.4, 160, loam);
    double z = 0.0, w = 0.5 * t->width;
    stage_mark(stage, vec3(t->x, t->y - w, z), vec3(t->x + t->length, t->y - w, z), 1.0f, 0.85f, 0.1f);
    stage_mark(stage, vec3(t->x, t->y + w, z), vec3(t->x + t->length, t->y + w, z), 1.0f, 0.85f, 0.1f);
    stage_mark(stage, vec3(t->x, t->y - w, z), vec3(t->x, t->y + w, z), 1.0f, 0.85f, 0.1f);
    stage_mark(stage, vec3(t->x + t->length, t->y - w, z), vec3(t->x + t->length, t->y + w, z), 1.0f, 0.85f, 0.1f);
    for (int k = 0; k < 48; k++) {
        double a = 2.0 * M_PI * k / 48.0, b = 2.0 * M_PI * (k + 1) / 48.0, r = t->dump_radius;
        Vec3 p = vec3(t->dump_x + r * cos(a), t->dump_y + r * sin(a), 0.0),
             q = vec3(t->dump_x + r * cos(b), t->dump_y + r * sin(b), 0.0);
        p.z = (double)*stage_height(stage, p.x, p.y);
        q.z = (double)*stage_height(stage, q.x, q.y);
        stage_mark(stage, p, q, 0.25f, 0.80f, 1.0f);
    }
    return stage;
}

/// The loading scene: a truck a third full, the bucket over its bed.
static inline Stage *stage_create_truck(Status *status)
{
    Stage *stage = stage_create("truck-loading", status);
    if (stage == NULL) {
        return NULL;
    }
    const SceneTruck *t = &stage->scene.exercise.truck;
    int loam = stage->scene.ground.layers[0].soil_index;
    stage_heap(stage, 7.4, -0.2, 1.6, loam);
    stage_heap(stage, 8.6, -1.6, 1.4, loam);
    stage_heap(stage, 8.4, 1.6, 1.4, loam);
    for (int j = 0; j < STAGE_TRAY_ROWS; j++) {
        for (int i = 0; i < STAGE_TRAY_COLUMNS; i++) {
            double x = -0.5 * t->bed_length + i * 0.1, y = -0.5 * t->bed_width + j * 0.1;
            double d = sqrt((x - 1.0) * (x - 1.0) + y * y * 0.6 + 0.1), e = sqrt((x + 0.6) * (x + 0.6) + y * y + 0.1);
            double h = fmax(1.15 - 0.55 * d, 0.95 - 0.6 * e) + 0.05 * stage_smooth_noise(5.0 * x, 5.0 * y);
            stage->tray_height[j * STAGE_TRAY_COLUMNS + i] = (float)(t->floor_height + fmax(h, 0.0));
            stage->tray_soil[j * STAGE_TRAY_COLUMNS + i] = (uint8_t)loam;
            stage->tray_loose[j * STAGE_TRAY_COLUMNS + i] = 255;
        }
    }
    stage->view.grid_count = 2;
    stage->view.grids[1] = (RenderGrid){.rows = STAGE_TRAY_ROWS,
                                        .columns = STAGE_TRAY_COLUMNS,
                                        .spacing = 0.1,
                                        .origin_x = -0.5 * t->bed_length,
                                        .origin_y = -0.5 * t->bed_width,
                                        .x = t->x,
                                        .y = t->y,
                                        .heading = t->heading,
                                        .floor = t->floor_height,
                                        .height = stage->tray_height,
                                        .soil = stage->tray_soil,
                                        .loose = stage->tray_loose,
                                        .all_dirty = true};
    stage_pose(stage, -0.5 * M_PI, 6.1, 2.55, -2.85);
    stage_fill_bucket(stage, 0.28, loam);
    Vec3 edge = pose_apply(&stage->view.body[EXCAVATOR_BUCKET], vec3(1.3, 0.0, -0.05));
    for (int k = 0; k < 170; k++) {
        double fall = stage_random(stage);
        Vec3 p = vec3_add(edge, vec3((stage_random(stage) - 0.5) * 1.1, (stage_random(stage) - 0.5) * 0.3 - 0.15,
                                     -0.9 * fall * fall));
        stage_add_particle(stage, p, 0.05, loam);
    }
    stage_scatter(stage, 6.4, -0.2, 2.0, 420, loam);
    return stage;
}

static inline void stage_show_hud(Stage *stage)
{
    stage->view.hud = (RenderHud){.visible = true,
                                  .title = stage->scene.title,
                                  .time = 247.0,
                                  .time_limit = stage->scene.exercise.time_limit,
                                  .score = 74.0,
                                  .pattern = "ISO",
                                  .pressure = {9e6, 31e6, 35e6, 18e6},
                                  .pressure_relief = {26.8e6, 38e6, 35e6, 35e6},
                                  .engine_speed = 176.0,
                                  .engine_rated = 188.5,
                                  .pump_power = 84e3,
                                  .payload = 1460.0,
                                  .payload_full = 1540.0,
                                  .fuel = 310.0,
                                  .tool_force = 61e3,
                                  .depth = 0.82,
                                  .joint_name = {"Swing", "Boom", "Stick", "Bucket"},
                                  .limit = {"stall", "relief", "slip", "tip"},
                                  .limit_acts = {false, true, true, false},
                                  .at_relief = {false, false, true, false},
                                  .real_time = 0.8,
                                  .recording = true,
                                  .progress = {"Depth 0.95 of 1.50 m", "Moved 6.8 of 14.8 t", "Spilled 120 kg"},
                                  .hints = {"Left stick  swing, stick", "Right stick  bucket, boom", "Triggers  tracks",
                                            "B  camera    Start  menu"}};
    stage->view.hud.levers[CONTROL_SWING] = 0.35;
    stage->view.hud.levers[CONTROL_STICK] = 0.6;
    stage->view.hud.levers[CONTROL_BOOM] = 0.25;
    stage->view.hud.levers[CONTROL_BUCKET] = 0.7;
    stage->view.hud.levers[CONTROL_LEFT_TRACK] = 0.3;
}

#endif
