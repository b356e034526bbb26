/// Sees where particles became ground: a particle that is gone after a tick was absorbed by the column it was over.
/// Sums their mass by column, marks columns that a tool is in, and finds the highest rise of ground away from both.
#include "tests/validation/rigs/soil/deposits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/tool_columns.h"

static void *allocate(void *old, size_t size)
{
    void *memory = realloc(old, size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

Deposits deposits_create(const Soil *soil)
{
    SoilGridView grid = soil_get_grid(soil);
    size_t size = (size_t)grid.rows * (size_t)grid.columns * sizeof(int64_t);
    Deposits deposits = {.rows = grid.rows, .columns = grid.columns, .mass = allocate(NULL, size)};
    memset(deposits.mass, 0, size);
    deposits.pressed = allocate(NULL, size / sizeof(int64_t));
    memset(deposits.pressed, 0, size / sizeof(int64_t));
    return deposits;
}

void deposits_free(Deposits *deposits)
{
    free(deposits->mass);
    free(deposits->pressed);
    free(deposits->before);
    free(deposits->seen);
    memset(deposits, 0, sizeof *deposits);
}

/// Marks the particles that are there now.
static void mark(Deposits *deposits, const SoilParticleView *p)
{
    deposits->tick++;
    for (int k = 0; k < p->count; k++) {
        if (p->id[k] >= deposits->seen_capacity) {
            uint32_t capacity = 2 * p->id[k] + 1024;
            deposits->seen = allocate(deposits->seen, capacity * sizeof(uint32_t));
            memset(deposits->seen + deposits->seen_capacity, 0,
                   (capacity - deposits->seen_capacity) * sizeof(uint32_t));
            deposits->seen_capacity = capacity;
        }
        deposits->seen[p->id[k]] = deposits->tick;
    }
}

/// Column that (x, y) is over, clamped to the grid.
static int column_of(const SoilGridView *grid, double x, double y)
{
    int column = (int)floor((x - grid->origin_x) / grid->spacing + 0.5);
    int row = (int)floor((y - grid->origin_y) / grid->spacing + 0.5);
    column = column < 0 ? 0 : column >= grid->columns ? grid->columns - 1 : column;
    row = row < 0 ? 0 : row >= grid->rows ? grid->rows - 1 : row;
    return row * grid->columns + column;
}

void deposits_note(Deposits *deposits, const Soil *soil)
{
    SoilParticleView p = soil_get_particles(soil);
    SoilGridView grid = soil_get_grid(soil);
    mark(deposits, &p);
    for (int k = 0; k < deposits->count; k++) {
        const DepositGrain *grain = &deposits->before[k];
        if (deposits->seen[grain->id] != deposits->tick) {
            deposits->mass[column_of(&grid, grain->x, grain->y)] += grain->mass;
        }
    }
    if (p.count > deposits->capacity) {
        deposits->capacity = 2 * p.count;
        deposits->before = allocate(deposits->before, (size_t)deposits->capacity * sizeof *deposits->before);
    }
    deposits->count = p.count;
    for (int k = 0; k < p.count; k++) {
        deposits->before[k] = (DepositGrain){.id = p.id[k], .mass = p.mass[k], .x = p.x[k], .y = p.y[k]};
    }
}

double deposits_mass(const Deposits *deposits, const Soil *soil, const SiteArea *area)
{
    SoilGridView grid = soil_get_grid(soil);
    int64_t quanta = 0;
    for (int k = 0; k < deposits->rows * deposits->columns; k++) {
        double x = grid.origin_x + k % grid.columns * grid.spacing, y = grid.origin_y + k / grid.columns * grid.spacing;
        if (x >= area->low_x && x <= area->high_x && y >= area->low_y && y <= area->high_y) {
            quanta += deposits->mass[k];
        }
    }
    return (double)quanta * SOIL_QUANTUM;
}

void deposits_note_tool(Deposits *deposits, const Soil *soil, const SoilTool *tool)
{
    mark_tool_columns(soil, tool, 0.0, deposits->pressed);
}

/// True when something was laid down within `reach` columns.
static bool is_near_deposit(const Deposits *deposits, int row, int column, int reach)
{
    for (int r = row - reach; r <= row + reach; r++) {
        for (int c = column - reach; c <= column + reach; c++) {
            bool on = r >= 0 && r < deposits->rows && c >= 0 && c < deposits->columns;
            int index = r * deposits->columns + c;
            if (on && (deposits->mass[index] > 0 || deposits->pressed[index])) {
                return true;
            }
        }
    }
    return false;
}

double deposits_rise_elsewhere(const Deposits *deposits, const Soil *soil, const SiteSurvey *before, double reach)
{
    SoilGridView grid = soil_get_grid(soil);
    double most = 0.0;
    for (int k = 0; k < grid.rows * grid.columns; k++) {
        double rise = (double)grid.height[k] - (double)before->height[k];
        if (rise > most &&
            !is_near_deposit(deposits, k / grid.columns, k % grid.columns, (int)(reach / grid.spacing))) {
            most = rise;
        }
    }
    return most;
}
