/// An importer of the FMU (fmu.sh): fmu_importer LIBRARY RESOURCES SCENE DATA <VARIABLES. It loads the library as any
/// importer does, drives 5 s, and compares every output with the C library's for the same levers, bit for bit; then
/// states, threads, and what must be refused. VARIABLES is what fmu_check.py prints. Prints what is wrong; exit code 1.
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trainer/api/fmi3.h"
#include "trainer/api/spadework.h"

#define FUNCTIONS(X)                                                                                                   \
    X(GetVersion)                                                                                                      \
    X(SetDebugLogging)                                                                                                 \
    X(InstantiateModelExchange)                                                                                        \
    X(InstantiateCoSimulation)                                                                                         \
    X(InstantiateScheduledExecution)                                                                                   \
    X(FreeInstance)                                                                                                    \
    X(EnterInitializationMode)                                                                                         \
    X(ExitInitializationMode)                                                                                          \
    X(EnterEventMode)                                                                                                  \
    X(Terminate)                                                                                                       \
    X(Reset)                                                                                                           \
    X(GetFloat32)                                                                                                      \
    X(GetFloat64)                                                                                                      \
    X(GetInt8)                                                                                                         \
    X(GetUInt8)                                                                                                        \
    X(GetInt16)                                                                                                        \
    X(GetUInt16)                                                                                                       \
    X(GetInt32)                                                                                                        \
    X(GetUInt32)                                                                                                       \
    X(GetInt64)                                                                                                        \
    X(GetUInt64)                                                                                                       \
    X(GetBoolean)                                                                                                      \
    X(GetString)                                                                                                       \
    X(GetBinary)                                                                                                       \
    X(GetClock)                                                                                                        \
    X(SetFloat32)                                                                                                      \
    X(SetFloat64)                                                                                                      \
    X(SetInt8)                                                                                                         \
    X(SetUInt8)                                                                                                        \
    X(SetInt16)                                                                                                        \
    X(SetUInt16)                                                                                                       \
    X(SetInt32)                                                                                                        \
    X(SetUInt32)                                                                                                       \
    X(SetInt64)                                                                                                        \
    X(SetUInt64)                                                                                                       \
    X(SetBoolean)                                                                                                      \
    X(SetString)                                                                                                       \
    X(SetBinary)                                                                                                       \
    X(SetClock)                                                                                                        \
    X(GetNumberOfVariableDependencies)                                                                                 \
    X(GetVariableDependencies)                                                                                         \
    X(GetFMUState)                                                                                                     \
    X(SetFMUState)                                                                                                     \
    X(FreeFMUState)                                                                                                    \
    X(SerializedFMUStateSize)                                                                                          \
    X(SerializeFMUState)                                                                                               \
    X(DeserializeFMUState)                                                                                             \
    X(GetDirectionalDerivative)                                                                                        \
    X(GetAdjointDerivative)                                                                                            \
    X(EnterConfigurationMode)                                                                                          \
    X(ExitConfigurationMode)                                                                                           \
    X(GetIntervalDecimal)                                                                                              \
    X(GetIntervalFraction)                                                                                             \
    X(GetShiftDecimal)                                                                                                 \
    X(GetShiftFraction)                                                                                                \
    X(SetIntervalDecimal)                                                                                              \
    X(SetIntervalFraction)                                                                                             \
    X(SetShiftDecimal)                                                                                                 \
    X(SetShiftFraction)                                                                                                \
    X(EvaluateDiscreteStates)                                                                                          \
    X(UpdateDiscreteStates)                                                                                            \
    X(EnterContinuousTimeMode)                                                                                         \
    X(CompletedIntegratorStep)                                                                                         \
    X(SetTime)                                                                                                         \
    X(SetContinuousStates)                                                                                             \
    X(GetContinuousStateDerivatives)                                                                                   \
    X(GetEventIndicators)                                                                                              \
    X(GetContinuousStates)                                                                                             \
    X(GetNominalsOfContinuousStates)                                                                                   \
    X(GetNumberOfEventIndicators)                                                                                      \
    X(GetNumberOfContinuousStates)                                                                                     \
    X(EnterStepMode)                                                                                                   \
    X(GetOutputDerivatives)                                                                                            \
    X(DoStep)                                                                                                          \
    X(ActivateModelPartition)

enum { MOST = 1000, LEVERS = 6, TICKS = 300, START = 2 };

typedef struct Fmu {
#define X(name) __typeof__(&fmi3##name) name;
    FUNCTIONS(X)
#undef X
    const char *resources, *scene, *data; ///< scene and data: of the C library
    char token[100];
    fmi3ValueReference lever[MOST], observation[MOST], exercise[MOST], time, seed;
    size_t levers, observations, exercises;
} Fmu;

static Fmu fmu;
static int wrongs;
static _Thread_local char said[4096]; ///< the last message
static _Thread_local fmi3Status said_status;

__attribute__((format(printf, 1, 2))) static void wrong(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vfprintf(stdout, format, values);
    va_end(values);
    printf("; the last message: '%s'\n", said);
    wrongs++;
}

#define CHECK(what)                                                                                                    \
    do {                                                                                                               \
        if (!(what)) {                                                                                                 \
            wrong("line %d: not true: %s", __LINE__, #what);                                                           \
        }                                                                                                              \
    } while (0)

static void log_message(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String message)
{
    if (environment != &fmu || strncmp(category, "logStatus", 9) != 0) {
        wrong("a message with another environment or category");
    }
    snprintf(said, sizeof said, "%s", message);
    said_status = status;
}

/// ---- loading -------------------------------------------------------------------------------------------------------

static void load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        printf("%s\n", dlerror());
        exit(1);
    }
    void *address;
#define X(name)                                                                                                        \
    address = dlsym(library, "fmi3" #name);                                                                            \
    memcpy(&fmu.name, &address, sizeof address);                                                                       \
    if (address == NULL) {                                                                                             \
        wrong("the library lacks fmi3%s", #name);                                                                      \
    }
    FUNCTIONS(X)
#undef X
    if (wrongs > 0) {
        exit(1);
    }
}

static void read_variables(void)
{
    char line[300], type[20], causality[20], name[200];
    unsigned reference;
    if (fgets(line, sizeof line, stdin) == NULL || sscanf(line, "%99s", fmu.token) != 1) {
        wrong("no token");
    }
    while (fgets(line, sizeof line, stdin) != NULL &&
           sscanf(line, "%19s %19s %u %199s", type, causality, &reference, name) == 4) {
        if (strcmp(causality, "input") == 0) {
            fmu.lever[fmu.levers++] = reference;
        } else if (strncmp(name, "observation.", 12) == 0) {
            fmu.observation[fmu.observations++] = reference;
        } else if (strncmp(name, "exercise.", 9) == 0) {
            fmu.exercise[fmu.exercises++] = reference;
        } else if (strcmp(name, "seed") == 0) {
            fmu.seed = reference;
        } else {
            fmu.time = reference;
        }
    }
}

/// ---- driving -------------------------------------------------------------------------------------------------------

static fmi3Instance make(void)
{
    fmi3Instance instance = fmu.InstantiateCoSimulation("excavator", fmu.token, fmu.resources, false, true, false,
                                                        false, NULL, 0, &fmu, log_message, NULL);
    if (instance == NULL) {
        wrong("no instance");
        exit(1);
    }
    return instance;
}

static void begin(fmi3Instance instance, int64_t seed)
{
    CHECK(fmu.SetInt64(instance, &fmu.seed, 1, &seed, 1) == fmi3OK);
    CHECK(fmu.EnterInitializationMode(instance, false, 0.0, START, true, START + 100.0) == fmi3OK);
    CHECK(fmu.ExitInitializationMode(instance) == fmi3OK);
}

/// Boom down, then the stick in and the bucket curled, a swing at last.
static void choose_levers(int tick, double lever[LEVERS])
{
    memset(lever, 0, LEVERS * sizeof *lever);
    lever[0] = tick > 240 ? -0.5 : 0.0;
    lever[1] = tick > 90 ? 0.7 : 0.0;
    lever[2] = tick < 100 ? -0.6 : 0.1;
    lever[3] = tick > 150 ? 0.37 : 0.0;
}

static fmi3Status step(fmi3Instance instance, double from, double size)
{
    bool event = true, ends = true, early = true;
    double reached = NAN;
    fmi3Status status = fmu.DoStep(instance, from, size, false, &event, &ends, &early, &reached);
    if (status == fmi3OK && (event || ends || early || reached > from + size || reached < from + size - 1.0 / 60.0)) {
        wrong("step from %g by %g: %d %d %d, reached %.17g", from, size, event, ends, early, reached);
    }
    return status;
}

/// Steps from one tick to another, `each` ticks at a time.
static void drive(fmi3Instance instance, int from, int to, int each)
{
    double lever[LEVERS];
    for (int tick = from; tick < to; tick += each) {
        choose_levers(tick, lever);
        CHECK(fmu.SetFloat64(instance, fmu.lever, LEVERS, lever, LEVERS) == fmi3OK);
        CHECK(step(instance, START + tick / 60.0, each / 60.0) == fmi3OK);
    }
}

/// All numbers of an instance: values[MOST], as many as are returned.
static size_t read_all(fmi3Instance instance, double *values)
{
    CHECK(fmu.GetFloat64(instance, fmu.observation, fmu.observations, values, fmu.observations) == fmi3OK);
    CHECK(fmu.GetFloat64(instance, fmu.exercise, fmu.exercises, values + fmu.observations, fmu.exercises) == fmi3OK);
    return fmu.observations + fmu.exercises;
}

static void compare(fmi3Instance instance, const double *wanted, const char *what)
{
    double values[MOST];
    size_t n = read_all(instance, values);
    for (size_t k = 0; k < n; k++) {
        if (memcmp(&values[k], &wanted[k], sizeof values[k]) != 0) {
            wrong("%s: number %zu is %.17g, wanted %.17g", what, k, values[k], wanted[k]);
            return;
        }
    }
}

/// Drives the C library, and the FMU beside it; wanted[MOST] receives the numbers at the end, half[MOST] those at half
/// the time.
static void drive_both(fmi3Instance instance, int64_t seed, double *half, double *wanted)
{
    SpadeworkParams params = SPADEWORK_PARAMS;
    char error[SPADEWORK_TEXT];
    Spadework session;
    double lever[LEVERS];
    params.scene = fmu.scene;
    params.data_folder = fmu.data;
    params.seed = seed;
    if (spadework_create(&params, &session, error) != SPADEWORK_GOOD) {
        wrong("the C library: %s", error);
        exit(1);
    }
    begin(instance, seed);
    for (int tick = 0; tick < TICKS; tick += 3) {
        choose_levers(tick, lever);
        drive(instance, tick, tick + 3, 3);
        CHECK(spadework_step(session, lever, LEVERS, 3) == SPADEWORK_GOOD);
        CHECK(spadework_observe(session, wanted, fmu.observations) == SPADEWORK_GOOD);
        CHECK(spadework_exercise(session, wanted + fmu.observations, fmu.exercises) == SPADEWORK_GOOD);
        compare(instance, wanted, "against the C library");
        if (tick + 3 == TICKS / 2) {
            memcpy(half, wanted, MOST * sizeof *half);
        }
    }
    CHECK(memcmp(half, wanted, MOST * sizeof *half) != 0);
    spadework_close(session);
}

/// ---- what is checked -----------------------------------------------------------------------------------------------

static void check_states(const double *half, const double *wanted)
{
    fmi3Instance one = make(), other = make();
    fmi3FMUState state = NULL, copy = NULL;
    size_t size = 0;
    double time = 0.0;
    begin(one, 7);
    drive(one, 0, TICKS / 2, 3);
    CHECK(fmu.GetFMUState(one, &state) == fmi3OK);
    fmi3FMUState same = state;
    CHECK(fmu.GetFMUState(one, &state) == fmi3OK && state == same); // written over
    for (int turn = 0; turn < 2; turn++) {
        drive(one, TICKS / 2, TICKS, 3);
        compare(one, wanted, turn == 0 ? "before a state is set" : "after a state was set");
        CHECK(fmu.SetFMUState(one, state) == fmi3OK);
        compare(one, half, "a state that was set");
        CHECK(fmu.GetFloat64(one, &fmu.time, 1, &time, 1) == fmi3OK && fabs(time - START - TICKS / 120.0) < 1e-9);
    }
    CHECK(fmu.SerializedFMUStateSize(one, state, &size) == fmi3OK && size > 1000);
    fmi3Byte *bytes = malloc(size);
    CHECK(fmu.SerializeFMUState(one, state, bytes, size) == fmi3OK);
    CHECK(fmu.FreeFMUState(one, &state) == fmi3OK && state == NULL);
    // Into an instance that was only made: mode, time, seed and levers are in the state, too.
    CHECK(fmu.DeserializeFMUState(other, bytes, size, &copy) == fmi3OK);
    CHECK(fmu.SetFMUState(other, copy) == fmi3OK);
    drive(other, TICKS / 2, TICKS, 3);
    compare(other, wanted, "a state in a second instance");
    CHECK(fmu.FreeFMUState(other, &copy) == fmi3OK);
    // Cut, too long, of another make, with a lever that cannot be: refused, and the instance can be reset.
    CHECK(fmu.DeserializeFMUState(other, bytes, size - 1, &copy) == fmi3Error && copy == NULL);
    CHECK(fmu.DeserializeFMUState(other, bytes, 7, &copy) == fmi3Error && copy == NULL);
    for (size_t k = 0; k < 32; k += 8) {
        bytes[k] ^= 0x55;
        CHECK(fmu.DeserializeFMUState(other, bytes, size, &copy) == fmi3Error && copy == NULL);
        bytes[k] ^= 0x55;
    }
    bytes[size / 2] ^= 0x55;
    CHECK(fmu.DeserializeFMUState(other, bytes, size, &copy) == fmi3OK);
    CHECK(fmu.SetFMUState(other, copy) == fmi3Error);
    CHECK(fmu.Reset(other) == fmi3OK);
    CHECK(fmu.FreeFMUState(other, &copy) == fmi3OK && fmu.FreeFMUState(other, NULL) == fmi3OK);
    free(bytes);
    fmu.FreeInstance(one);
    fmu.FreeInstance(other);
}

/// Steps that are no multiples of the tick: the ticks come where they end.
static void check_steps(const double *half)
{
    fmi3Instance instance = make();
    double lever[LEVERS], time = START;
    begin(instance, 7);
    for (int k = 0; k < TICKS / 2; k++) {
        choose_levers(k / 3 * 3, lever);
        CHECK(fmu.SetFloat64(instance, fmu.lever, LEVERS, lever, LEVERS) == fmi3OK);
        CHECK(step(instance, time, 0.01) == fmi3OK); // no tick ends in it
        time += 0.01;
        CHECK(step(instance, time, 1.0 / 60.0 - 0.01) == fmi3OK);
        time += 1.0 / 60.0 - 0.01;
    }
    compare(instance, half, "uneven steps");
    CHECK(fmu.Terminate(instance) == fmi3OK);
    compare(instance, half, "terminated");
    fmu.FreeInstance(instance);
}

static void *drive_alone(void *context)
{
    fmi3Instance instance = make();
    for (int turn = 0; turn < 2; turn++) { // the second time after a reset
        begin(instance, 7);
        drive(instance, 0, TICKS / 2, 3);
        compare(instance, context, "in a thread");
        CHECK(fmu.Reset(instance) == fmi3OK);
    }
    fmu.FreeInstance(instance);
    return NULL;
}

static void check_threads(double *half)
{
    pthread_t thread[2];
    for (int k = 0; k < 2; k++) {
        CHECK(pthread_create(&thread[k], NULL, drive_alone, half) == 0);
    }
    for (int k = 0; k < 2; k++) {
        pthread_join(thread[k], NULL);
    }
}

/// A call that fails: it says why, and only a reset helps; then the instance is as one that was just made.
#define REFUSED(call, text)                                                                                            \
    do {                                                                                                               \
        said[0] = '\0';                                                                                                \
        if ((call) != fmi3Error || strstr(said, text) == NULL || said_status != fmi3Error) {                           \
            wrong("line %d: not refused with '%s': %s", __LINE__, text, #call);                                        \
        }                                                                                                              \
        CHECK(step(instance, START, 1.0 / 60.0) == fmi3Error);                                                         \
        CHECK(fmu.Reset(instance) == fmi3OK);                                                                          \
        begin(instance, 1);                                                                                            \
    } while (0)

static void check_refusals(void)
{
    fmi3Instance instance = make();
    fmi3ValueReference none = 99999;
    double value = 0.5, values[2] = {0.0, 0.0};
    int64_t seed = 3;
    float single = 0.0F;
    size_t n = 0;
    REFUSED(step(instance, 0.0, 1.0 / 60.0), "instantiated");
    REFUSED(fmu.GetFloat64(instance, &none, 1, &value, 1), "99999");
    REFUSED(fmu.GetFloat64(instance, fmu.lever, 2, values, 1), "2 references and 1 values");
    REFUSED(fmu.GetFloat64(instance, NULL, 1, values, 1), "references");
    REFUSED(fmu.SetFloat64(instance, &none, 1, &value, 1), "99999");
    REFUSED(fmu.SetFloat64(instance, fmu.observation, 1, &value, 1), "no lever");
    REFUSED(fmu.SetFloat64(instance, &fmu.time, 1, &value, 1), "no lever");
    REFUSED(fmu.SetFloat64(instance, fmu.lever, 1, values, 2), "1 references and 2 values");
    REFUSED(fmu.SetInt64(instance, &fmu.seed, 1, &seed, 1), "step mode");
    REFUSED(fmu.GetInt64(instance, fmu.lever, 1, &seed, 1), "the seed");
    REFUSED(fmu.GetFloat32(instance, fmu.lever, 1, &single, 1), "fmi3GetFloat32");
    REFUSED(fmu.EnterEventMode(instance), "fmi3EnterEventMode");
    REFUSED(fmu.EnterStepMode(instance), "fmi3EnterStepMode");
    REFUSED(fmu.EnterConfigurationMode(instance), "fmi3EnterConfigurationMode");
    REFUSED(fmu.GetNumberOfContinuousStates(instance, &n), "fmi3GetNumberOfContinuousStates");
    REFUSED(fmu.ExitInitializationMode(instance), "step mode");
    REFUSED(step(instance, START, 0.0), "above 0");
    REFUSED(step(instance, START, NAN), "above 0");
    REFUSED(step(instance, START, INFINITY), "above 0");
    REFUSED(step(instance, START, 1e6), "allowed are 1000000");
    REFUSED(step(instance, START + 1.0, 1.0 / 60.0), "allowed is 2 s");
    REFUSED(step(instance, NAN, 1.0 / 60.0), "allowed is 2 s");
    REFUSED(fmu.DoStep(instance, START, 1.0, false, NULL, NULL, NULL, NULL), "NULL");
    REFUSED(fmu.SetFMUState(instance, NULL), "NULL");
    value = NAN;
    REFUSED(fmu.SetFloat64(instance, fmu.lever, 1, &value, 1), " is not a number; allowed is -1 to 1");
    const char *category = "logEverything";
    REFUSED(fmu.SetDebugLogging(instance, true, 1, &category), "logEverything");
    // A value out of range changes nothing, and the run goes on; it is logged where that is wanted.
    values[1] = 1.5;
    CHECK(fmu.SetFloat64(instance, fmu.lever, 2, (double[]){0.25, 0.5}, 2) == fmi3OK);
    CHECK(fmu.SetFloat64(instance, fmu.lever, 2, values, 2) == fmi3Discard && strstr(said, "1.5") != NULL);
    CHECK(fmu.GetFloat64(instance, fmu.lever, 2, values, 2) == fmi3OK && values[0] == 0.25 && values[1] == 0.5);
    CHECK(step(instance, START, 1.0 / 60.0) == fmi3OK);
    said[0] = '\0';
    CHECK(fmu.SetDebugLogging(instance, false, 0, NULL) == fmi3OK);
    CHECK(fmu.SetFloat64(instance, fmu.lever, 1, (double[]){-2.0}, 1) == fmi3Discard && said[0] == '\0');
    CHECK(fmu.GetInt64(instance, &fmu.seed, 1, &seed, 1) == fmi3OK && seed == 1);
    CHECK(fmu.GetFloat32(instance, NULL, 0, NULL, 0) == fmi3OK);
    CHECK(fmu.GetFloat64(NULL, fmu.lever, 1, &value, 1) == fmi3Error && step(NULL, 0.0, 1.0) == fmi3Error);
    fmu.FreeInstance(instance);
    fmu.FreeInstance(NULL);
}

#define NO_INSTANCE(call, text)                                                                                        \
    do {                                                                                                               \
        said[0] = '\0';                                                                                                \
        if ((call) != NULL || strstr(said, text) == NULL) {                                                            \
            wrong("line %d: an instance, or not '%s'", __LINE__, text);                                                \
        }                                                                                                              \
    } while (0)

static void check_instantiation(void)
{
    const fmi3ValueReference *none = NULL;
    CHECK(strcmp(fmu.GetVersion(), "3.0") == 0);
    NO_INSTANCE(fmu.InstantiateModelExchange("e", fmu.token, fmu.resources, false, false, &fmu, log_message),
                "co-simulation");
    NO_INSTANCE(fmu.InstantiateScheduledExecution("e", fmu.token, fmu.resources, false, false, &fmu, log_message, NULL,
                                                  NULL, NULL),
                "co-simulation");
#define MAKE(name, token, resources, event, n)                                                                         \
    fmu.InstantiateCoSimulation(name, token, resources, false, false, event, false, none, n, &fmu, log_message, NULL)
    NO_INSTANCE(MAKE(" ", fmu.token, fmu.resources, false, 0), "name");
    NO_INSTANCE(MAKE("e", "{another}", fmu.resources, false, 0), "{another}");
    NO_INSTANCE(MAKE("e", NULL, fmu.resources, false, 0), "instantiationToken is NULL");
    NO_INSTANCE(MAKE("e", fmu.token, NULL, false, 0), "resourcePath is NULL");
    NO_INSTANCE(MAKE("e", fmu.token, "/nowhere/#1/", false, 0), "/nowhere/##1/session.txt");
    NO_INSTANCE(MAKE("e", fmu.token, fmu.resources, true, 0), "event mode");
    NO_INSTANCE(MAKE("e", fmu.token, fmu.resources, false, 1), "intermediate");
    // Without a callback nothing is logged, and nothing else is different.
    CHECK(fmu.InstantiateCoSimulation("e", "", fmu.resources, false, true, false, false, NULL, 0, NULL, NULL, NULL) ==
          NULL);
}

int main(int count, char **arguments)
{
    static double half[MOST], wanted[MOST];
    if (count != 5) {
        return 2;
    }
    load(arguments[1]);
    fmu.resources = arguments[2];
    fmu.scene = arguments[3];
    fmu.data = arguments[4];
    read_variables();
    if (fmu.levers != LEVERS || fmu.observations + fmu.exercises > MOST || fmu.exercises == 0) {
        wrong("%zu levers, %zu and %zu numbers", fmu.levers, fmu.observations, fmu.exercises);
        return 1;
    }
    check_instantiation();
    fmi3Instance instance = make();
    drive_both(instance, 7, half, wanted);
    fmu.FreeInstance(instance);
    check_states(half, wanted);
    check_steps(half);
    check_threads(half);
    check_refusals();
    printf("%s\n", wrongs == 0 ? "good" : "wrong");
    return wrongs != 0;
}
