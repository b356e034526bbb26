/// Draws a machine: its bodies at their poses, its cylinders and bars between their pins, its belts shoe by shoe, its
/// hoses bent between their fittings. Struts and belts need no type of machine, because the view has their ends and
/// their run.
#include "render/models/machine_model.h"

#include <math.h>
#include <string.h>

#include "data/schema/machine_params.h"

static void build_part(const MachineParams *params, int part, Mesh *mesh)
{
    switch (part) {
    case MACHINE_PART_CAB:
        machine_mesh_cab(params, mesh);
        break;
    case MACHINE_PART_GLASS:
        machine_mesh_glass(params, mesh);
        break;
    case MACHINE_PART_SHOE:
        machine_mesh_shoe(params, mesh);
        break;
    case MACHINE_PART_PLAIN_SHOE:
        machine_mesh_plain_shoe(params, mesh);
        break;
    case MACHINE_PART_BARREL:
        strut_mesh_barrel(mesh);
        break;
    case MACHINE_PART_ROD:
        strut_mesh_rod(mesh);
        break;
    case MACHINE_PART_BAR:
        strut_mesh_bar(mesh);
        break;
    case MACHINE_PART_EYE:
        strut_mesh_eye(mesh);
        break;
    case MACHINE_PART_JOYSTICK:
        cab_mesh_joystick(mesh);
        break;
    case MACHINE_PART_TRAVEL_LEVER:
        cab_mesh_travel_lever(mesh);
        break;
    case MACHINE_PART_LENS:
    case MACHINE_PART_LENS_LIT:
        fitting_mesh_lens(part == MACHINE_PART_LENS_LIT, mesh);
        break;
    default:
        if (part < params->body_count) {
            machine_mesh_body(params, part, mesh);
        }
        break;
    }
}

/// Adds the place of each shoe to the shoe's mesh: a vec4 an instance (track_path_at).
static void create_shoe_places(MachineModel *model)
{
    model->path = track_path(&model->params.tracks);
    glGenBuffers(1, &model->shoe_places);
    for (int part = MACHINE_PART_SHOE; part <= MACHINE_PART_PLAIN_SHOE; part++) {
        glBindVertexArray(model->part[part].array);
        glBindBuffer(GL_ARRAY_BUFFER, model->shoe_places);
        glEnableVertexAttribArray(4);
        glVertexAttribPointer(4, 4, GL_FLOAT, GL_FALSE, 0, NULL);
        glVertexAttribDivisor(4, 1);
    }
    glBindVertexArray(0);
}

void machine_model_follow(MachineModel *model, const MachineParams *params)
{
    if (params == NULL ? !model->made : model->made && memcmp(&model->params, params, sizeof(*params)) == 0) {
        return;
    }
    machine_model_destroy(model);
    if (params == NULL) {
        return;
    }
    memcpy(&model->params, params, sizeof(*params));
    for (int k = 0; k < MACHINE_PART_COUNT; k++) {
        Mesh mesh = {0};
        build_part(params, k, &mesh);
        solid_mesh_create(&model->part[k], &mesh);
    }
    create_shoe_places(model);
    model->made = true;
}

void machine_model_destroy(MachineModel *model)
{
    solid_meshes_destroy(model->part, MACHINE_PART_COUNT);
    glDeleteBuffers(1, &model->shoe_places);
    solid_meshes_destroy(&model->hoses.mesh, 1);
    mesh_free(&model->hoses.bent);
    memset(model, 0, sizeof(*model));
}

/// ---- struts and hoses ----------------------------------------------------------------------------------------------

/// Writes the struts as they are drawn and returns their number: an excavator's stick cylinder stands on its boom.
static int drawn_struts(const MachineStand *stand, RenderStrut struts[RENDER_MAX_STRUTS])
{
    int count = stand->strut_count < RENDER_MAX_STRUTS ? stand->strut_count : RENDER_MAX_STRUTS;
    memcpy(struts, stand->struts, (size_t)count * sizeof struts[0]);
    if (stand->params->type == MACHINE_EXCAVATOR) {
        const double same = 0.05; // m: struts between two ticks are a little off their pins
        const PlanePoint *pin = &stand->params->joint[EXCAVATOR_JOINT_STICK].cylinder.base;
        const PlanePoint foot = excavator_stick_cylinder_foot(stand->params);
        const Pose *boom = &stand->body[EXCAVATOR_BOOM];
        Vec3 from = pose_apply(boom, vec3(pin->x, 0.0, pin->z));
        for (int k = 0; k < count; k++) {
            if (!struts[k].bar && vec3_length(vec3_sub(struts[k].a, from)) < same) {
                struts[k].a = pose_apply(boom, vec3(foot.x, 0.0, foot.z));
                struts[k].barrel += excavator_stick_cylinder_longer(stand->params);
            }
        }
    }
    return count;
}

/// Adds all hoses, each between the frames of its ends.
static void sweep_all(HoseModel *model, const Pose (*frames)[2], Mesh *mesh)
{
    static const MeshMaterial jacket = {{30, 30, 31, 255}, {70, 0, 70, 0}};
    Vec3 points[HOSE_MAX_POINTS];
    for (int k = 0; k < model->count; k++) {
        const Mat3 *turn = &frames[k][0].rotation;
        hose_curve(&model->hose[k], frames[k], model->points, points);
        mesh_sweep(mesh, points, model->points, vec3(turn->m[0][1], turn->m[1][1], turn->m[2][1]),
                   model->hose[k].radius, model->segments, &jacket);
    }
}

/// Makes the hoses of a machine. `plain`: at low quality, of fewer triangles.
static void make_hoses(HoseModel *model, const MachineParams *params, bool plain)
{
    model->count = machine_hoses(params, model->hose);
    model->points = plain ? 8 : HOSE_MAX_POINTS;
    model->segments = plain ? 4 : 8;
    Pose frames[HOSES_MAX][2];
    for (int k = 0; k < model->count; k++) {
        frames[k][0] = frames[k][1] = (Pose){vec3(0.0, 0.0, 0.0), mat3_identity()};
    }
    Mesh mesh = {0};
    sweep_all(model, (const Pose(*)[2])frames, &mesh);
    solid_mesh_create(&model->mesh, &mesh);
}

/// Returns the frame of the cylinder that carries an end: that whose base is nearest to the end's pin.
static Pose cylinder_frame(const MachineParams *params, const HoseEnd *end, const Pose *body, const RenderStrut *struts,
                           int strut_count)
{
    const Mat3 *turn = &body[end->body].rotation;
    Vec3 pin = pose_apply(&body[end->body], hose_cylinder_pin(params, end));
    Vec3 side = vec3(turn->m[0][1], turn->m[1][1], turn->m[2][1]);
    Pose frame = {pin, *turn};
    double nearest = 1e9;
    for (int k = 0; k < strut_count; k++) {
        double apart = vec3_length(vec3_sub(struts[k].a, pin));
        if (!struts[k].bar && apart < nearest) {
            Vec3 x = vec3_unit(vec3_sub(struts[k].b, struts[k].a), vec3(1.0, 0.0, 0.0));
            Vec3 z = vec3_unit(vec3_cross(x, side), vec3(0.0, 0.0, 1.0)), y = vec3_cross(z, x);
            nearest = apart;
            frame = (Pose){struts[k].a, {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}}};
        }
    }
    return frame;
}

/// Bends hoses between the bodies (frames in the world) and the cylinders of a machine. The mesh keeps its memory.
static void bend_hoses(HoseModel *model, const MachineParams *params, const Pose *body, const RenderStrut *struts,
                       int strut_count)
{
    Pose frames[HOSES_MAX][2];
    for (int k = 0; k < model->count; k++) {
        for (int end = 0; end < 2; end++) {
            const HoseEnd *at = &model->hose[k].end[end];
            frames[k][end] = at->joint < 0 ? body[at->body] : cylinder_frame(params, at, body, struts, strut_count);
        }
    }
    model->bent.vertex_count = model->bent.index_count = 0;
    sweep_all(model, (const Pose(*)[2])frames, &model->bent);
    solid_mesh_move(&model->mesh, &model->bent);
}

void machine_model_bend(MachineModel *model, const MachineStand *stand, bool plain)
{
    if (stand->params == NULL) {
        return;
    }
    RenderStrut struts[RENDER_MAX_STRUTS];
    int count = drawn_struts(stand, struts);
    if (model->hoses.points == 0) {
        make_hoses(&model->hoses, stand->params, plain);
    }
    bend_hoses(&model->hoses, stand->params, stand->body, struts, count);
}

/// ---- drawing -------------------------------------------------------------------------------------------------------

/// Draws two plates, outside the stick (`half_width` m from its middle), on common pins.
static void draw_bar(const MachineModel *model, const SolidProgram *program, const RenderStrut *strut, Vec3 axis,
                     double length, Vec3 side, double half_width)
{
    double r = strut->radius;
    for (int plate = -1; plate <= 1; plate += 2) {
        Vec3 low = vec3_madd(vec3_madd(strut->a, -1.2 * r, axis), plate * half_width, side);
        solid_draw_stretched(program, &model->part[MACHINE_PART_BAR], low, axis, side,
                             vec3(length + 2.4 * r, 0.022, 1.25 * r));
    }
    const SolidMesh *eye = &model->part[MACHINE_PART_EYE];
    solid_draw_stretched(program, eye, strut->a, side, axis, vec3(half_width + 0.05, r, r));
    solid_draw_stretched(program, eye, strut->b, side, axis, vec3(half_width + 0.05, r, r));
}

static void draw_strut(const MachineModel *model, const SolidProgram *program, const RenderStrut *strut, Vec3 side,
                       double half_width)
{
    Vec3 span = vec3_sub(strut->b, strut->a);
    double length = vec3_length(span);
    if (!(length > 0.0)) {
        return;
    }
    Vec3 axis = vec3_scale(span, 1.0 / length);
    if (strut->bar) {
        draw_bar(model, program, strut, axis, length, side, half_width);
        return;
    }
    const SolidMesh *eye = &model->part[MACHINE_PART_EYE];
    double barrel = fmin(fmax(strut->barrel, 0.1 * length), length), r = strut->radius, rod = strut->rod_radius;
    solid_draw_stretched(program, &model->part[MACHINE_PART_BARREL], strut->a, axis, side, vec3(barrel, r, r));
    solid_draw_stretched(program, &model->part[MACHINE_PART_ROD], vec3_madd(strut->a, 0.9 * barrel, axis), axis, side,
                         vec3(length - 0.9 * barrel, rod, rod));
    solid_draw_stretched(program, eye, strut->a, side, axis, vec3(r, 1.15 * r, 1.15 * r));
    solid_draw_stretched(program, eye, strut->b, side, axis, vec3(r, 1.5 * rod, 1.5 * rod));
}

static void draw_belts(const MachineModel *model, const SolidProgram *program, const MachineStand *stand, bool plain)
{
    const SolidMesh *shoe = &model->part[plain ? MACHINE_PART_PLAIN_SHOE : MACHINE_PART_SHOE];
    float places[TRACK_MAX_SHOES][4];
    const MachineTracks *tracks = &stand->params->tracks;
    double reach = tracks->length + tracks->gauge; // m
    if (shoe->count == 0 || !solid_sees(program, stand->body[MACHINE_BASE].position, reach)) {
        return;
    }
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < model->path.shoes; k++) {
            // Driving forward, the lower run goes backwards under the machine.
            track_path_at(&model->path, k * model->path.pitch - stand->track_travel[side], places[k]);
        }
        glBindBuffer(GL_ARRAY_BUFFER, model->shoe_places);
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)sizeof(places[0]) * model->path.shoes, places, GL_STREAM_DRAW);
        Pose pose = stand->body[MACHINE_BASE];
        double y = (side == 0 ? 0.5 : -0.5) * stand->params->tracks.gauge;
        pose.position = pose_apply(&pose, vec3(0.0, y, 0.0));
        mat4 matrix;
        linear_from_pose(&pose, matrix);
        glUniformMatrix4fv(program->model, 1, GL_FALSE, matrix[0]);
        glBindVertexArray(shoe->array);
        glDrawElementsInstanced(GL_TRIANGLES, shoe->count, GL_UNSIGNED_INT, NULL, model->path.shoes);
    }
}

/// Draws a lever that leans by `ahead` and `right` (-1..1 of its way).
static void draw_lever(const SolidProgram *program, const SolidMesh *mesh, const Pose *cab, const CabLever *lever,
                       double ahead, double right)
{
    const double way = lever->pedal ? 0.25 : 0.32; // rad
    Vec3 up = vec3_unit(vec3(sin(way * ahead), -sin(way * right), 1.0), vec3(0.0, 0.0, 1.0));
    Vec3 side = vec3_unit(vec3_cross(up, vec3(1.0, 0.0, 0.0)), vec3(0.0, 1.0, 0.0));
    Vec3 axis = vec3_cross(side, up);
    solid_draw_stretched(program, mesh, pose_apply(cab, lever->pivot), mat3_mul(&cab->rotation, axis),
                         mat3_mul(&cab->rotation, side), vec3(lever->size, lever->size, lever->size));
}

/// Draws the joysticks and travel levers at the positions of `levers`.
static void draw_levers(const MachineModel *model, const SolidProgram *program, const MachineStand *stand)
{
    const SolidMesh *joystick = &model->part[MACHINE_PART_JOYSTICK], *travel = &model->part[MACHINE_PART_TRAVEL_LEVER];
    const Pose *cab = &stand->body[stand->params->cab_body];
    CabLever levers[CAB_MAX_LEVERS];
    int count = cab_levers(stand->params, levers);
    for (int k = 0; k < count; k++) {
        double at[2] = {0.0, 0.0};
        if (k < 2) {
            render_stick(stand->levers, stand->pattern, k == 0, at);
        } else {
            at[1] = stand->levers[!levers[k].pedal ? CONTROL_RIPPER
                                  : k == 2         ? CONTROL_LEFT_TRACK
                                                   : CONTROL_RIGHT_TRACK];
        }
        draw_lever(program, levers[k].pedal ? travel : joystick, cab, &levers[k], at[1], at[0]);
    }
}

static void draw_lenses(const MachineModel *model, const SolidProgram *program, const MachineStand *stand, bool lit)
{
    FittingLamp lamps[FITTINGS_MAX_LAMPS];
    int count = machine_lamps(stand->params, lamps);
    for (int k = 0; k < count; k++) {
        const Pose *body = &stand->body[lamps[k].body], local = fitting_frame(lamps[k].at, lamps[k].direction);
        Pose pose = {pose_apply(body, local.position), mat3_product(&body->rotation, &local.rotation)};
        solid_draw(program, &model->part[lit ? MACHINE_PART_LENS_LIT : MACHINE_PART_LENS], &pose);
    }
}

MachineStand machine_stand_of_view(const RenderView *view)
{
    return (MachineStand){view->machine,     view->body,   view->track_travel,
                          view->strut_count, view->struts, view->hud.levers,
                          view->hud.pattern, view->dirt,   false};
}

MachineStand machine_stand_of_ghost(const RenderView *view, bool without_cab)
{
    const RenderGhost *ghost = &view->ghost;
    return (MachineStand){ghost->machine, ghost->body, ghost->track_travel, ghost->strut_count, ghost->struts, NULL,
                          NULL,           NULL,        without_cab};
}

/// Which dirt a body has.
static RenderDirtPart dirt_part_of(const MachineParams *params, int body)
{
    for (int k = 0; k < params->tool_count; k++) {
        if (params->tool[k].body == body) {
            return k == 0 ? RENDER_DIRT_TOOL : RENDER_DIRT_SECOND;
        }
    }
    return body == MACHINE_BASE ? RENDER_DIRT_BASE : RENDER_DIRT_ARM;
}

#define ARM_REACH  3.2 ///< m from the tool. Chosen
#define BASE_REACH 1.5 ///< heights of a track over the ground that its belts throw soil up. Chosen

/// Sets the dirt of a part: on tools and belts it is everywhere, on an arm near its tool, on an undercarriage low down.
static void set_dirt(const SolidProgram *program, const MachineStand *stand, RenderDirtPart part)
{
    if (stand->dirt != NULL) {
        double reach[RENDER_DIRT_PARTS] = {
            [RENDER_DIRT_ARM] = ARM_REACH, [RENDER_DIRT_BASE] = -BASE_REACH * stand->params->tracks.height};
        int tool = stand->params->tool_count > 0 ? stand->params->tool[0].body : MACHINE_BASE;
        solid_set_dirt(program, &stand->dirt[part], stand->body[tool].position, reach[part]);
    }
}

static void draw_body(const MachineModel *model, const SolidProgram *plain, const MachineStand *stand, int body)
{
    const MachineParams *params = stand->params;
    if (stand->without_cab && body == params->cab_body) {
        return;
    }
    set_dirt(plain, stand, dirt_part_of(params, body));
    solid_draw(plain, &model->part[body], &stand->body[body]);
    if (body == params->cab_body) { // after its body: of coplanar faces the first one is visible
        solid_draw(plain, &model->part[MACHINE_PART_CAB], &stand->body[body]);
    }
}

void machine_model_draw(const MachineModel *model, const SolidPass *pass, const MachineStand *stand)
{
    const MachineParams *params = stand->params;
    if (params == NULL) {
        return;
    }
    const SolidProgram *plain = solid_begin(pass, pass->programs->plain);
    const Pose *cab = &stand->body[params->cab_body];
    for (int body = 0; body < params->body_count; body++) {
        draw_body(model, plain, stand, body);
    }
    set_dirt(plain, stand, RENDER_DIRT_ARM);
    Vec3 side = vec3(cab->rotation.m[0][1], cab->rotation.m[1][1], cab->rotation.m[2][1]);
    RenderStrut struts[RENDER_MAX_STRUTS];
    int strut_count = drawn_struts(stand, struts);
    for (int k = 0; k < strut_count; k++) {
        draw_strut(model, plain, &struts[k], side, excavator_stick_half_width(params) + 0.055);
    }
    if (model->hoses.count > 0 && !(pass->depth && pass->plain)) {
        const Pose world = {vec3(0.0, 0.0, 0.0), mat3_identity()};
        solid_draw(plain, &model->hoses.mesh, &world);
    }
    if (!pass->depth && !stand->without_cab) {
        draw_lenses(model, plain, stand, pass->lamps_lit);
        if (stand->levers != NULL) {
            draw_levers(model, plain, stand);
        }
    }
    const SolidProgram *shoes = solid_begin(pass, pass->programs->shoes);
    set_dirt(shoes, stand, RENDER_DIRT_BELTS);
    draw_belts(model, shoes, stand, pass->depth || pass->plain);
}

void machine_model_draw_ghost(const MachineModel *model, const SolidPass *pass, const MachineStand *stand)
{
    SolidPass blue = *pass;
    const float tint[4] = {0.10f, 0.42f, 1.0f, 0.80f};
    memcpy(blue.tint, tint, sizeof blue.tint);
    // Slightly behind, so that the machine itself is visible where both are at the same place.
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.0f, 1.0f);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    machine_model_draw(model, &blue, stand);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthFunc(GL_LEQUAL);
    glEnable(GL_BLEND);
    glBlendColor(0.0f, 0.0f, 0.0f, 0.5f);
    glBlendFunc(GL_CONSTANT_ALPHA, GL_ONE_MINUS_CONSTANT_ALPHA);
    machine_model_draw(model, &blue, stand);
    glDisable(GL_BLEND);
    glDepthFunc(GL_LESS);
    glDisable(GL_POLYGON_OFFSET_FILL);
}

void machine_model_draw_glass(const MachineModel *model, const SolidPass *pass, const RenderView *view)
{
    if (view->machine == NULL) {
        return;
    }
    const SolidProgram *plain = solid_begin(pass, pass->programs->plain);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    solid_draw(plain, &model->part[MACHINE_PART_GLASS], &view->body[view->machine->cab_body]);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
}
