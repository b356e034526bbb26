/// Writes a machine as binary glTF 2.0 (Khronos Group, "glTF 2.0 Specification", section 4.4: a header, a chunk of JSON
/// and one of numbers). Nodes are the joints with their pivots, in the start pose; what a drawing has no field for
/// (masses, axes, limits) is in their `extras`.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/core/srgb.h"
#include "trainer/report/model_internal.h"

enum { MAX_MATERIALS = 64 };

/// Numbers of glTF's enumerations.
enum { ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963, FLOAT = 5126, UNSIGNED_INT = 5125 };

typedef struct Gltf {
    const Model *model;
    FILE *file;
    int material_count;
    const ModelGroup *material[MAX_MATERIALS]; ///< a group of each
    size_t vertices, indices; ///< of all meshes
} Gltf;

/// Number of a group's material, which is added when it is new; -1 when there is no more room.
static int material_of(Gltf *self, const ModelGroup *group)
{
    for (int k = 0; k < self->material_count; k++) {
        const ModelGroup *known = self->material[k];
        if (memcmp(known->color, group->color, sizeof known->color) == 0 && known->gloss == group->gloss &&
            known->metal == group->metal) {
            return k;
        }
    }
    if (self->material_count == MAX_MATERIALS) {
        return -1;
    }
    self->material[self->material_count] = group;
    return self->material_count++;
}

/// ---- JSON ----------------------------------------------------------------------------------------------------------

static void write_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        if (*c < 0x20) {
            fprintf(file, "\\u%04x", *c);
        } else {
            fputs(*c == '"' || *c == '\\' ? "\\" : "", file);
            fputc(*c, file);
        }
    }
    fputc('"', file);
}

static void write_vector(FILE *file, const char *key, Vec3 v)
{
    fprintf(file, ",\"%s\":[%.9g,%.9g,%.9g]", key, v.x, v.y, v.z);
}

static void write_asset(const Gltf *self)
{
    fputs("{\"asset\":{\"version\":\"2.0\",\"generator\":\"spadework " SPADEWORK_VERSION "\",\"extras\":{\"machine\":",
          self->file);
    write_text(self->file, self->model->name);
    fputs(",\"title\":", self->file);
    write_text(self->file, self->model->params.title);
    fprintf(
        self->file,
        ",\"mass\":%.9g,\"units\":\"m, kg, rad, N m\",\"frames\":\"below the first node x is forward, y left, z up, as "
        "in the simulator; the first node turns them to glTF's z forward, x left, y up\",\"pose\":\"the start pose; a "
        "joint's rotation is its angle about extras.axis, right-handed, and that of the telemetry's column of its "
        "name\"}},\"scene\":0,\"scenes\":[{\"nodes\":[0]}]",
        machine_total_mass(&self->model->params));
}

static void write_materials(const Gltf *self)
{
    for (int k = 0; k < self->material_count; k++) {
        const ModelGroup *one = self->material[k];
        const uint8_t *c = one->color;
        double rough = 0.75 + (0.16 - 0.75) * one->gloss / 255.0; // as data/shaders/solid.glsl
        fprintf(
            self->file,
            "%s{\"name\":\"color_%02x%02x%02x%02x_%d\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[%.6f,%.6f,%.6f,%."
            "6f],\"metallicFactor\":%.6f,\"roughnessFactor\":%.6f}%s}",
            k == 0 ? ",\"materials\":[" : ",", c[0], c[1], c[2], c[3], k, srgb_to_linear(c[0]), srgb_to_linear(c[1]),
            srgb_to_linear(c[2]), c[3] / 255.0, one->metal / 255.0, rough,
            c[3] < 255 ? ",\"alphaMode\":\"BLEND\",\"doubleSided\":true" : "");
    }
    fputs(self->material_count > 0 ? "]" : "", self->file);
}

/// ---- meshes --------------------------------------------------------------------------------------------------------

static const ModelGroup *next_group(const Model *model, int *node, int *group)
{
    for (++*group; *node < model->node_count; ++*node, *group = 0) {
        if (*group < model->node[*node].group_count) {
            return &model->node[*node].group[*group];
        }
    }
    return NULL;
}

/// Every group of the model, in the order of nodes.
#define FOR_ALL_GROUPS(model, group)                                                                                   \
    for (int node_ = 0, group_ = -1; ((group) = next_group(model, &node_, &group_)) != NULL;)

static bool count_all(Gltf *self)
{
    const ModelGroup *group;
    bool good = true;
    FOR_ALL_GROUPS(self->model, group)
    {
        self->vertices += (size_t)group->vertex_count;
        self->indices += (size_t)group->index_count;
        good = material_of(self, group) >= 0 && good;
    }
    return good;
}

static void write_bounds(FILE *file, const ModelGroup *group)
{
    float low[3], high[3];
    memcpy(low, group->vertices[0].position, sizeof low);
    memcpy(high, low, sizeof high);
    for (int k = 1; k < group->vertex_count; k++) {
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = fminf(low[axis], group->vertices[k].position[axis]);
            high[axis] = fmaxf(high[axis], group->vertices[k].position[axis]);
        }
    }
    // 9 digits give the bits of a float back.
    fprintf(file, ",\"min\":[%.9g,%.9g,%.9g],\"max\":[%.9g,%.9g,%.9g]", (double)low[0], (double)low[1], (double)low[2],
            (double)high[0], (double)high[1], (double)high[2]);
}

/// Three accessors a group: positions, normals, indices; a view of each kind has those of all groups.
static void write_accessors(const Gltf *self)
{
    const ModelGroup *group;
    size_t vertices = 0, indices = 0, each = 3 * sizeof(float);
    FOR_ALL_GROUPS(self->model, group)
    {
        fprintf(self->file,
                "%s{\"bufferView\":0,\"byteOffset\":%zu,\"componentType\":%d,\"count\":%d,\"type\":\"VEC3\"",
                vertices == 0 ? ",\"accessors\":[" : ",", each * vertices, FLOAT, group->vertex_count);
        write_bounds(self->file, group);
        fprintf(self->file,
                "},{\"bufferView\":1,\"byteOffset\":%zu,\"componentType\":%d,\"count\":%d,\"type\":\"VEC3\"},"
                "{\"bufferView\":2,\"byteOffset\":%zu,\"componentType\":%d,\"count\":%d,\"type\":\"SCALAR\"}",
                each * vertices, FLOAT, group->vertex_count, sizeof(uint32_t) * indices, UNSIGNED_INT,
                group->index_count);
        vertices += (size_t)group->vertex_count;
        indices += (size_t)group->index_count;
    }
    fprintf(self->file,
            "],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu,\"byteStride\":12,\"target\":%d},"
            "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,\"byteStride\":12,\"target\":%d},"
            "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,\"target\":%d}],\"buffers\":[{\"byteLength\":%zu}]",
            each * vertices, ARRAY_BUFFER, each * vertices, each * vertices, ARRAY_BUFFER, 2 * each * vertices,
            sizeof(uint32_t) * indices, ELEMENT_ARRAY_BUFFER, 2 * each * vertices + sizeof(uint32_t) * indices);
}

static void write_meshes(Gltf *self)
{
    int accessor = 0;
    const char *before = ",\"meshes\":[";
    for (int k = 0; k < self->model->node_count; k++) {
        const ModelNode *node = &self->model->node[k];
        if (node->group_count == 0) {
            continue;
        }
        fprintf(self->file, "%s{\"name\":\"%s\",\"primitives\":[", before, node->name);
        before = ",";
        for (int n = 0; n < node->group_count; n++, accessor += 3) {
            fprintf(self->file, "%s{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d},\"indices\":%d,\"material\":%d}",
                    n > 0 ? "," : "", accessor, accessor + 1, accessor + 2, material_of(self, &node->group[n]));
        }
        fputs("]}", self->file);
    }
    fputs("]", self->file);
}

/// ---- nodes ---------------------------------------------------------------------------------------------------------

/// A rotation as a quaternion (Shepperd, Journal of Guidance and Control 1978: the greatest component first).
static Quat quat_of(const Mat3 *r)
{
    const double(*m)[3] = r->m;
    double trace = m[0][0] + m[1][1] + m[2][2], square[4] = {trace, m[0][0], m[1][1], m[2][2]}, q[4];
    int big = 0;
    for (int k = 1; k < 4; k++) {
        big = square[k] > square[big] ? k : big;
    }
    q[big] = 0.5 * sqrt(fmax(0.0, big == 0 ? 1.0 + trace : 1.0 + 2.0 * square[big] - trace));
    double s = 0.25 / q[big];
    const double twist[3] = {m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]};
    for (int k = 1; k < 4; k++) {
        if (big == 0) {
            q[k] = s * twist[k - 1];
        } else if (k != big) {
            q[k] = s * (m[k - 1][big - 1] + m[big - 1][k - 1]);
        }
    }
    q[0] = big == 0 ? q[0] : s * twist[big - 1];
    return (Quat){q[0], q[1], q[2], q[3]};
}

/// Place and turn of a node in its parent's frame.
static void write_place(const Gltf *self, const ModelNode *node)
{
    const Model *model = self->model;
    Vec3 at = vec3(0.0, 0.0, 0.0);
    Quat q = {1.0, 0.0, 0.0, 0.0};
    if (node->joint >= 0 && !node->drawn) {
        const MachineHinge *hinge = &model->hinge[node->joint];
        at = hinge->origin;
        q = quat_turn(hinge->axis, model->params.start_pose[node->joint]);
    } else if (node->parent >= 0) {
        const Pose *parent = &model->node[node->parent].start;
        Mat3 back;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                back.m[i][j] = parent->rotation.m[j][i];
            }
        }
        Mat3 turn = mat3_product(&back, &node->start.rotation);
        at = pose_apply_inverse(parent, node->start.position);
        q = node->body >= 0 ? q : quat_of(&turn); // a body's mesh lies in the frame of its joint
    }
    write_vector(self->file, "translation", at);
    fprintf(self->file, ",\"rotation\":[%.9g,%.9g,%.9g,%.9g]", q.x, q.y, q.z, q.w);
}

static void write_joint_extras(const Gltf *self, int joint)
{
    const Model *model = self->model;
    const MachineJointParams *one = &model->params.joint[joint];
    const MachineHinge *hinge = &model->hinge[joint];
    fprintf(self->file, ",\"extras\":{\"joint\":\"%s\",\"parent\":\"%s\",\"child\":\"%s\",\"angle\":%.9g",
            hinge->endless ? "continuous" : "revolute", model->params.body[one->parent].name,
            model->params.body[one->child].name, model->params.start_pose[joint]);
    write_vector(self->file, "axis", hinge->axis);
    if (!hinge->endless) {
        fprintf(self->file, ",\"limits\":[%.9g,%.9g]", hinge->range[0], hinge->range[1]);
    }
    fprintf(self->file, ",\"effort\":%.6g,\"velocity\":%.6g}", hinge->torque, hinge->speed);
}

static void write_body_extras(const Gltf *self, int body)
{
    const MachineBodyParams *params = &self->model->params.body[body];
    fprintf(self->file, ",\"extras\":{\"body\":\"%s\",\"mass\":%.9g", params->name, params->mass);
    write_vector(self->file, "center_of_mass", vec3(params->center[0], params->center[1], params->center[2]));
    write_vector(self->file, "inertia", model_inertia(params));
    fputs("}", self->file);
}

static void write_strut_extras(const Gltf *self, const ModelNode *node)
{
    const MachineCylinder *cylinder = &self->model->params.joint[node->joint].cylinder;
    fprintf(self->file, ",\"extras\":{\"drives\":\"%s\"", self->model->params.joint[node->joint].column);
    if (node->aims_at[0] != '\0') {
        fprintf(self->file, ",\"aims_at\":\"%s\"", node->aims_at);
    }
    if (node->part.kind == MODEL_BARREL) {
        fprintf(self->file, ",\"closed\":%.9g,\"stroke\":%.9g,\"bore\":%.9g,\"rod\":%.9g", cylinder->closed,
                cylinder->stroke, cylinder->bore, cylinder->rod);
    }
    fputs("}", self->file);
}

/// Numbers of nodes in the file are one more than the model's: the first one turns all of them.
static void write_children(const Gltf *self, int node)
{
    const char *before = ",\"children\":[";
    for (int k = 0; k < self->model->node_count; k++) {
        if (self->model->node[k].parent == node) {
            fprintf(self->file, "%s%d", before, k + 1);
            before = ",";
        }
    }
    fputs(before[1] == '\0' ? "]" : "", self->file);
}

static void write_nodes(const Gltf *self)
{
    const Model *model = self->model;
    int mesh = 0;
    // x to z, y to x, z to y: a third of a turn.
    fprintf(self->file, ",\"nodes\":[{\"name\":\"%s\",\"rotation\":[-0.5,-0.5,-0.5,0.5]", model->name);
    write_children(self, -1);
    fputs("}", self->file);
    for (int k = 0; k < model->node_count; k++) {
        const ModelNode *node = &model->node[k];
        fprintf(self->file, ",{\"name\":\"%s\"", node->name);
        write_place(self, node);
        if (node->group_count > 0) {
            fprintf(self->file, ",\"mesh\":%d", mesh++);
        }
        if (node->drawn && node->part.kind == MODEL_BODY) {
            write_body_extras(self, node->body);
        } else if (node->drawn && node->joint >= 0) {
            write_strut_extras(self, node);
        } else if (node->joint >= 0) {
            write_joint_extras(self, node->joint);
        } else if (k > 0 && !node->drawn) {
            fputs(",\"extras\":{\"telemetry\":[\"tip_x\",\"tip_y\",\"tip_z\"]}", self->file);
        }
        write_children(self, k);
        fputs("}", self->file);
    }
    fputs("]", self->file);
}

/// ---- numbers -------------------------------------------------------------------------------------------------------

/// 32 bits, the least significant byte first.
static void put(FILE *file, uint32_t value)
{
    for (int k = 0; k < 4; k++) {
        fputc((int)(value >> 8 * k & 0xff), file);
    }
}

static void put_floats(FILE *file, const float v[3])
{
    uint32_t bits[3];
    memcpy(bits, v, sizeof bits);
    for (int k = 0; k < 3; k++) {
        put(file, bits[k]);
    }
}

static void write_numbers(const Gltf *self, FILE *file)
{
    const ModelGroup *group;
    FOR_ALL_GROUPS(self->model, group)
    {
        for (int k = 0; k < group->vertex_count; k++) {
            put_floats(file, group->vertices[k].position);
        }
    }
    FOR_ALL_GROUPS(self->model, group)
    {
        for (int k = 0; k < group->vertex_count; k++) {
            put_floats(file, group->vertices[k].normal);
        }
    }
    FOR_ALL_GROUPS(self->model, group)
    {
        for (int k = 0; k < group->index_count; k++) {
            put(file, group->indices[k]);
        }
    }
}

static void write_json(Gltf *self)
{
    write_asset(self);
    write_nodes(self);
    write_materials(self);
    write_meshes(self);
    write_accessors(self);
    fputs("}", self->file);
}

bool model_write_gltf(const Model *model, FILE *file)
{
    char *json = NULL;
    size_t size = 0;
    Gltf self = {.model = model, .file = open_memstream(&json, &size)};
    bool good = self.file != NULL && count_all(&self);
    if (good) {
        write_json(&self);
    }
    good = self.file != NULL && ferror(self.file) == 0 && good;
    good = self.file != NULL && fclose(self.file) == 0 && good;
    if (good) {
        size_t padded = (size + 3) / 4 * 4, numbers = 24 * self.vertices + 4 * self.indices;
        fwrite("glTF", 1, 4, file);
        put(file, 2);
        put(file, (uint32_t)(12 + 8 + padded + 8 + numbers));
        put(file, (uint32_t)padded);
        fwrite("JSON", 1, 4, file);
        fwrite(json, 1, size, file);
        fwrite("   ", 1, padded - size, file);
        put(file, (uint32_t)numbers);
        fwrite("BIN", 1, 4, file); // with its NUL
        write_numbers(&self, file);
    }
    free(json);
    return good;
}
