/// Fills closed volumes with loose grains before the first tick (a scene's `grains`), with the test whether a closed
/// mesh has room for a sphere.
#include "soil/exchange/exchange.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/files/files.h"
#include "data/core/random.h"
#include "soil/exchange/spawn.h"
#include "soil/soil_parts.h"

/// ---- volumes -------------------------------------------------------------------------------------------------------
/// Where a closed mesh has room for a sphere.
///
/// A point is inside when an upright ray from it crosses the mesh an odd number of times; both triangles of an edge
/// compute its crossing with the same bits, so that no ray slips between them or meets both. A sphere has room when its
/// middle is inside and no triangle is nearer than its radius. Triangles are sorted into upright bins, of which a query
/// looks at one.

enum { VOLUME_BINS = 128 };

/// A mesh with its triangles sorted into upright bins over the x-y plane. Free with volume_free.
typedef struct Volume {
    const ObjMesh *mesh; ///< borrowed; world coordinates
    double reach; ///< m: each bin lists the triangles that come this near to it, in x and y
    Vec3 low, high; ///< m: the mesh's extent
    int columns, rows;
    int *first; ///< [columns * rows + 1]: into `list`
    int *list; ///< numbers of triangles
} Volume;

typedef enum VolumeFailure { VOLUME_GOOD, VOLUME_NO_MEMORY, VOLUME_TOO_FINE } VolumeFailure;

/// Work and memory that no shipped mesh comes near; a hostile one is refused instead of running for hours.
#define MOST_LISTED 3.2e7
#define MOST_TESTS  1e9

static Vec3 vertex(const ObjMesh *mesh, int index)
{
    const double *at = mesh->vertices[index];
    return vec3(at[0], at[1], at[2]);
}

static int bin_of(double at, double low, double high, int count)
{
    double share = high > low ? (at - low) / (high - low) : 0.0;
    int bin = (int)floor(share * count);
    return bin < 0 ? 0 : bin >= count ? count - 1 : bin;
}

/// The bins a triangle comes near to: columns and rows, first and last.
static void bins_of(const Volume *volume, int triangle, int range[4])
{
    const int *corners = volume->mesh->triangles[triangle];
    Vec3 low = vertex(volume->mesh, corners[0]), high = low;
    for (int k = 1; k < 3; k++) {
        Vec3 at = vertex(volume->mesh, corners[k]);
        low = vec3(fmin(low.x, at.x), fmin(low.y, at.y), 0.0);
        high = vec3(fmax(high.x, at.x), fmax(high.y, at.y), 0.0);
    }
    double reach = volume->reach;
    range[0] = bin_of(low.x - reach, volume->low.x, volume->high.x, volume->columns);
    range[1] = bin_of(high.x + reach, volume->low.x, volume->high.x, volume->columns);
    range[2] = bin_of(low.y - reach, volume->low.y, volume->high.y, volume->rows);
    range[3] = bin_of(high.y + reach, volume->low.y, volume->high.y, volume->rows);
}

/// The corners of the box around a mesh's triangles.
static void volume_extent(const ObjMesh *mesh, Vec3 *low, Vec3 *high)
{
    *low = *high = vertex(mesh, mesh->triangles[0][0]);
    for (int k = 0; k < 3 * mesh->triangle_count; k++) {
        Vec3 at = vertex(mesh, mesh->triangles[k / 3][k % 3]);
        *low = vec3(fmin(low->x, at.x), fmin(low->y, at.y), fmin(low->z, at.z));
        *high = vec3(fmax(high->x, at.x), fmax(high->y, at.y), fmax(high->z, at.z));
    }
}

/// Entries of all bins together.
static double count_listed(const Volume *volume)
{
    double listed = 0.0;
    for (int k = 0; k < volume->mesh->triangle_count; k++) {
        int range[4];
        bins_of(volume, k, range);
        listed += (double)(range[1] - range[0] + 1) * (range[3] - range[2] + 1);
    }
    return listed;
}

/// Counts (list NULL) or lists each bin's triangles. Listing moves first[bin] to its end.
static void spread(Volume *volume, int *list)
{
    for (int k = 0; k < volume->mesh->triangle_count; k++) {
        int range[4];
        bins_of(volume, k, range);
        for (int row = range[2]; row <= range[3]; row++) {
            for (int column = range[0]; column <= range[1]; column++) {
                int bin = row * volume->columns + column;
                if (list != NULL) {
                    list[volume->first[bin]++] = k;
                } else {
                    volume->first[bin + 1]++;
                }
            }
        }
    }
}

static void volume_free(Volume *volume)
{
    free(volume->first);
    free(volume->list);
    *volume = (Volume){0};
}

/// `sites`: how many places will be asked for, spread over the extent; too many times the triangles is refused.
static VolumeFailure volume_create(Volume *volume, const ObjMesh *mesh, double reach, double sites)
{
    *volume = (Volume){.mesh = mesh, .reach = reach};
    volume_extent(mesh, &volume->low, &volume->high);
    volume->columns = (int)fmin(VOLUME_BINS, 1.0 + (volume->high.x - volume->low.x) / (2.0 * reach));
    volume->rows = (int)fmin(VOLUME_BINS, 1.0 + (volume->high.y - volume->low.y) / (2.0 * reach));
    int bins = volume->columns * volume->rows;
    double listed = count_listed(volume);
    if (listed > MOST_LISTED || listed / bins * sites > MOST_TESTS) {
        return VOLUME_TOO_FINE;
    }
    volume->first = calloc((size_t)bins + 1, sizeof *volume->first);
    volume->list = malloc((size_t)listed * sizeof *volume->list);
    if (volume->first == NULL || volume->list == NULL) {
        volume_free(volume);
        return VOLUME_NO_MEMORY;
    }
    spread(volume, NULL);
    for (int k = 0; k < bins; k++) {
        volume->first[k + 1] += volume->first[k];
    }
    spread(volume, volume->list);
    memmove(volume->first + 1, volume->first, (size_t)bins * sizeof *volume->first); // back to the beginnings
    volume->first[0] = 0;
    return VOLUME_GOOD;
}

/// True when a ray from (x, y) along +x in the plane crosses the edge's shadow. Both triangles of an edge compute the
/// same bits, because its lower end is taken first: no ray slips between them or meets both.
static bool crosses_edge(const ObjMesh *mesh, int a, int b, double x, double y)
{
    bool upward = mesh->vertices[a][1] < mesh->vertices[b][1];
    const double *p = mesh->vertices[upward ? a : b], *q = mesh->vertices[upward ? b : a];
    if ((p[1] > y) == (q[1] > y)) {
        return false;
    }
    return x < p[0] + (y - p[1]) * (q[0] - p[0]) / (q[1] - p[1]);
}

/// True when the upright ray from `at` up crosses the triangle.
static bool crosses_triangle(const ObjMesh *mesh, const int *corners, Vec3 at)
{
    bool in_shadow = crosses_edge(mesh, corners[0], corners[1], at.x, at.y) !=
                     (crosses_edge(mesh, corners[1], corners[2], at.x, at.y) !=
                      crosses_edge(mesh, corners[2], corners[0], at.x, at.y));
    if (!in_shadow) {
        return false;
    }
    Vec3 a = vertex(mesh, corners[0]), b = vertex(mesh, corners[1]), c = vertex(mesh, corners[2]);
    Vec3 normal = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
    double z = a.z;
    if (normal.z != 0.0) { // of an upright one, whose shadow is a line, any corner will do
        z -= ((at.x - a.x) * normal.x + (at.y - a.y) * normal.y) / normal.z;
    }
    double low = fmin(a.z, fmin(b.z, c.z)),
           high = fmax(a.z, fmax(b.z, c.z)); // nearly upright: rounding must not leave it
    return fmin(fmax(z, low), high) > at.z;
}

/// Squared distance of p to the segment from a to b.
static double segment_distance2(Vec3 p, Vec3 a, Vec3 b)
{
    Vec3 along = vec3_sub(b, a), to = vec3_sub(p, a);
    double length2 = vec3_dot(along, along), t = length2 > 0.0 ? vec3_dot(to, along) / length2 : 0.0;
    Vec3 away = vec3_madd(to, -(t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t), along);
    return vec3_dot(away, away);
}

/// Squared distance of p to a triangle: to its plane where p stands over it, else to its nearest edge.
static double triangle_distance2(const ObjMesh *mesh, const int *corners, Vec3 p)
{
    Vec3 a = vertex(mesh, corners[0]), b = vertex(mesh, corners[1]), c = vertex(mesh, corners[2]);
    Vec3 normal = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
    double square = vec3_dot(normal, normal);
    bool over = square > 0.0 && vec3_dot(vec3_cross(vec3_sub(b, a), vec3_sub(p, a)), normal) >= 0.0 &&
                vec3_dot(vec3_cross(vec3_sub(c, b), vec3_sub(p, b)), normal) >= 0.0 &&
                vec3_dot(vec3_cross(vec3_sub(a, c), vec3_sub(p, c)), normal) >= 0.0;
    if (over) {
        double height = vec3_dot(vec3_sub(p, a), normal);
        return height * height / square;
    }
    return fmin(segment_distance2(p, a, b), fmin(segment_distance2(p, b, c), segment_distance2(p, c, a)));
}

/// True when a sphere of `radius` (at most `reach`) at `at` lies inside the mesh.
static bool volume_holds(const Volume *volume, Vec3 at, double radius)
{
    const Vec3 *low = &volume->low, *high = &volume->high;
    if (at.x - radius < low->x || at.x + radius > high->x || at.y - radius < low->y || at.y + radius > high->y ||
        at.z - radius < low->z || at.z + radius > high->z) {
        return false;
    }
    int bin =
        bin_of(at.y, low->y, high->y, volume->rows) * volume->columns + bin_of(at.x, low->x, high->x, volume->columns);
    bool inside = false;
    for (int k = volume->first[bin]; k < volume->first[bin + 1]; k++) {
        const int *corners = volume->mesh->triangles[volume->list[k]];
        if (triangle_distance2(volume->mesh, corners, at) < radius * radius) {
            return false;
        }
        inside = crosses_triangle(volume->mesh, corners, at) != inside;
    }
    return inside;
}

/// ---- filling -------------------------------------------------------------------------------------------------------
/// Fills closed volumes with loose grains before the first tick: a scene's `grains`.
///
/// Grains stand on a face-centred cubic lattice with a little room, which goes into jitter, so that no layer is level
/// and none overlaps another. A place counts when its grain lies wholly inside the mesh, above the ground and clear of
/// earlier volumes. All follows from the scene and the seed (counter-based random numbers keyed by the place on the
/// lattice).

/// Diameters between neighbours of the lattice: spheres then fill 0.74 / SPREAD^3 = 0.62 of the volume, as grains
/// poured into it would.
#define SPREAD   1.06
#define JITTER   0.98 ///< share of the room that jitter uses: rounding never makes two touch
#define SMALLEST 0.9 ///< radius of the smallest grain over that of the largest. Chosen; see test_soil_fill
/// Share of a settled heap that spheres fill: random loose packing (Scott 1960).
#define HEAP_SOLID 0.6
#define MOST_SITES 5e7 ///< lattice places looked at in one volume. Chosen; see test_soil_fill

/// Streams of random numbers; a grain's index is its place on the lattice.
enum { STREAM_X = 41, STREAM_Y, STREAM_Z, STREAM_RADIUS, STREAMS = 4 };

/// Which places are taken, by cells as wide as the largest grain: lists of particles by hashed cell.
typedef struct Taken {
    double cell; ///< m
    uint64_t mask;
    int32_t *first, *next; ///< [mask + 1], [budget]; -1 ends a list
} Taken;

typedef struct Filler {
    Soil *soil;
    const SceneGrains *grains;
    int index; ///< of the grains in the scene
    double radius; ///< m, of the largest grain
    double density; ///< kg/m3 of a grain
    Volume volume;
    Taken *taken;
    int64_t placed; ///< grains that fit, also those beyond the budget
} Filler;

static uint64_t cell_key(const Taken *taken, int64_t x, int64_t y, int64_t z)
{
    return random_mix(random_mix(random_mix((uint64_t)x) ^ (uint64_t)y) ^ (uint64_t)z) & taken->mask;
}

static bool taken_create(Taken *taken, double cell, int budget)
{
    uint64_t lists = 1;
    while (lists < 2 * (uint64_t)budget) {
        lists *= 2;
    }
    *taken = (Taken){.cell = cell, .mask = lists - 1};
    taken->first = malloc(lists * sizeof *taken->first);
    taken->next = malloc((size_t)budget * sizeof *taken->next);
    if (taken->first == NULL || taken->next == NULL) {
        return false;
    }
    memset(taken->first, 0xff, lists * sizeof *taken->first);
    return true;
}

static void taken_free(Taken *taken)
{
    free(taken->first);
    free(taken->next);
}

static int64_t cell_of(const Taken *taken, double at)
{
    return (int64_t)floor(at / taken->cell);
}

static void take(Taken *taken, int32_t particle, Vec3 at)
{
    uint64_t key = cell_key(taken, cell_of(taken, at.x), cell_of(taken, at.y), cell_of(taken, at.z));
    taken->next[particle] = taken->first[key];
    taken->first[key] = particle;
}

static bool meets_in_cell(const Taken *taken, const Particles *p, uint64_t key, Vec3 at, double radius)
{
    for (int32_t i = taken->first[key]; i >= 0; i = taken->next[i]) {
        Vec3 to = vec3_sub(at, vec3(p->x[i], p->y[i], p->z[i]));
        double reach = radius + (double)p->radius[i];
        if (vec3_dot(to, to) < reach * reach) {
            return true;
        }
    }
    return false;
}

static bool is_taken(const Taken *taken, const Particles *particles, Vec3 at, double radius)
{
    int64_t x = cell_of(taken, at.x), y = cell_of(taken, at.y), z = cell_of(taken, at.z);
    for (int k = 0; k < 27; k++) {
        uint64_t key = cell_key(taken, x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1);
        if (meets_in_cell(taken, particles, key, at, radius)) {
            return true;
        }
    }
    return false;
}

static bool clear_of_ground(const Soil *soil, Vec3 at, double radius)
{
    Vec3 normal;
    double height = ground_surface(soil->state.grounds.site, at.x, at.y, &normal);
    return (at.z - height) * normal.z >= radius;
}

/// A grain at a lattice place, when it has room there.
static void try_site(Filler *self, Vec3 at, uint64_t site)
{
    Soil *soil = self->soil;
    uint64_t seed = soil->model.seed, stream = STREAM_X + STREAMS * (uint64_t)self->index;
    double stray = JITTER * (SPREAD - 1.0) * self->radius / sqrt(3.0); // along each axis
    at.x += stray * (2.0 * random_unit(seed, stream, site) - 1.0);
    at.y += stray * (2.0 * random_unit(seed, stream + 1, site) - 1.0);
    at.z += stray * (2.0 * random_unit(seed, stream + 2, site) - 1.0);
    double radius = self->radius * (SMALLEST + (1.0 - SMALLEST) * random_unit(seed, stream + 3, site));
    if (!volume_holds(&self->volume, at, radius) || !clear_of_ground(soil, at, radius) ||
        is_taken(self->taken, &soil->state.particles, at, radius)) {
        return;
    }
    self->placed++;
    double mass = self->density * 4.0 / 3.0 * M_PI * radius * radius * radius;
    int index = self->grains->soil_index;
    int particle = spawn_loose_particle(&soil->state.particles, at, vec3(0.0, 0.0, 0.0), radius, index, mass);
    if (particle >= 0) {
        take(self->taken, particle, at);
    }
}

/// Lattice places along one axis: from `start` on, as many as fit into the extent, in its middle.
static int64_t fit(double low, double high, double margin, double step, double *start)
{
    double room = high - low - 2.0 * margin;
    int64_t count = room >= 0.0 ? (int64_t)floor(room / step) + 1 : 0;
    *start = 0.5 * (low + high) - 0.5 * step * (double)(count - 1);
    return count;
}

/// Level layers of squares, each second one shifted by half a square: face-centred cubic.
static void walk_lattice(Filler *self)
{
    const Volume *volume = &self->volume;
    double a = 2.0 * SPREAD * self->radius, rise = a / sqrt(2.0), margin = SPREAD * self->radius;
    double x, y, z;
    int64_t columns = fit(volume->low.x, volume->high.x, margin, a, &x);
    int64_t rows = fit(volume->low.y, volume->high.y, margin, a, &y);
    int64_t layers = fit(volume->low.z, volume->high.z, margin, rise, &z);
    z = volume->low.z + margin; // stands on the bottom
    uint64_t site = 0;
    for (int64_t k = 0; k < layers; k++) {
        double shift = k % 2 == 0 ? 0.0 : 0.5 * a;
        for (int64_t j = 0; j < rows; j++) {
            for (int64_t i = 0; i < columns; i++) {
                Vec3 at = vec3(x + a * (double)i + shift, y + a * (double)j + shift, z + rise * (double)k);
                try_site(self, at, site++);
            }
        }
    }
}

/// Lattice places in the mesh's extent.
static double count_sites(const ObjMesh *mesh, double radius)
{
    Vec3 low, high;
    volume_extent(mesh, &low, &high);
    double a = 2.0 * SPREAD * radius;
    return (1.0 + (high.x - low.x) / a) * (1.0 + (high.y - low.y) / a) * (1.0 + (high.z - low.z) * sqrt(2.0) / a);
}

static bool fail(const Filler *self, Status *status, const char *text)
{
    const SceneGrains *grains = self->grains;
    return status_fail(status, STATUS_BAD_FILE, "grains.%d: %s%s %s (grains of radius %.4g m)", self->index,
                       grains->obj[0] != '\0' ? "the mesh " : "the box", grains->obj, text, self->radius);
}

static bool fill_volume(Filler *self, const ObjMesh *mesh, Status *status)
{
    double sites = count_sites(mesh, self->radius);
    VolumeFailure failure =
        sites > MOST_SITES ? VOLUME_TOO_FINE : volume_create(&self->volume, mesh, self->radius, sites);
    if (failure == VOLUME_NO_MEMORY) {
        return status_fail(status, STATUS_LACKING, "out of memory for the scene's grains");
    }
    if (failure == VOLUME_TOO_FINE) {
        return fail(self, status, "is too large, or its faces too many, to be filled");
    }
    int before = self->soil->state.particles.count, budget = self->soil->model.scene.particles.budget;
    walk_lattice(self);
    volume_free(&self->volume);
    if (self->placed == 0) {
        return fail(self, status, "has room for no grain above the ground");
    }
    char text[128];
    snprintf(text, sizeof text, "has room for %lld grains, particles.budget leaves %d of %d", (long long)self->placed,
             budget - before, budget);
    return self->placed <= budget - before || fail(self, status, text);
}

/// The mesh in world coordinates. `from` says what errors call it.
static bool make_mesh(const SceneGrains *grains, int index, ObjMesh *mesh, Status *status)
{
    if (grains->obj[0] == '\0') {
        if (!obj_box(grains->box, mesh, status)) {
            return false;
        }
    } else if (grains->text == NULL) {
        status_fail(status, STATUS_BAD_FILE, "grains.%d: the text of mesh %s was not kept by who loaded the scene",
                    index, grains->obj);
        return false;
    } else if (!obj_parse(grains->obj, grains->text, grains->text_size, mesh, status)) {
        return false;
    }
    double scale = grains->obj[0] == '\0' ? 1.0 : grains->scale;
    const double origin[3] = {grains->x, grains->y, grains->z};
    for (int k = 0; k < 3 * mesh->vertex_count; k++) {
        double *at = &mesh->vertices[k / 3][k % 3];
        *at = scale * *at + origin[k % 3];
    }
    return true;
}

static bool fill(Soil *soil, int index, Taken *taken, Status *status)
{
    const SceneGrains *grains = &soil->model.scene.grains[index];
    const SoilParams *params = &soil->model.scene.soils[grains->soil_index];
    Filler self = {.soil = soil,
                   .grains = grains,
                   .index = index,
                   .radius = grains->radius > 0.0 ? grains->radius : soil->model.particle_radius,
                   .density = params->bank_density / (1.0 + params->swell) / HEAP_SOLID,
                   .taken = taken};
    ObjMesh mesh;
    if (!make_mesh(grains, index, &mesh, status)) {
        return false;
    }
    bool good = fill_volume(&self, &mesh, status);
    obj_free(&mesh);
    return good;
}

bool fill_grains(Soil *soil, Status *status)
{
    SceneParams *scene = &soil->model.scene;
    if (scene->grains_count == 0) {
        return true;
    }
    Taken taken;
    bool good = taken_create(&taken, 2.0 * soil->model.particle_radius, scene->particles.budget) ||
                status_fail(status, STATUS_LACKING, "out of memory for the scene's grains");
    for (int k = 0; good && k < scene->grains_count; k++) {
        good = fill(soil, k, &taken, status);
    }
    for (int k = 0; k < scene->grains_count; k++) {
        scene->grains[k].text = NULL; // borrowed for this call alone
    }
    taken_free(&taken);
    return good;
}
