/// A site to dig in: level ground of one soil that turns into particles and back, tools that go a prescribed way, and
/// what they did to the ground. For experiments with blades and buckets; run_scene (experiment.h) is for particles
/// alone.
#ifndef SPADEWORK_VALIDATION_SITE_H
#define SPADEWORK_VALIDATION_SITE_H

#include "tests/validation/harness/experiment.h"

/// Level ground of one soil with its surface at z = 0.
typedef struct SiteForm {
    double size_x, size_y; ///< m, the origin in the middle
    double depth; ///< m: bedrock below z = 0, 1..20
    double radius; ///< m of a particle: columns are two of it wide
    int budget; ///< most particles at once
} SiteForm;

/// The scene of a site: rates and iterations for the run's solver, particles at rest become ground again. `soil` is its
/// only soil, index 0. Create it with run_create_soil.
SceneParams site_scene(const Run *run, const SoilParams *soil, const SiteForm *form);

/// A place on a tool's way. The shape's frame is turned by `pitch` (positive turns its x axis up) and then by `yaw`
/// (about z).
typedef struct SiteKnot {
    double time; ///< s
    Vec3 at; ///< m: origin of the shape's frame
    double pitch, yaw; ///< rad
} SiteKnot;

enum { SITE_MOST_KNOTS = 64 };

/// A tool's way: it rests at every knot and goes from one to the next with a smooth start and stop, or (even) at even
/// speed.
typedef struct SiteWay {
    int count; ///< 1..SITE_MOST_KNOTS
    bool even; ///< even speed between knots
    SiteKnot knots[SITE_MOST_KNOTS];
} SiteWay;

/// Adds a knot `seconds` after the last one (of the first: its time).
void site_go(SiteWay *way, double seconds, Vec3 at, double pitch, double yaw);
/// The same, `at` being where the middle of the shape's cutting edge is to be.
void site_go_edge(SiteWay *way, double seconds, const ToolShape *shape, Vec3 at, double pitch, double yaw);
double site_way_end(const SiteWay *way); ///< s: time of the last knot

/// Puts a kinematic tool where it is at `time`, with its velocity and spin; before the first knot and after the last it
/// rests. The centre of mass is taken to be the frame's origin.
void site_place(SoilTool *tool, const SiteWay *way, double time);

/// One tick of 1/60 s from `time` on with tools on their ways, each one way. Writes the mean wrench over the tick,
/// about the frame's origin, one a tool (may be NULL). The tools are left where they are at its end.
void site_tick(Soil *soil, const SceneParams *scene, SoilTool *tools, const SiteWay *ways, int tool_count, double time,
               Wrench *mean);

/// The bucket of a machine file (data/machines), or what hangs in its place (data/attachments; "own": nothing), and its
/// heaped capacity in m3 (may be NULL). False with run_fail.
bool site_load_bucket(Run *run, const char *machine, const char *attachment, ToolShape *bucket, double *capacity);

/// Heights of the ground at a moment.
typedef struct SiteSurvey {
    int rows, columns;
    float *height; ///< m, [rows][columns], owned
} SiteSurvey;

/// Free with site_survey_free. Running out of memory is the end of the program.
SiteSurvey site_survey(const Soil *soil);
void site_survey_free(SiteSurvey *survey);

/// Part of a site, m.
typedef struct SiteArea {
    double low_x, low_y, high_x, high_y;
} SiteArea;

/// What became of the ground in an area.
typedef struct SiteChange {
    double risen, fallen; ///< m3: sum over the columns that are higher, and over those that are lower than before
    double highest, lowest; ///< m: largest rise, and largest fall (0 or less)
} SiteChange;
SiteChange site_change(const Soil *soil, const SiteSurvey *before, const SiteArea *area);
/// Largest rise, m, outside all of the areas.
double site_rise_outside(const Soil *soil, const SiteSurvey *before, const SiteArea *areas, int count);

/// Volume (m3) between the floor of an upright space and the outline of the grains seen from above. `base` gives the
/// floor (world z) at (x, y), NAN outside the space. `radius`: of a grain; the area is divided into squares of a
/// quarter of it.
double site_heap_volume(const Soil *soil, const SiteArea *area, double radius,
                        double (*base)(const void *context, double x, double y), const void *context);

#endif
