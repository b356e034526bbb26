/// The nearest surface below a place, of the site and of all trays.
///
/// The site's surface is taken where it is straight below. That of a tray is a plane in the tray's frame: the distance
/// to it is measured along its normal, so that a tilted floor carries what lies over it and nothing else. Where a
/// tray's floor is bare, friction is that of steel.
#include "soil/ground/support.h"

#include <math.h>

Support support_find(const SoilModel *model, const Grounds *grounds, double x, double y, double z)
{
    Support support = {.ground = grounds->site};
    support.height = ground_surface(grounds->site, x, y, &support.normal);
    int row, column;
    ground_column_at(grounds->site, x, y, &row, &column);
    support.soil = ground_top_soil(grounds->site, row, column);
    double nearest = (z - support.height) * support.normal.z, lowest = -tray_slab_depth(model) - 0.5 * TRAY_WALL;
    for (int k = 0; k < grounds->tray_count; k++) {
        const Tray *tray = &grounds->trays[k];
        Vec3 local = pose_apply_inverse(&tray->frame, vec3(x, y, z)), normal;
        if (fabs(local.x) > 0.5 * tray->params.length || fabs(local.y) > 0.5 * tray->params.width || local.z < lowest) {
            continue;
        }
        double height = tray_surface(tray, local.x, local.y, &normal), distance = (local.z - height) * normal.z;
        if (distance >= nearest) {
            continue;
        }
        nearest = distance;
        support.ground = tray->ground;
        support.tray = tray;
        support.normal = mat3_mul(&tray->frame.rotation, normal);
        support.normal.z = fabs(support.normal.z) > 1e-6 ? support.normal.z : 1e-6; // a vertical plane is below nothing
        support.height = z - distance / support.normal.z;
        ground_column_at(tray->ground, local.x, local.y, &row, &column);
        support.soil = ground_top_soil(tray->ground, row, column);
        support.bare = height < 0.1 * model->particle_radius;
    }
    return support;
}

double support_friction(const SoilModel *model, const Support *support, int soil_index)
{
    return support->bare ? model->tan_steel[soil_index]
                         : 0.5 * (model->tan_friction[soil_index] + model->tan_friction[support->soil]);
}
