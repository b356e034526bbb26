/// Tamping: the lowest plate of the bucket, as it is held, is pressed on the ground place by place, from the far end of
/// a field to its near end, lane by lane.
#include "data/core/elementary.h"
#include "data/core/tool_geometry.h"
#include "data/schema/excavator_params.h"
#include "trainer/pilot/expert_internal.h"

#include <math.h>

#define FLAT       0.04 ///< m over the bucket's lowest point up to which it counts as the plate that presses
#define SHORTER    0.8 ///< of the plate between two places
#define PLACE_TIME 8.0 ///< s that a place may take
#define BESIDE     0.08 ///< of the bucket's width that is left on either side of the lanes

/// The plate that presses: how far it reaches beyond the edge, outwards, and how far it hangs below it.
typedef struct Plate {
    double near, far, below; ///< m
} Plate;

static Plate plate_at(const ToolShape *shape, double angle)
{
    double c = same_cos(angle), s = same_sin(angle), lowest = INFINITY;
    Plate plate = {INFINITY, -INFINITY, 0.0};
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < shape->piece_count; k++) {
            Vec3 points[2 * TOOL_MAX_CORNERS];
            int count = tool_piece_points(&shape->pieces[k], points);
            for (int n = 0; n < count; n++) {
                double x = points[n].x - shape->edge[0], z = points[n].z - shape->edge[1];
                double out = x * c - z * s, up = x * s + z * c;
                if (pass == 0) {
                    lowest = fmin(lowest, up);
                } else if (up < lowest + FLAT) {
                    plate.near = fmin(plate.near, out);
                    plate.far = fmax(plate.far, out);
                }
            }
        }
    }
    plate.below = -lowest;
    return plate;
}

/// Sets the press at the place that is due; false when there is none left.
static bool aim_at(Expert *expert, const ExpertView *view, const ExpertTamp *tamp)
{
    const ToolShape *shape = &expert->pilot.machine.tool[0].shape;
    const ExpertField *field = &tamp->field;
    ExpertTamping *tamping = &expert->tamping;
    Plate plate = plate_at(shape, tamp->angle);
    double length = plate.far - plate.near, room = fmax(field->length - length, 0.0), edge = shape->edge_width;
    int places = 1 + (int)ceil(room / (SHORTER * length));
    int lanes = (int)ceil((field->width - 2.0 * BESIDE * edge) / edge);
    lanes = lanes > 0 ? lanes : 1;
    int place = tamping->done % places, lane = tamping->done / places;
    if (lane >= lanes) {
        return false;
    }
    double along = places > 1 ? room * (1.0 - (double)place / (places - 1)) : 0.5 * room;
    Vec3 at = expert_lane_point(field, along + 0.5 * length, expert_lane_offset(field, edge, lanes, lane), 0.0);
    double way_x = at.x - view->base.x, way_y = at.y - view->base.y, distance = same_hypot(way_x, way_y);
    double nearer = distance > 0.0 ? 0.5 * (plate.near + plate.far) / distance : 0.0;
    double x = at.x - nearer * way_x, y = at.y - nearer * way_y;
    // The ground under the plate counts, not that under the edge.
    double lower = view->arm.height(view->arm.context, x, y) - view->arm.height(view->arm.context, at.x, at.y);
    tamping->press = (ExpertPress){.x = x,
                                   .y = y,
                                   .angle = tamp->angle,
                                   .depth = tamp->depth + lower - plate.below,
                                   .force = tamp->force,
                                   .hold = tamp->hold,
                                   .over = fmax(tamp->over, tamp->over + plate.below - lower),
                                   .limit = tamp->limit};
    tamping->done++;
    tamping->began = view->time;
    return true;
}

bool expert_tamp(Expert *expert, const ExpertView *view, const ExpertTamp *tamp, OperatorControls *controls)
{
    ExpertTamping *tamping = &expert->tamping;
    bool begins = !expert->entered;
    if (begins) {
        *tamping = (ExpertTamping){0};
    }
    bool next = begins || expert_press(expert, view, &tamping->press, false, controls) ||
                view->time - tamping->began > view->ease * PLACE_TIME;
    if (!next) {
        return false;
    }
    if (!aim_at(expert, view, tamp)) {
        return true;
    }
    expert_press(expert, view, &tamping->press, true, controls);
    return false;
}
