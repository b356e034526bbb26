/// Where particles became ground again: seen from outside, by the particles that are gone after a tick.
#ifndef SPADEWORK_VALIDATION_DEPOSITS_H
#define SPADEWORK_VALIDATION_DEPOSITS_H

#include "tests/validation/rigs/soil/site.h"

/// A particle as it was before a tick.
typedef struct DepositGrain {
    uint32_t id;
    int32_t mass; ///< quanta
    double x, y; ///< m
} DepositGrain;

typedef struct Deposits {
    int rows, columns;
    int64_t *mass; ///< quanta laid down so far, by the column a grain's middle was over, [rows][columns]
    uint8_t *pressed; ///< 1: a tool was in the ground there, [rows][columns]
    DepositGrain *before; ///< [count]
    int count, capacity;
    uint32_t *seen; ///< tick in which an id was there last, [seen_capacity]
    uint32_t tick, seen_capacity;
} Deposits;

/// Free with deposits_free. Running out of memory is the end of the program.
Deposits deposits_create(const Soil *soil);
void deposits_free(Deposits *deposits);
/// After every tick, the first time before the first one.
void deposits_note(Deposits *deposits, const Soil *soil);
/// After every tick: where a tool is in the ground it pushes soil aside, which is put down beside it.
void deposits_note_tool(Deposits *deposits, const Soil *soil, const SoilTool *tool);
/// Mass (kg) laid down in an area so far.
double deposits_mass(const Deposits *deposits, const Soil *soil, const SiteArea *area);
/// Largest rise (m) of the ground in columns farther than `reach` (m) from all columns on which something was laid down
/// or in which a tool was.
double deposits_rise_elsewhere(const Deposits *deposits, const Soil *soil, const SiteSurvey *before, double reach);

#endif
