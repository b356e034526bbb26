/// Functions that every FMU exports and for which this one has no use: its XML states that it has no other types of
/// variables, no clocks, events, derivatives or structural parameters, and no interface type but co-simulation. They
/// log so, and return fmi3Error or no instance.
#include "trainer/api/fmu_instance.h"

// Their parameters are the standard's and mean nothing here.
#pragma GCC diagnostic ignored "-Wunused-parameter"
// NOLINTBEGIN(misc-unused-parameters)

/// No variable of this type is there; none of them can be read and written.
#define NO_VARIABLES(type)                                                                                             \
    fmi3Status fmi3Get##type(fmi3Instance instance, const fmi3ValueReference references[], size_t n,                   \
                             fmi3##type values[], size_t valueCount)                                                   \
    {                                                                                                                  \
        return n == 0 && instance != NULL ? fmi3OK : fmu_refuse(instance, __func__);                                   \
    }                                                                                                                  \
    fmi3Status fmi3Set##type(fmi3Instance instance, const fmi3ValueReference references[], size_t n,                   \
                             const fmi3##type values[], size_t valueCount)                                             \
    {                                                                                                                  \
        return n == 0 && instance != NULL ? fmi3OK : fmu_refuse(instance, __func__);                                   \
    }
NO_VARIABLES(Float32)
NO_VARIABLES(Int8)
NO_VARIABLES(UInt8)
NO_VARIABLES(Int16)
NO_VARIABLES(UInt16)
NO_VARIABLES(Int32)
NO_VARIABLES(UInt32)
NO_VARIABLES(UInt64)
NO_VARIABLES(Boolean)
NO_VARIABLES(String)

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resourcePath,
                                          fmi3Boolean visible, fmi3Boolean loggingOn,
                                          fmi3InstanceEnvironment environment, fmi3LogMessageCallback logMessage)
{
    if (logMessage != NULL) {
        logMessage(environment, fmi3Error, "logStatusError",
                   "fmi3InstantiateModelExchange: this FMU is for co-simulation alone");
    }
    return NULL;
}

fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resourcePath,
                                               fmi3Boolean visible, fmi3Boolean loggingOn,
                                               fmi3InstanceEnvironment environment, fmi3LogMessageCallback logMessage,
                                               fmi3ClockUpdateCallback clockUpdate,
                                               fmi3LockPreemptionCallback lockPreemption,
                                               fmi3UnlockPreemptionCallback unlockPreemption)
{
    if (logMessage != NULL) {
        logMessage(environment, fmi3Error, "logStatusError",
                   "fmi3InstantiateScheduledExecution: this FMU is for co-simulation alone");
    }
    return NULL;
}

fmi3Status fmi3EnterEventMode(fmi3Instance instance)
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance)
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance)
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference references[], size_t n, size_t sizes[],
                         fmi3Binary values[], size_t valueCount)
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference references[], size_t n, const size_t sizes[],
                         const fmi3Binary values[], size_t valueCount)
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance, fmi3ValueReference reference, size_t *count)
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference dependent, size_t dependentElements[],
                                       fmi3ValueReference independents[], size_t independentElements[],
                                       fmi3DependencyKind kinds[], size_t n)
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[], size_t nUnknowns,
                                        const fmi3ValueReference knowns[], size_t nKnowns, const fmi3Float64 seed[],
                                        size_t nSeed, fmi3Float64 sensitivity[], size_t nSensitivity)
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[], size_t nUnknowns,
                                    const fmi3ValueReference knowns[], size_t nKnowns, const fmi3Float64 seed[],
                                    size_t nSeed, fmi3Float64 sensitivity[], size_t nSensitivity)
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3EnterStepMode(fmi3Instance instance)
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                    const fmi3Int32 orders[], fmi3Float64 values[], size_t valueCount)
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference references[], size_t n, fmi3Clock values[])
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                        const fmi3Clock values[])
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                  fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[])
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3GetIntervalFraction(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                   fmi3UInt64 counters[], fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[])
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                               fmi3Float64 shifts[])
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3GetShiftFraction(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                fmi3UInt64 counters[], fmi3UInt64 resolutions[])
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                  const fmi3Float64 intervals[])
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3SetIntervalFraction(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                   const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3SetShiftDecimal(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                               const fmi3Float64 shifts[])
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3SetShiftFraction(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance)
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean *discreteStatesNeedUpdate,
                                    fmi3Boolean *terminateSimulation, fmi3Boolean *nominalsOfContinuousStatesChanged,
                                    fmi3Boolean *valuesOfContinuousStatesChanged, fmi3Boolean *nextEventTimeDefined,
                                    fmi3Float64 *nextEventTime)
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference clock, fmi3Float64 activationTime)
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance)
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance, fmi3Boolean noSetFMUStatePriorToCurrentPoint,
                                       fmi3Boolean *enterEventMode, fmi3Boolean *terminateSimulation)
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time)
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64 states[], size_t n)
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64 derivatives[], size_t n)
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64 indicators[], size_t n)
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64 states[], size_t n)
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64 nominals[], size_t n)
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, size_t *count)
{
    return fmu_refuse(instance, __func__);
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, size_t *count)
{
    return fmu_refuse(instance, __func__);
}

// NOLINTEND(misc-unused-parameters)
