/// The variables of the FMU (docs/fmu.md) and the token that binds its XML to its library. The program that writes
/// modelDescription.xml and the library inside the FMU both make this list from the session, so it is the same.
#ifndef SPADEWORK_TRAINER_API_FMU_VARIABLES_H
#define SPADEWORK_TRAINER_API_FMU_VARIABLES_H

#include <stdbool.h>

#include "trainer/api/spadework.h"

#define FMU_IDENTIFIER "spadework" ///< name of the library in the FMU, without its suffix

/// Value references. Levers, observation and exercise count on from theirs, in the order of spadework_info.
enum { FMU_TIME = 0, FMU_SEED = 1, FMU_LEVER = 100, FMU_OBSERVATION = 1000, FMU_EXERCISE = 2000, FMU_END = 3000 };

typedef struct FmuVariable {
    uint32_t reference;
    char name[2 * SPADEWORK_NAME]; ///< structured: "lever.boom"
    char unit[SPADEWORK_NAME]; ///< "1": none
    char phrase[SPADEWORK_SENTENCE]; ///< what it is, or what positive values do; or ""
    double low, high;
    double start; ///< of levers: in neutral; else 0
} FmuVariable;

typedef struct FmuVariables {
    char scene[SPADEWORK_NAME], title[SPADEWORK_SENTENCE], machine[SPADEWORK_NAME], version[SPADEWORK_NAME];
    int tick_rate; ///< ticks a second
    int64_t seed; ///< the scene's
    int levers, observation, exercise; ///< how many there are; variable[] holds them in this order
    int count;
    FmuVariable *variable; ///< [count], own
    char token[SPADEWORK_NAME]; ///< a hash of the version, the session's files and the variables
} FmuVariables;

/// Reads the list of a session that stands at its start. False with `error` [SPADEWORK_TEXT].
bool fmu_variables_read(Spadework session, FmuVariables *variables, char *error);
void fmu_variables_free(FmuVariables *variables);

#endif
