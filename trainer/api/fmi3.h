/// What an FMU and its importer share by the Functional Mock-up Interface 3.0: types, codes and prototypes of the
/// functions that a shared library exports. Names, types and numbers are the standard's (fmi-standard.org, section
/// 2.2), written down for this program; no pointer may be NULL unless its line says so.
///
/// Every function but fmi3GetVersion, fmi3FreeInstance and the three that make instances returns an fmi3Status. Arrays
/// are [n...] with the length that follows them. An instance is used by one thread at a time.
#ifndef SPADEWORK_TRAINER_API_FMI3_H
#define SPADEWORK_TRAINER_API_FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FMI3_EXPORT __attribute__((visibility("default")))

/// ---- types ---------------------------------------------------------------------------------------------------------

typedef void *fmi3Instance; ///< of the FMU
typedef void *fmi3InstanceEnvironment; ///< of the importer, handed to its callbacks
typedef void *fmi3FMUState; ///< a copy of an instance's whole state
typedef uint32_t fmi3ValueReference; ///< number of a variable
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef char fmi3Char;
typedef const fmi3Char *fmi3String; ///< UTF-8 with a NUL
typedef uint8_t fmi3Byte;
typedef const fmi3Byte *fmi3Binary;
typedef bool fmi3Clock; ///< true: it ticks

#define fmi3True          true
#define fmi3False         false
#define fmi3ClockActive   true
#define fmi3ClockInactive false

typedef enum fmi3Status {
    fmi3OK,
    fmi3Warning,
    fmi3Discard, ///< refused, nothing has changed, and the simulation may continue
    fmi3Error, ///< what is left is to set a state, to reset or to free the instance
    fmi3Fatal ///< no instance of this FMU can be used any more
} fmi3Status;

typedef enum fmi3DependencyKind {
    fmi3Independent,
    fmi3Constant,
    fmi3Fixed,
    fmi3Tunable,
    fmi3Discrete,
    fmi3Dependent
} fmi3DependencyKind;

typedef enum fmi3IntervalQualifier {
    fmi3IntervalNotYetKnown,
    fmi3IntervalUnchanged,
    fmi3IntervalChanged
} fmi3IntervalQualifier;

/// The importer's callbacks. `message` and `category` live as long as the call; '##' in a message stands for one '#'.
typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                                       fmi3String message);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment environment);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment environment, fmi3Float64 time,
                                               fmi3Boolean setRequested, fmi3Boolean getAllowed,
                                               fmi3Boolean stepFinished, fmi3Boolean canReturnEarly,
                                               fmi3Boolean *earlyReturnRequested, fmi3Float64 *earlyReturnTime);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

/// ---- life ----------------------------------------------------------------------------------------------------------

/// "3.0".
FMI3_EXPORT const char *fmi3GetVersion(void);
/// No category: all of them.
FMI3_EXPORT fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean loggingOn, size_t n,
                                           const fmi3String categories[]);
/// NULL: refused, for the reason that was logged. token: the instantiationToken of the XML. resourcePath: the absolute
/// path of the folder `resources`, with a slash at its end; or NULL. logMessage: or NULL.
FMI3_EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resourcePath,
                                                      fmi3Boolean visible, fmi3Boolean loggingOn,
                                                      fmi3InstanceEnvironment environment,
                                                      fmi3LogMessageCallback logMessage);
FMI3_EXPORT fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resourcePath,
                                                     fmi3Boolean visible, fmi3Boolean loggingOn,
                                                     fmi3Boolean eventModeUsed, fmi3Boolean earlyReturnAllowed,
                                                     const fmi3ValueReference requiredIntermediateVariables[], size_t n,
                                                     fmi3InstanceEnvironment environment,
                                                     fmi3LogMessageCallback logMessage,
                                                     fmi3IntermediateUpdateCallback intermediateUpdate);
FMI3_EXPORT fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resourcePath, fmi3Boolean visible, fmi3Boolean loggingOn,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback logMessage, fmi3ClockUpdateCallback clockUpdate,
    fmi3LockPreemptionCallback lockPreemption, fmi3UnlockPreemptionCallback unlockPreemption);
/// NULL is allowed.
FMI3_EXPORT void fmi3FreeInstance(fmi3Instance instance);
FMI3_EXPORT fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean toleranceDefined,
                                                   fmi3Float64 tolerance, fmi3Float64 startTime,
                                                   fmi3Boolean stopTimeDefined, fmi3Float64 stopTime);
FMI3_EXPORT fmi3Status fmi3ExitInitializationMode(fmi3Instance instance);
FMI3_EXPORT fmi3Status fmi3EnterEventMode(fmi3Instance instance);
FMI3_EXPORT fmi3Status fmi3Terminate(fmi3Instance instance);
FMI3_EXPORT fmi3Status fmi3Reset(fmi3Instance instance);
FMI3_EXPORT fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance);
FMI3_EXPORT fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance);

/// ---- variables -----------------------------------------------------------------------------------------------------

/// The pair of functions that read and write variables of one type. values: [valueCount], one after the other.
#define FMI3_ACCESS(type)                                                                                              \
    FMI3_EXPORT fmi3Status fmi3Get##type(fmi3Instance instance, const fmi3ValueReference references[], size_t n,       \
                                         fmi3##type values[], size_t valueCount);                                      \
    FMI3_EXPORT fmi3Status fmi3Set##type(fmi3Instance instance, const fmi3ValueReference references[], size_t n,       \
                                         const fmi3##type values[], size_t valueCount);
FMI3_ACCESS(Float32)
FMI3_ACCESS(Float64)
FMI3_ACCESS(Int8)
FMI3_ACCESS(UInt8)
FMI3_ACCESS(Int16)
FMI3_ACCESS(UInt16)
FMI3_ACCESS(Int32)
FMI3_ACCESS(UInt32)
FMI3_ACCESS(Int64)
FMI3_ACCESS(UInt64)
FMI3_ACCESS(Boolean)
FMI3_ACCESS(String)
#undef FMI3_ACCESS

FMI3_EXPORT fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                     size_t sizes[], fmi3Binary values[], size_t valueCount);
FMI3_EXPORT fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                     const size_t sizes[], const fmi3Binary values[], size_t valueCount);
FMI3_EXPORT fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance, fmi3ValueReference reference,
                                                           size_t *count);
FMI3_EXPORT fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference dependent,
                                                   size_t dependentElements[], fmi3ValueReference independents[],
                                                   size_t independentElements[], fmi3DependencyKind kinds[], size_t n);
FMI3_EXPORT fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                                    size_t nUnknowns, const fmi3ValueReference knowns[], size_t nKnowns,
                                                    const fmi3Float64 seed[], size_t nSeed, fmi3Float64 sensitivity[],
                                                    size_t nSensitivity);
FMI3_EXPORT fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                                size_t nUnknowns, const fmi3ValueReference knowns[], size_t nKnowns,
                                                const fmi3Float64 seed[], size_t nSeed, fmi3Float64 sensitivity[],
                                                size_t nSensitivity);

/// ---- the whole state -----------------------------------------------------------------------------------------------

/// *state: NULL, or one of before, which is written over.
FMI3_EXPORT fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState *state);
FMI3_EXPORT fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state);
/// Sets *state to NULL; state or *state may be NULL.
FMI3_EXPORT fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState *state);
FMI3_EXPORT fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state, size_t *size);
FMI3_EXPORT fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[], size_t size);
FMI3_EXPORT fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte bytes[], size_t size,
                                               fmi3FMUState *state);

/// ---- co-simulation -------------------------------------------------------------------------------------------------

FMI3_EXPORT fmi3Status fmi3EnterStepMode(fmi3Instance instance);
FMI3_EXPORT fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                                const fmi3Int32 orders[], fmi3Float64 values[], size_t valueCount);
/// From `point` (s), where the step before has ended, to point + size (s).
FMI3_EXPORT fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 point, fmi3Float64 size,
                                  fmi3Boolean noSetFMUStatePriorToCurrentPoint, fmi3Boolean *eventHandlingNeeded,
                                  fmi3Boolean *terminateSimulation, fmi3Boolean *earlyReturn,
                                  fmi3Float64 *lastSuccessfulTime);

/// ---- clocks and events ---------------------------------------------------------------------------------------------

FMI3_EXPORT fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                    fmi3Clock values[]);
FMI3_EXPORT fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                    const fmi3Clock values[]);
FMI3_EXPORT fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                              fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[]);
FMI3_EXPORT fmi3Status fmi3GetIntervalFraction(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                               fmi3UInt64 counters[], fmi3UInt64 resolutions[],
                                               fmi3IntervalQualifier qualifiers[]);
FMI3_EXPORT fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                           fmi3Float64 shifts[]);
FMI3_EXPORT fmi3Status fmi3GetShiftFraction(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                            fmi3UInt64 counters[], fmi3UInt64 resolutions[]);
FMI3_EXPORT fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                              const fmi3Float64 intervals[]);
FMI3_EXPORT fmi3Status fmi3SetIntervalFraction(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                               const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]);
FMI3_EXPORT fmi3Status fmi3SetShiftDecimal(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                           const fmi3Float64 shifts[]);
FMI3_EXPORT fmi3Status fmi3SetShiftFraction(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                            const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]);
FMI3_EXPORT fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance);
FMI3_EXPORT fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean *discreteStatesNeedUpdate,
                                                fmi3Boolean *terminateSimulation,
                                                fmi3Boolean *nominalsOfContinuousStatesChanged,
                                                fmi3Boolean *valuesOfContinuousStatesChanged,
                                                fmi3Boolean *nextEventTimeDefined, fmi3Float64 *nextEventTime);
FMI3_EXPORT fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference clock,
                                                  fmi3Float64 activationTime);

/// ---- model exchange ------------------------------------------------------------------------------------------------

FMI3_EXPORT fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance);
FMI3_EXPORT fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance, fmi3Boolean noSetFMUStatePriorToCurrentPoint,
                                                   fmi3Boolean *enterEventMode, fmi3Boolean *terminateSimulation);
FMI3_EXPORT fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time);
FMI3_EXPORT fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64 states[], size_t n);
FMI3_EXPORT fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64 derivatives[], size_t n);
FMI3_EXPORT fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64 indicators[], size_t n);
FMI3_EXPORT fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64 states[], size_t n);
FMI3_EXPORT fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64 nominals[], size_t n);
FMI3_EXPORT fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, size_t *count);
FMI3_EXPORT fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, size_t *count);

#endif
