/// The library of the FMU: functions of the Functional Mock-up Interface 3.0 for co-simulation over spadework.h. Modes
/// of an instance, its variables and its steps; what the standard asks for beside that is in the fmu_*_plugin.c.
#include "trainer/api/fmu_instance.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEARLY 1e-4 ///< ticks: a step that ends so little before a tick reaches it. Importers sum their steps up

enum { MESSAGE = SPADEWORK_TEXT + 256 };

/// ---- refusals ------------------------------------------------------------------------------------------------------

/// Passes "function: text" to the importer. A '#' would begin a variable's reference and is doubled.
static void log_text(const FmuInstance *instance, fmi3Status status, const char *function, const char *text)
{
    char message[MESSAGE];
    size_t n = (size_t)snprintf(message, sizeof message, "%s: ", function);
    for (; *text != '\0' && n + 2 < sizeof message; text++) {
        if (*text == '#') {
            message[n++] = '#';
        }
        message[n++] = *text;
    }
    message[n] = '\0';
    if (instance->log_message != NULL) {
        instance->log_message(instance->environment, status,
                              status == fmi3Discard ? "logStatusDiscard" : "logStatusError", message);
    }
}

fmi3Status fmu_fail(FmuInstance *instance, const char *function, const char *format, ...)
{
    char text[MESSAGE];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    instance->place.mode = FMU_TERMINATED;
    log_text(instance, fmi3Error, function, text);
    return fmi3Error;
}

fmi3Status fmu_fail_session(FmuInstance *instance, const char *function)
{
    char text[SPADEWORK_TEXT] = "the session is lost; free the instance";
    spadework_error(instance->session, text, sizeof text);
    return fmu_fail(instance, function, "%s", text);
}

fmi3Status fmu_discard(FmuInstance *instance, const char *function, const char *format, ...)
{
    char text[MESSAGE];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    if (instance->logs_discard) {
        log_text(instance, fmi3Discard, function, text);
    }
    return fmi3Discard;
}

fmi3Status fmu_refuse(fmi3Instance instance, const char *function)
{
    return instance == NULL ? fmi3Error
                            : fmu_fail(instance, function,
                                       "this FMU has nothing for which it is needed: see the attributes of "
                                       "CoSimulation and the variables in modelDescription.xml");
}

static const char *mode_name(int mode)
{
    return mode == FMU_INSTANTIATED     ? "instantiated"
           : mode == FMU_INITIALIZATION ? "initialization mode"
           : mode == FMU_STEP           ? "step mode"
                                        : "terminated";
}

bool fmu_may(FmuInstance *instance, const char *function, int modes)
{
    if (instance == NULL) {
        return false;
    }
    if ((instance->place.mode & modes) == 0) {
        fmu_fail(instance, function, "not allowed while the instance is in '%s'; allowed: %s%s%s",
                 mode_name(instance->place.mode), (modes & FMU_INSTANTIATED) != 0 ? "instantiated " : "",
                 (modes & FMU_INITIALIZATION) != 0 ? "initialization mode " : "",
                 (modes & FMU_STEP) != 0 ? "step mode" : "");
        return false;
    }
    return true;
}

/// ---- life ----------------------------------------------------------------------------------------------------------

const char *fmi3GetVersion(void)
{
    return "3.0";
}

/// Where an instance stands that was just made or reset.
static void go_to_start(FmuInstance *instance)
{
    const FmuVariables *variables = &instance->variables;
    instance->place = (FmuPlace){.mode = FMU_INSTANTIATED, .levers = variables->levers, .seed = variables->seed};
    for (int k = 0; k < variables->levers; k++) {
        instance->place.lever[k] = variables->variable[k].start;
    }
    instance->observed = instance->measured = false;
}

static bool make_session(FmuInstance *instance, const char *resources, char *error)
{
    DataFiles files = {0};
    Status status = {.code = STATUS_GOOD};
    SpadeworkFile texts[DATA_MAX_FILES];
    SpadeworkParams params = SPADEWORK_PARAMS;
    bool made = fmu_resources_read(resources, &files, &status);
    if (!made) {
        snprintf(error, SPADEWORK_TEXT, "%s", status.text);
    }
    for (int k = 0; k < files.count; k++) {
        const DataFile *file = &files.files[k];
        texts[k] = (SpadeworkFile){.kind = file->kind, .name = file->name, .text = file->text, .size = file->size};
    }
    params.files = texts;
    params.file_count = (size_t)files.count;
    made = made && spadework_create(&params, &instance->session, error) == SPADEWORK_GOOD;
    data_files_free(&files);
    return made;
}

static void free_instance(FmuInstance *instance)
{
    spadework_close(instance->session);
    fmu_variables_free(&instance->variables);
    free(instance->observation);
    free(instance->exercise);
    free(instance);
}

/// Makes the session and the lists of an instance. False with `error` [SPADEWORK_TEXT].
static bool fill_instance(FmuInstance *instance, const char *token, const char *resources, char *error)
{
    FmuVariables *variables = &instance->variables;
    if (!make_session(instance, resources, error) || !fmu_variables_read(instance->session, variables, error)) {
        return false;
    }
    instance->observation = calloc((size_t)variables->observation + 1, sizeof(double));
    instance->exercise = calloc((size_t)variables->exercise + 1, sizeof(double));
    if (instance->observation == NULL || instance->exercise == NULL || variables->levers > FMU_MOST_LEVERS) {
        snprintf(error, SPADEWORK_TEXT, "no memory for the values of the variables");
        return false;
    }
    if (strcmp(token, variables->token) != 0) {
        snprintf(
            error, SPADEWORK_TEXT,
            "instantiationToken is '%.64s', and this library with these resources is '%s': use modelDescription.xml, "
            "binaries and resources of one FMU",
            token, variables->token);
        return false;
    }
    return true;
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resourcePath,
                                         fmi3Boolean visible, fmi3Boolean loggingOn, fmi3Boolean eventModeUsed,
                                         fmi3Boolean earlyReturnAllowed,
                                         const fmi3ValueReference requiredIntermediateVariables[], size_t n,
                                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback logMessage,
                                         fmi3IntermediateUpdateCallback intermediateUpdate)
{
    char error[SPADEWORK_TEXT] = "no memory for the instance";
    FmuInstance *instance = calloc(1, sizeof *instance);
    FmuInstance lacking = {.environment = environment, .log_message = logMessage};
    const char *wrong = name == NULL || name[strspn(name, " \t\r\n")] == '\0' ? "the instance's name is empty"
                        : token == NULL                                       ? "instantiationToken is NULL"
                        : resourcePath == NULL ? "resourcePath is NULL: this FMU needs its folder resources"
                        : eventModeUsed        ? "eventModeUsed is true, and this FMU has no event mode"
                        : n > 0                ? "intermediate variables are asked for, and this FMU has none"
                        : instance == NULL     ? error
                                               : NULL;
    (void)visible, (void)earlyReturnAllowed, (void)requiredIntermediateVariables, (void)intermediateUpdate;
    if (wrong == NULL && !fill_instance(instance, token, resourcePath, error)) {
        wrong = error;
    }
    if (wrong != NULL) {
        log_text(&lacking, fmi3Error, "fmi3InstantiateCoSimulation", wrong);
        if (instance != NULL) {
            free_instance(instance);
        }
        return NULL;
    }
    instance->environment = environment;
    instance->log_message = logMessage;
    instance->logs_discard = loggingOn;
    go_to_start(instance);
    return instance;
}

void fmi3FreeInstance(fmi3Instance instance)
{
    if (instance != NULL) {
        free_instance(instance);
    }
}

fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean loggingOn, size_t n, const fmi3String categories[])
{
    FmuInstance *own = instance;
    bool discard = n == 0;
    if (!fmu_may(own, __func__, FMU_ANY)) {
        return fmi3Error;
    }
    if (n > 0 && categories == NULL) {
        return fmu_fail(own, __func__, "%zu categories are announced, and the list of them is NULL", n);
    }
    for (size_t k = 0; k < n; k++) {
        const char *category = categories[k] == NULL ? "" : categories[k];
        if (strcmp(category, "logStatusDiscard") != 0 && strcmp(category, "logStatusError") != 0) {
            return fmu_fail(own, __func__, "there is no category '%.64s'; allowed are logStatusDiscard, logStatusError",
                            category);
        }
        discard = discard || strcmp(category, "logStatusDiscard") == 0;
    }
    own->logs_discard = loggingOn && discard;
    return fmi3OK;
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean toleranceDefined, fmi3Float64 tolerance,
                                       fmi3Float64 startTime, fmi3Boolean stopTimeDefined, fmi3Float64 stopTime)
{
    FmuInstance *own = instance;
    (void)toleranceDefined, (void)tolerance; // the tick does not depend on it
    if (!fmu_may(own, __func__, FMU_INSTANTIATED)) {
        return fmi3Error;
    }
    if (!isfinite(startTime) || (stopTimeDefined && !(stopTime >= startTime))) {
        return fmu_fail(own, __func__, "startTime is %g, stopTime %g; allowed are finite times, the stop not before",
                        startTime, stopTime);
    }
    own->place.start = own->place.point = startTime;
    own->place.mode = FMU_INITIALIZATION;
    return fmi3OK;
}

static fmi3Status change_mode(FmuInstance *instance, const char *function, int from, FmuMode to)
{
    if (!fmu_may(instance, function, from)) {
        return fmi3Error;
    }
    instance->place.mode = to;
    return fmi3OK;
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance)
{
    return change_mode(instance, __func__, FMU_INITIALIZATION, FMU_STEP);
}

fmi3Status fmi3Terminate(fmi3Instance instance)
{
    return change_mode(instance, __func__, FMU_STEP, FMU_TERMINATED);
}

fmi3Status fmi3Reset(fmi3Instance instance)
{
    FmuInstance *own = instance;
    if (!fmu_may(own, __func__, FMU_ANY)) {
        return fmi3Error;
    }
    if (spadework_reset(own->session, &own->variables.seed) != SPADEWORK_GOOD) {
        return fmu_fail_session(own, __func__);
    }
    go_to_start(own);
    return fmi3OK;
}

/// ---- variables -----------------------------------------------------------------------------------------------------

/// What all functions that read or write variables check. True: there is something to do.
static bool check_arrays(FmuInstance *instance, const char *function, int modes, const void *references, size_t n,
                         const void *values, size_t count, fmi3Status *status)
{
    *status = fmi3Error;
    if (!fmu_may(instance, function, modes)) {
        return false;
    }
    if (n != count || (n > 0 && (references == NULL || values == NULL))) {
        fmu_fail(instance, function,
                 "%zu references and %zu values; allowed are as many of each: every variable is a number", n, count);
        return false;
    }
    *status = fmi3OK;
    return n > 0;
}

bool fmu_look(FmuInstance *instance, bool exercise)
{
    const FmuVariables *variables = &instance->variables;
    if (exercise && !instance->measured) {
        instance->measured =
            spadework_exercise(instance->session, instance->exercise, (size_t)variables->exercise) == SPADEWORK_GOOD;
    } else if (!exercise && !instance->observed) {
        instance->observed = spadework_observe(instance->session, instance->observation,
                                               (size_t)variables->observation) == SPADEWORK_GOOD;
    }
    return exercise ? instance->measured : instance->observed;
}

/// True when the reference is one of `count` that begin with `first`; then `index` receives which.
static bool is_of(fmi3ValueReference reference, uint32_t first, int count, uint32_t *index)
{
    *index = reference - first;
    return reference >= first && *index < (uint32_t)count;
}

static fmi3Status get_number(FmuInstance *instance, fmi3ValueReference reference, double *value)
{
    const FmuVariables *variables = &instance->variables;
    uint32_t index = 0;
    if (reference == FMU_TIME) {
        *value = instance->place.point;
    } else if (is_of(reference, FMU_LEVER, variables->levers, &index)) {
        *value = instance->place.lever[index];
    } else if (is_of(reference, FMU_OBSERVATION, variables->observation, &index)) {
        if (!fmu_look(instance, false)) {
            return fmu_fail_session(instance, "fmi3GetFloat64");
        }
        *value = instance->observation[index];
    } else if (is_of(reference, FMU_EXERCISE, variables->exercise, &index)) {
        if (!fmu_look(instance, true)) {
            return fmu_fail_session(instance, "fmi3GetFloat64");
        }
        *value = instance->exercise[index];
    } else {
        return fmu_fail(instance, "fmi3GetFloat64", "no Float64 has the value reference %u", (unsigned)reference);
    }
    return fmi3OK;
}

fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference references[], size_t n, fmi3Float64 values[],
                          size_t valueCount)
{
    fmi3Status status;
    if (check_arrays(instance, __func__, FMU_ANY, references, n, values, valueCount, &status)) {
        for (size_t k = 0; k < n && status == fmi3OK; k++) {
            status = get_number(instance, references[k], &values[k]);
        }
    }
    return status;
}

/// Checks what a lever is set to.
static fmi3Status check_lever(FmuInstance *instance, fmi3ValueReference reference, double value)
{
    uint32_t index = 0;
    if (!is_of(reference, FMU_LEVER, instance->variables.levers, &index)) {
        return fmu_fail(instance, "fmi3SetFloat64", "value reference %u is no lever; allowed are %d to %d",
                        (unsigned)reference, (int)FMU_LEVER, (int)FMU_LEVER + instance->variables.levers - 1);
    }
    const char *name = instance->variables.variable[index].name;
    if (isnan(value)) {
        return fmu_fail(instance, "fmi3SetFloat64", "%s is not a number; allowed is -1 to 1", name);
    }
    if (value < -1.0 || value > 1.0) {
        return fmu_discard(instance, "fmi3SetFloat64", "%s is %g; allowed is -1 to 1", name, value);
    }
    return fmi3OK;
}

fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                          const fmi3Float64 values[], size_t valueCount)
{
    FmuInstance *own = instance;
    fmi3Status status;
    if (!check_arrays(own, __func__, FMU_ANY - FMU_TERMINATED, references, n, values, valueCount, &status)) {
        return status;
    }
    for (size_t k = 0; k < n && status == fmi3OK; k++) {
        status = check_lever(own, references[k], values[k]);
    }
    for (size_t k = 0; k < n && status == fmi3OK; k++) {
        own->place.lever[references[k] - FMU_LEVER] = values[k];
    }
    return status;
}

static fmi3Status check_seed(FmuInstance *instance, const char *function, fmi3ValueReference reference)
{
    return reference == FMU_SEED ? fmi3OK
                                 : fmu_fail(instance, function, "no Int64 has the value reference %u; the seed has %d",
                                            (unsigned)reference, (int)FMU_SEED);
}

fmi3Status fmi3GetInt64(fmi3Instance instance, const fmi3ValueReference references[], size_t n, fmi3Int64 values[],
                        size_t valueCount)
{
    FmuInstance *own = instance;
    fmi3Status status;
    if (check_arrays(own, __func__, FMU_ANY, references, n, values, valueCount, &status)) {
        for (size_t k = 0; k < n && status == fmi3OK; k++) {
            status = check_seed(own, __func__, references[k]);
            values[k] = own->place.seed;
        }
    }
    return status;
}

/// The session begins anew with the seed at once: it stands at its start in these modes.
fmi3Status fmi3SetInt64(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                        const fmi3Int64 values[], size_t valueCount)
{
    FmuInstance *own = instance;
    fmi3Status status;
    if (!check_arrays(own, __func__, FMU_INSTANTIATED | FMU_INITIALIZATION, references, n, values, valueCount,
                      &status)) {
        return status;
    }
    for (size_t k = 0; k < n; k++) {
        status = check_seed(own, __func__, references[k]);
        if (status == fmi3OK && values[k] < 0) {
            status = fmu_discard(own, __func__, "seed is %lld; allowed is 0 and more", (long long)values[k]);
        }
        if (status != fmi3OK) {
            return status;
        }
    }
    if (spadework_reset(own->session, &values[n - 1]) != SPADEWORK_GOOD) {
        return fmu_fail_session(own, __func__);
    }
    own->place.seed = values[n - 1];
    own->observed = own->measured = false;
    return fmi3OK;
}

/// ---- steps ---------------------------------------------------------------------------------------------------------

/// Makes the ticks that end at or before `end`. What is left of a step is made up for by the next ones.
static fmi3Status make_ticks(FmuInstance *instance, double end)
{
    FmuPlace *place = &instance->place;
    double reached = floor((end - place->start) * instance->variables.tick_rate + NEARLY);
    double wanted = reached - (double)place->ticks;
    if (!(wanted <= SPADEWORK_MOST_TICKS)) {
        return fmu_fail(instance, "fmi3DoStep", "the step has %g ticks; allowed are %d: step more often", wanted,
                        (int)SPADEWORK_MOST_TICKS);
    }
    if (wanted >= 1.0) {
        int64_t ticks = (int64_t)wanted;
        instance->observed = instance->measured = false;
        if (spadework_step(instance->session, place->lever, (size_t)place->levers, ticks) != SPADEWORK_GOOD) {
            return fmu_fail_session(instance, "fmi3DoStep");
        }
        place->ticks += ticks;
    }
    place->point = end;
    return fmi3OK;
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 point, fmi3Float64 size,
                      fmi3Boolean noSetFMUStatePriorToCurrentPoint, fmi3Boolean *eventHandlingNeeded,
                      fmi3Boolean *terminateSimulation, fmi3Boolean *earlyReturn, fmi3Float64 *lastSuccessfulTime)
{
    FmuInstance *own = instance;
    (void)noSetFMUStatePriorToCurrentPoint;
    if (!fmu_may(own, __func__, FMU_STEP)) {
        return fmi3Error;
    }
    if (eventHandlingNeeded == NULL || terminateSimulation == NULL || earlyReturn == NULL ||
        lastSuccessfulTime == NULL) {
        return fmu_fail(own, __func__, "a place for a result is NULL; allowed is none");
    }
    *eventHandlingNeeded = *terminateSimulation = *earlyReturn = false;
    *lastSuccessfulTime = own->place.point;
    double rate = own->variables.tick_rate;
    if (!(fabs(point - own->place.point) * rate <= NEARLY)) {
        return fmu_fail(own, __func__, "the step begins at %.9g s; allowed is %.9g s, where the last one has ended",
                        point, own->place.point);
    }
    if (!(size > 0.0) || !isfinite(size)) {
        return fmu_fail(own, __func__,
                        "communicationStepSize is %g s; allowed is any above 0, best a multiple of 1/%g s", size, rate);
    }
    fmi3Status status = make_ticks(own, point + size);
    if (status == fmi3OK) {
        double ticked = own->place.start + (double)own->place.ticks / rate;
        *lastSuccessfulTime = fabs(ticked - own->place.point) * rate <= NEARLY ? own->place.point : ticked;
    }
    return status;
}
