/// A particle has no spin: solvers move spheres that do not turn. Its cluster is turned by where it is, so that it
/// tumbles on its way and lies still where it lies still, without anything kept from one frame to the next.
#include "render/scene/grain_stand.h"

#include <math.h>

/// The middle of a tool's inside (m, in the frame of its body), and how far its corners are from it.
static Vec3 inside_middle(const ToolShape *shape, double *reach)
{
    Vec3 middle = vec3(0.0, 0.0, 0.0);
    for (int k = 0; k < shape->inside_count; k++) {
        middle = vec3_add(
            middle, vec3(shape->inside[k][0] / shape->inside_count, 0.0, shape->inside[k][1] / shape->inside_count));
    }
    *reach = 0.0;
    for (int k = 0; k < shape->inside_count; k++) {
        Vec3 corner = vec3(shape->inside[k][0], 0.5 * shape->inside_width, shape->inside[k][1]);
        *reach = fmax(*reach, vec3_length(vec3_sub(corner, middle)));
    }
    return middle;
}

void grain_stand_find(GrainStand *stand, const RenderView *view)
{
    *stand = (GrainStand){.ground = view->grid_count > 0 && view->grids[0].height != NULL ? &view->grids[0] : NULL};
    if (stand->ground != NULL) {
        stand->heading[0] = (float)cos(stand->ground->heading);
        stand->heading[1] = (float)sin(stand->ground->heading);
    }
    const MachineToolParams *tool = view->machine != NULL ? &view->machine->tool[0] : NULL;
    // Soil rolls before a blade; in a bucket it lies.
    if (tool == NULL || tool->shape.inside_count == 0 || view->machine->type == MACHINE_DOZER) {
        return;
    }
    double reach = 0.0;
    const Pose *pose = &view->body[tool->body];
    stand->holds = true;
    linear_from_vec3(pose_apply(pose, inside_middle(&tool->shape, &reach)), stand->middle);
    stand->reach = (float)reach;
    mat4 frame;
    linear_from_pose(pose, frame);
    glm_mat4_quat(frame, stand->turn);
    glm_mat4_inv_fast(frame, stand->to_tool);
}

static uint32_t scramble(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ x >> 16;
}

/// -1..1, from ten bits of a number.
static float part_of(uint32_t number, int shift)
{
    return (float)(number >> shift & 1023U) / 511.5f - 1.0f;
}

/// The turn of a particle at a place (m, in the frame that it moves in).
static void tumble(uint32_t id, const float place[3], versor turn)
{
    uint32_t first = scramble(id), second = scramble(first);
    FloatVec3 axis = {part_of(first, 0), part_of(first, 10), part_of(first, 20) + 0.01f};
    float way = part_of(second, 0) * place[0] + part_of(second, 10) * place[1] + part_of(second, 20) * place[2];
    glm_quatv(turn, part_of(first, 5) * (float)M_PI + way / GRAIN_ROLL, axis);
}

static float fade(float low, float high, float value)
{
    float share = (value - low) / (high - low);
    share = share < 0.0f ? 0.0f : share > 1.0f ? 1.0f : share;
    return share * share * (3.0f - 2.0f * share);
}

/// How far a particle has settled onto the ground's column under it.
static float settled(const GrainStand *stand, const float xyzr[4])
{
    const RenderGrid *grid = stand->ground;
    if (grid == NULL) {
        return 0.0f;
    }
    float dx = xyzr[0] - (float)grid->x, dy = xyzr[1] - (float)grid->y, c = stand->heading[0], s = stand->heading[1];
    float column = (c * dx + s * dy - (float)grid->origin_x) / (float)grid->spacing;
    float row = (c * dy - s * dx - (float)grid->origin_y) / (float)grid->spacing;
    if (!(column >= 0.0f && row >= 0.0f && column <= (float)(grid->columns - 1) && row <= (float)(grid->rows - 1))) {
        return 0.0f;
    }
    float height = grid->height[(size_t)lrintf(row) * (size_t)grid->columns + (size_t)lrintf(column)];
    return 1.0f - fade(1.0f, 2.4f, (xyzr[2] - height) / fmaxf(xyzr[3], 1e-3f));
}

void grain_stand_at(const GrainStand *stand, const float xyzr[4], uint32_t id, int16_t out[4])
{
    versor turn = GLM_QUAT_IDENTITY_INIT, carried;
    float held = 0.0f;
    if (stand->holds) {
        float away = glm_vec3_distance((float *)stand->middle, (float *)xyzr);
        held = 1.0f - fade(stand->reach, 1.25f * stand->reach, away);
    }
    if (held < 1.0f) {
        tumble(id, xyzr, turn);
    }
    if (held > 0.0f) {
        FloatVec3 local;
        versor own;
        glm_mat4_mulv3((vec4 *)stand->to_tool, (float *)xyzr, 1.0f, local);
        tumble(id, local, own);
        glm_quat_mul((float *)stand->turn, own, carried);
        if (held < 1.0f) {
            glm_quat_nlerp(turn, carried, held, turn);
        } else {
            glm_quat_copy(carried, turn);
        }
    }
    float scale = (turn[3] < 0.0f ? -32767.0f : 32767.0f) / fmaxf(glm_quat_norm(turn), 1e-6f);
    for (int k = 0; k < 3; k++) {
        out[k] = (int16_t)lrintf(turn[k] * scale);
    }
    out[3] = (int16_t)lrintf(settled(stand, xyzr) * 32767.0f);
}
