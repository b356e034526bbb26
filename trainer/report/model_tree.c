/// Puts a machine together as a tree of nodes: its base, its joints with the frames of their bodies, and what is drawn
/// in them, sorted by materials.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/schema/schema.h"
#include "trainer/report/model_internal.h"

/// ---- meshes by materials -------------------------------------------------------------------------------------------

/// m2: triangles of less are nothing to be seen, and have no normal.
#define LEAST_AREA 1e-10

static Vec3 place_of(const ModelVertex *vertex)
{
    return vec3((double)vertex->position[0], (double)vertex->position[1], (double)vertex->position[2]);
}

/// Twice the area of a triangle along its normal.
static Vec3 triangle_across(const ModelMesh *mesh, const uint32_t *corner)
{
    Vec3 a = place_of(&mesh->vertices[corner[0]]);
    return vec3_cross(vec3_sub(place_of(&mesh->vertices[corner[1]]), a),
                      vec3_sub(place_of(&mesh->vertices[corner[2]]), a));
}

static bool has_material(const ModelGroup *group, const ModelVertex *vertex)
{
    return memcmp(group->color, vertex->color, sizeof group->color) == 0 && group->gloss == vertex->gloss &&
           group->metal == vertex->metal;
}

/// Number of the group that a triangle belongs to, by its first corner, MODEL_MAX_GROUPS where there is no more room.
static int find_group(ModelNode *node, const ModelVertex *vertex)
{
    int k = 0;
    while (k < node->group_count && !has_material(&node->group[k], vertex)) {
        k++;
    }
    if (k == node->group_count && k < MODEL_MAX_GROUPS) {
        ModelGroup *group = &node->group[node->group_count++];
        memcpy(group->color, vertex->color, sizeof group->color);
        group->gloss = vertex->gloss;
        group->metal = vertex->metal;
    }
    return k;
}

/// Adds a corner to a group, once, and returns its number there.
static uint32_t add_corner(ModelGroup *group, int *place, const ModelVertex *vertex, Vec3 across)
{
    if (*place < 0) {
        *place = group->vertex_count++;
        ModelVertex *own = &group->vertices[*place];
        *own = *vertex;
        Vec3 normal = vec3((double)own->normal[0], (double)own->normal[1], (double)own->normal[2]);
        normal = vec3_unit(normal, vec3_unit(across, vec3(0.0, 0.0, 1.0)));
        own->normal[0] = (float)normal.x;
        own->normal[1] = (float)normal.y;
        own->normal[2] = (float)normal.z;
    }
    return (uint32_t)*place;
}

/// Fills a group from the triangles of its material. `places` has room for a number of each vertex.
static bool fill_group(ModelNode *node, int k, const ModelMesh *mesh, int *places)
{
    ModelGroup *group = &node->group[k];
    group->vertices = calloc((size_t)mesh->vertex_count, sizeof *group->vertices);
    group->indices = calloc((size_t)mesh->index_count, sizeof *group->indices);
    if (group->vertices == NULL || group->indices == NULL) {
        return false;
    }
    memset(places, 0xff, (size_t)mesh->vertex_count * sizeof *places);
    for (int i = 0; i + 2 < mesh->index_count; i += 3) {
        const uint32_t *corner = &mesh->indices[i];
        Vec3 across = triangle_across(mesh, corner);
        if (vec3_length(across) < 2.0 * LEAST_AREA || !has_material(group, &mesh->vertices[corner[0]])) {
            continue;
        }
        for (int n = 0; n < 3; n++) {
            const ModelVertex *vertex = &mesh->vertices[corner[n]];
            group->indices[group->index_count++] = add_corner(group, &places[corner[n]], vertex, across);
        }
    }
    return true;
}

/// Draws a node's part and sorts it by materials. False when memory, or room for materials, runs out.
static bool draw_node(const Model *model, const ModelPainter *painter, ModelNode *node)
{
    ModelMesh mesh = {0};
    bool good = painter->draw(painter->context, &model->params, &node->part, &mesh);
    int *places = good ? calloc((size_t)mesh.vertex_count + 1, sizeof *places) : NULL;
    good = places != NULL;
    for (int i = 0; good && i + 2 < mesh.index_count; i += 3) {
        if (vec3_length(triangle_across(&mesh, &mesh.indices[i])) >= 2.0 * LEAST_AREA) {
            good = find_group(node, &mesh.vertices[mesh.indices[i]]) < MODEL_MAX_GROUPS;
        }
    }
    for (int k = 0; good && k < node->group_count; k++) {
        good = fill_group(node, k, &mesh, places);
    }
    free(places);
    free(mesh.vertices);
    free(mesh.indices);
    return good;
}

/// ---- the tree ------------------------------------------------------------------------------------------------------

void model_link_name(const Model *model, int body, char name[MODEL_NAME])
{
    snprintf(name, MODEL_NAME, "%s_link", model->params.body[body].name);
}

Vec3 model_inertia(const MachineBodyParams *body)
{
    double m = body->mass / 12.0, x = body->inertia_size[0], y = body->inertia_size[1], z = body->inertia_size[2];
    return vec3(m * (y * y + z * z), m * (x * x + z * z), m * (x * x + y * y));
}

static ModelNode *add_node(Model *model, const char *name, int parent, const Pose *start)
{
    ModelNode *node = &model->node[model->node_count++];
    snprintf(node->name, sizeof node->name, "%s", name);
    node->parent = parent;
    node->start = *start;
    node->body = node->joint = -1;
    return node;
}

static void add_drawn(Model *model, const char *name, int parent, int body, const ModelPart *part)
{
    Pose frame = model->node[parent].start;
    ModelNode *node = add_node(model, name, parent, &frame);
    node->body = body;
    node->drawn = true;
    node->part = *part;
}

static void add_base(Model *model)
{
    const Pose origin = {vec3(0.0, 0.0, 0.0), mat3_identity()};
    char name[MODEL_NAME];
    add_node(model, "base_link", -1, &origin)->body = MACHINE_BASE;
    model_link_name(model, MACHINE_BASE, name);
    add_drawn(model, name, 0, MACHINE_BASE, &(ModelPart){.kind = MODEL_BODY, .index = MACHINE_BASE});
    add_drawn(model, "left_track", 0, MACHINE_BASE, &(ModelPart){.kind = MODEL_BELT, .index = 0});
    add_drawn(model, "right_track", 0, MACHINE_BASE, &(ModelPart){.kind = MODEL_BELT, .index = 1});
}

static void add_joint(Model *model, int joint)
{
    const MachineJointParams *one = &model->params.joint[joint];
    const MachineHinge *hinge = &model->hinge[joint];
    int parent = model->body_node[one->parent];
    Mat3 turn = mat3_from_quat(quat_turn(hinge->axis, model->params.start_pose[joint]));
    const Pose *frame = &model->node[parent].start;
    Pose start = {pose_apply(frame, hinge->origin), mat3_product(&frame->rotation, &turn)};
    model->body_node[one->child] = model->node_count;
    char name[MODEL_NAME];
    memcpy(name, one->column, sizeof one->column);
    ModelNode *node = add_node(model, name, parent, &start);
    node->body = one->child;
    node->joint = joint;
    model_link_name(model, one->child, name);
    add_drawn(model, name, model->body_node[one->child], one->child,
              &(ModelPart){.kind = MODEL_BODY, .index = one->child});
}

/// The middle of the first tool's edge.
static void add_tip(Model *model)
{
    const MachineToolParams *tool = &model->params.tool[0];
    int parent = model->body_node[tool->body];
    Pose start = model->node[parent].start;
    start.position = pose_apply(&start, vec3(tool->tip.x, 0.0, tool->tip.z));
    add_node(model, "tip", parent, &start)->body = tool->body;
}

/// ---- cylinders and bars --------------------------------------------------------------------------------------------

/// The frame at `from` whose x axis points to `to` and whose y axis is as near the frame's as can be.
static Pose aim(Vec3 from, Vec3 to, const Mat3 *frame)
{
    Vec3 x = vec3_unit(vec3_sub(to, from), vec3(1.0, 0.0, 0.0));
    Vec3 side = vec3(frame->m[0][1], frame->m[1][1], frame->m[2][1]);
    if (fabs(vec3_dot(side, x)) > 0.9) { // a cylinder across the machine
        side = vec3(-frame->m[0][0], -frame->m[1][0], -frame->m[2][0]);
    }
    Vec3 z = vec3_unit(vec3_cross(x, side), vec3(0.0, 0.0, 1.0)), y = vec3_cross(z, x);
    return (Pose){from, {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}}};
}

/// Adds a strut's node under `parent`. Returns its number.
static int add_strut(Model *model, const char *name, int parent, const Pose *start, const ModelPart *part,
                     const char *aims_at)
{
    int number = model->node_count;
    ModelNode *node = add_node(model, name, parent, start);
    node->drawn = true;
    node->part = *part;
    snprintf(node->aims_at, sizeof node->aims_at, "%s", aims_at);
    return number;
}

/// Of a cylinder's closed length: what its rod measures, so that it neither leaves the barrel nor pierces its base.
#define ROD_SHARE 0.94

static void add_cylinder(Model *model, int joint, int index, int head, const MachineStrut *strut)
{
    const MachineJointParams *one = &model->params.joint[joint];
    int parent = model->body_node[one->parent];
    char barrel[MODEL_NAME], rod[MODEL_NAME];
    snprintf(barrel, sizeof barrel, "%s_cylinder_%d", one->column, index + 1);
    snprintf(rod, sizeof rod, "%s_rod_%d", one->column, index + 1);
    const Mat3 *frame = &model->node[parent].start.rotation;
    Pose from = aim(strut->a, strut->b, frame), back = aim(strut->b, strut->a, frame);
    ModelPart parts[2] = {{.kind = MODEL_BARREL, .length = strut->barrel, .radius = strut->radius},
                          {.kind = MODEL_ROD, .length = ROD_SHARE * one->cylinder.closed, .radius = strut->rod_radius}};
    int first = add_strut(model, barrel, parent, &from, &parts[0], rod);
    int second = add_strut(model, rod, head, &back, &parts[1], barrel);
    model->node[first].joint = model->node[second].joint = joint;
}

/// Adds what machine_get_struts has of one joint: rocker and link, then the cylinders. Returns how many.
static int add_struts(Model *model, int joint, const MachineStrut *struts)
{
    const MachineJointParams *one = &model->params.joint[joint];
    int parent = model->body_node[one->parent], head = model->body_node[one->child], count = 0;
    if (one->linkage.rocker_length > 0.0) {
        const Mat3 *frame = &model->node[parent].start.rotation;
        char rocker[MODEL_NAME], link[MODEL_NAME];
        snprintf(rocker, sizeof rocker, "%s_linkage_rocker", one->column);
        snprintf(link, sizeof link, "%s_linkage_bar", one->column);
        Pose from = aim(struts[0].a, struts[0].b, frame), back = aim(struts[1].b, struts[1].a, frame);
        ModelPart bars[2];
        for (int k = 0; k < 2; k++) {
            bars[k] = (ModelPart){.kind = MODEL_BAR, .length = struts[k].barrel, .radius = struts[k].radius};
        }
        int number = add_strut(model, link, head, &back, &bars[1], rocker);
        model->node[number].joint = joint;
        head = add_strut(model, rocker, parent, &from, &bars[0], "");
        model->node[head].joint = joint;
        count = 2;
    }
    for (int k = 0; k < one->cylinder.count; k++) {
        add_cylinder(model, joint, k, head, &struts[count++]);
    }
    return count;
}

static void add_all_struts(Model *model)
{
    MachineState state;
    MachineStrut struts[MACHINE_MAX_STRUTS];
    Pose base;
    machine_start(model->machine, 0.0, 0.0, 0.0, 0.0, &state);
    machine_get_body_frame(model->machine, &state, MACHINE_BASE, &base);
    int all = machine_get_struts(model->machine, &state, struts), done = 0;
    for (int k = 0; k < all; k++) {
        struts[k].a = pose_apply_inverse(&base, struts[k].a);
        struts[k].b = pose_apply_inverse(&base, struts[k].b);
    }
    for (int k = model->params.joint_count - 1; k >= 0; k--) { // in the order of machine_get_struts
        const MachineJointParams *one = &model->params.joint[k];
        int need = one->cylinder.count + (one->linkage.rocker_length > 0.0 ? 2 : 0);
        if (one->drive == MACHINE_DRIVE_CYLINDER && done + need <= all) {
            done += add_struts(model, k, &struts[done]);
        } else if (one->rotary.bore > 0.0) {
            done += 2; // those beside a rotary joint are not among the model's parts
        }
    }
}

/// ---- making --------------------------------------------------------------------------------------------------------

/// A name that file systems, XML and programs take: of the machine, and of what hangs on it.
static void make_name(Model *model)
{
    const MachineParams *params = &model->params;
    snprintf(model->name, sizeof model->name, "%s%s%s%s%s", params->name, params->attachment[0] != '\0' ? "-" : "",
             params->attachment, params->coupler[0] != '\0' ? "-" : "", params->coupler);
    for (char *c = model->name; *c != '\0'; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '-';
        *c = plain ? *c : '_';
    }
}

static bool load(Model *model, const ModelRequest *request, Status *status)
{
    if (!data_load_machine(request->machine, &model->params, NULL, status) ||
        (request->attachment != NULL && !data_load_attachment(request->attachment, &model->params, NULL, status)) ||
        (request->coupler != NULL && !data_load_coupler(request->coupler, &model->params, NULL, status))) {
        return false;
    }
    make_name(model);
    model->machine = machine_create(&model->params, status);
    return model->machine != NULL;
}

Model *model_create(const ModelRequest *request, Status *status)
{
    Model *model = calloc(1, sizeof *model);
    if (model == NULL) {
        status_fail(status, STATUS_LACKING, "%.80s: out of memory for the model", request->machine);
        return NULL;
    }
    if (!load(model, request, status)) {
        model_destroy(model);
        return NULL;
    }
    add_base(model);
    for (int k = 0; k < model->params.joint_count; k++) {
        machine_get_hinge(model->machine, k, &model->hinge[k]);
        add_joint(model, k);
    }
    add_tip(model);
    add_all_struts(model);
    for (int k = 0; k < model->node_count; k++) {
        if (model->node[k].drawn && !draw_node(model, &request->painter, &model->node[k])) {
            status_fail(status, STATUS_LACKING, "%.80s: out of memory for the meshes", request->machine);
            model_destroy(model);
            return NULL;
        }
    }
    return model;
}

void model_destroy(Model *model)
{
    if (model == NULL) {
        return;
    }
    for (int k = 0; k < model->node_count; k++) {
        for (int n = 0; n < model->node[k].group_count; n++) {
            free(model->node[k].group[n].vertices);
            free(model->node[k].group[n].indices);
        }
    }
    machine_destroy(model->machine);
    free(model);
}
