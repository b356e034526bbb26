/// The design that the ground is to be shaped to: planes over parts of the site, a survey office's surface of
/// triangles, a height map, or the floor of a trench.
#ifndef SPADEWORK_DATA_DESIGN_SURFACE_H
#define SPADEWORK_DATA_DESIGN_SURFACE_H

#include <stdbool.h>

#include "data/core/status.h"
#include "data/core/vec.h"
#include "data/schema/scene_params.h"

typedef struct DesignSurface DesignSurface;
struct Tin; // data/files/tin.h
struct LandXmlPlacement; // data/files/landxml.h

/// What a design is made of.
typedef enum DesignOf {
    DESIGN_OF_SURFACE, ///< exercise.surface alone
    DESIGN_OF_WORK, ///< that and, but beside a surface from a file, the floor of exercise.trench: what is to be cut to
} DesignOf;

/// Makes the design of an exercise, which may ask for nothing. Files are read from the texts of the exercise; without
/// them (SceneSurface.text is NULL) the surface asks for nothing. Free with design_destroy.
/// label  what errors call the surface's file; NULL: its name
/// NULL with the status filled when a text is bad, or memory is short.
DesignSurface *design_create(const SceneExercise *exercise, DesignOf of, const char *label, Status *status);
/// Makes one of the triangles of a surface that is finished, which it takes over. NULL with the status filled when
/// memory is short; `label` names the file.
DesignSurface *design_of_tin(struct Tin *tin, const char *label, Status *status);
void design_destroy(DesignSurface *design);

/// In all that follows a design that is NULL asks for nothing.

bool design_is_empty(const DesignSurface *design);
double design_tolerance(const DesignSurface *design); ///< m
/// Height of the design at a place of the world, m; where parts overlap, that of the later one of the file. False where
/// nothing is asked for.
/// x, y    m
/// height  m, out
bool design_height(const DesignSurface *design, double x, double y, double *height);
/// True when something is asked for at a place and the nearest side of it (of the part that holds, where there are
/// several) is at least `margin` m away.
bool design_holds(const DesignSurface *design, double x, double y, double margin);

typedef struct DesignBox {
    Vec3 low, high; ///< m, world
} DesignBox;
/// The box about all of it; false: nothing is asked for.
bool design_box(const DesignSurface *design, DesignBox *box);

/// Where a surface of a survey lies on the site.
struct LandXmlPlacement design_placement(const SceneSurface *surface);

/// The design of a scene's `surface` lies on the site, above bedrock and, of a survey, not far above the ground; else
/// the status says what reaches beyond what, and what would put a survey right.
bool design_fits(const DesignSurface *design, const SceneSurface *surface, const SceneGround *ground, Status *status);
/// The same of its heights alone.
bool design_fits_height(const DesignSurface *design, const SceneSurface *surface, const SceneGround *ground,
                        Status *status);

/// A piece of a side, m, world.
typedef struct DesignLine {
    Vec3 a, b;
    bool corner; ///< a is a corner
    bool starts; ///< it does not go on where the line before it ends
} DesignLine;
enum { DESIGN_LINES = 96 };
/// Says which faces of a surveyed surface had to be left out (tin_tell_left_out); empty when none were.
void design_tell_left_out(const DesignSurface *design, const char *label, char *text, size_t size);
/// The sides, in at most `capacity` (DESIGN_LINES is enough for any) lines; those of a surveyed surface with many
/// corners are thinned out. Returns how many.
int design_lines(const DesignSurface *design, DesignLine *lines, int capacity);

#endif
