/// What the sources of the FMU's library share: an instance, its place in the life of an instance, and how a function
/// refuses.
#ifndef SPADEWORK_TRAINER_API_FMU_INSTANCE_H
#define SPADEWORK_TRAINER_API_FMU_INSTANCE_H

#include "data/core/data_files.h"
#include "data/core/status.h"
#include "trainer/api/fmi3.h"
#include "trainer/api/fmu_variables.h"

enum { FMU_MOST_LEVERS = 32 };

/// Modes of an instance (the standard's states); the bits say in which modes a function may be called.
typedef enum FmuMode {
    FMU_INSTANTIATED = 1,
    FMU_INITIALIZATION = 2,
    FMU_STEP = 4,
    FMU_TERMINATED = 8, ///< also after an error
    FMU_ANY = 15
} FmuMode;

/// All of an instance that its session does not hold. Plain bytes without padding: it is what a serialised state keeps.
typedef struct FmuPlace {
    int32_t mode; ///< FmuMode
    int32_t levers; ///< how many of lever[]
    int64_t seed;
    int64_t ticks; ///< made since the start
    double start; ///< s: the importer's time at tick 0 of these
    double point; ///< s: where the next step begins
    double lever[FMU_MOST_LEVERS]; ///< -1..1, held
} FmuPlace;

typedef struct FmuInstance {
    Spadework session;
    FmuVariables variables;
    FmuPlace place;
    double *observation, *exercise; ///< own; numbers of the session's state, where the flags are set
    bool observed, measured;
    bool logs_discard; ///< fmi3Discard is logged, too; errors always are
    fmi3InstanceEnvironment environment;
    fmi3LogMessageCallback log_message; ///< or NULL
} FmuInstance;

/// What fmi3GetFMUState copies; of no instance. The observation is kept, too: the session's state holds the force on
/// the tool of the last substep, and the output is its mean over the tick.
typedef struct FmuState {
    FmuPlace place;
    size_t size; ///< bytes of the session's state
    unsigned char *bytes; ///< own: the observation, and behind it the session's state as spadework_save writes it
} FmuState;

/// Reads the observation, or the exercise, into the instance where it holds those of another state. False: failed.
bool fmu_look(FmuInstance *instance, bool exercise);
/// True when `instance` is one and in one of the modes (bits of FmuMode); else it is refused.
bool fmu_may(FmuInstance *instance, const char *function, int modes);
/// Logs (printf style) and ends the run: the instance is FMU_TERMINATED. Returns fmi3Error.
fmi3Status fmu_fail(FmuInstance *instance, const char *function, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/// The same with the text of the session's last error.
fmi3Status fmu_fail_session(FmuInstance *instance, const char *function);
/// Logs where that is wanted, and changes nothing. Returns fmi3Discard.
fmi3Status fmu_discard(FmuInstance *instance, const char *function, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/// Of a function for which this FMU has no use. Returns fmi3Error.
fmi3Status fmu_refuse(fmi3Instance instance, const char *function);

/// Reads the files of the session from the folder `resources`, with or without a slash at its end. False with `status`.
bool fmu_resources_read(const char *folder, DataFiles *files, Status *status);

#endif
