/// Writes what an FMU holds beside its library: `fmu_description SCENE DATA FOLDER [KEY=VALUE...]` makes a session of
/// the scene, with these overrides, and from it FOLDER/modelDescription.xml, the session's files in FOLDER/resources,
/// and FOLDER/documentation/index.html. CMake calls it (CMakeLists.txt, docs/fmu.md).
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "trainer/api/fmu_variables.h"

/// ---- files ---------------------------------------------------------------------------------------------------------

/// Opens FOLDER/... (printf style) to be written; ends the program when it cannot.
__attribute__((format(printf, 1, 2))) static FILE *open_file(const char *format, ...)
{
    char path[4096];
    va_list values;
    va_start(values, format);
    vsnprintf(path, sizeof path, format, values);
    va_end(values);
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        fprintf(stderr, "fmu_description: %s: %s\n", path, strerror(errno));
        exit(4);
    }
    return file;
}

static void close_file(FILE *file)
{
    bool whole = !ferror(file);
    if (fclose(file) != 0 || !whole) {
        fprintf(stderr, "fmu_description: a file could not be written whole: %s\n", strerror(errno));
        exit(4);
    }
}

/// Writes an attribute ` key="text"`, or the text alone where `key` is NULL.
static void put_text(FILE *file, const char *key, const char *text)
{
    if (key != NULL) {
        fprintf(file, " %s=\"", key);
    }
    for (; *text != '\0'; text++) {
        const char *entity = *text == '&'    ? "&amp;"
                             : *text == '<'  ? "&lt;"
                             : *text == '>'  ? "&gt;"
                             : *text == '"'  ? "&quot;"
                             : *text == '\n' ? " "
                                             : NULL;
        if (entity != NULL) {
            fputs(entity, file);
        } else {
            putc(*text, file);
        }
    }
    if (key != NULL) {
        putc('"', file);
    }
}

/// ---- units ---------------------------------------------------------------------------------------------------------

/// A unit in SI base units: value in them = factor x value.
typedef struct Unit {
    const char *name;
    int kg, m, s, rad;
    double factor;
    const char *shown; ///< a unit that people read instead, with `shown_factor`; or NULL
    double shown_factor;
} Unit;

#define DEGREE 0.017453292519943295 ///< rad

static const Unit units[] = {
    {"s", 0, 0, 1, 0, 1.0, NULL, 0.0},
    {"m", 0, 1, 0, 0, 1.0, NULL, 0.0},
    {"m3", 0, 3, 0, 0, 1.0, NULL, 0.0},
    {"kg", 1, 0, 0, 0, 1.0, "t", 1e-3},
    {"rad", 0, 0, 0, 1, 1.0, "deg", 1.0 / DEGREE},
    {"deg", 0, 0, 0, 1, DEGREE, NULL, 0.0},
    {"m/s", 0, 1, -1, 0, 1.0, "km/h", 3.6},
    {"m/s2", 0, 1, -2, 0, 1.0, NULL, 0.0},
    {"rad/s", 0, 0, -1, 1, 1.0, "rpm", 30.0 / 3.14159265358979323846},
    {"m3/h", 0, 3, -1, 0, 1.0 / 3600.0, NULL, 0.0},
    {"N", 1, 1, -2, 0, 1.0, "kN", 1e-3},
    {"N m", 1, 2, -2, 0, 1.0, "kN m", 1e-3},
    {"Pa", 1, -1, -2, 0, 1.0, "bar", 1e-5},
    {"J", 1, 2, -2, 0, 1.0, "kJ", 1e-3},
    {"kJ", 1, 2, -2, 0, 1e3, NULL, 0.0},
    {"W", 1, 2, -3, 0, 1.0, "kW", 1e-3},
    {"Hz", 0, 0, -1, 0, 1.0, NULL, 0.0},
};
enum { UNITS = sizeof units / sizeof units[0] };

static bool is_used(const FmuVariables *variables, const char *unit)
{
    bool used = strcmp(unit, "s") == 0; // of the time
    for (int k = 0; k < variables->count; k++) {
        used = used || strcmp(variables->variable[k].unit, unit) == 0;
    }
    return used;
}

static void put_units(FILE *file, const FmuVariables *variables)
{
    fputs("  <UnitDefinitions>\n", file);
    for (int k = 0; k < UNITS; k++) {
        const Unit *unit = &units[k];
        if (!is_used(variables, unit->name)) {
            continue;
        }
        fprintf(file, "    <Unit name=\"%s\">\n      <BaseUnit", unit->name);
        const struct {
            const char *name;
            int exponent;
        } base[] = {{"kg", unit->kg}, {"m", unit->m}, {"s", unit->s}, {"rad", unit->rad}};
        for (size_t n = 0; n < sizeof base / sizeof base[0]; n++) {
            if (base[n].exponent != 0) {
                fprintf(file, " %s=\"%d\"", base[n].name, base[n].exponent);
            }
        }
        if (unit->factor != 1.0) {
            fprintf(file, " factor=\"%.17g\"", unit->factor);
        }
        fputs("/>\n", file);
        if (unit->shown != NULL) {
            fprintf(file, "      <DisplayUnit name=\"%s\" factor=\"%.17g\"/>\n", unit->shown, unit->shown_factor);
        }
        fputs("    </Unit>\n", file);
    }
    fputs("  </UnitDefinitions>\n", file);
}

/// A unit without a row would have no meaning for an importer: ends the program.
static void check_units(const FmuVariables *variables)
{
    for (int k = 0; k < variables->count; k++) {
        const char *unit = variables->variable[k].unit;
        bool known = strcmp(unit, "1") == 0;
        for (int n = 0; n < UNITS; n++) {
            known = known || strcmp(unit, units[n].name) == 0;
        }
        if (!known) {
            fprintf(stderr, "fmu_description: %s has the unit '%s', which has no row in `units` of %s\n",
                    variables->variable[k].name, unit, __FILE__);
            exit(4);
        }
    }
}

/// ---- modelDescription.xml ------------------------------------------------------------------------------------------

static void put_head(FILE *file, const FmuVariables *variables)
{
    double tick = 1.0 / variables->tick_rate;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"3.0\"", file);
    fprintf(file, " modelName=\"Spadework: %s, %s\"", variables->machine, variables->scene);
    put_text(file, "instantiationToken", variables->token);
    put_text(file, "description", variables->title);
    put_text(file, "version", variables->version);
    fprintf(file, " license=\"MIT\" generationTool=\"Spadework %s\"", variables->version);
    fputs(" variableNamingConvention=\"structured\">\n", file);
    fprintf(file,
            "  <CoSimulation modelIdentifier=\"" FMU_IDENTIFIER "\" canHandleVariableCommunicationStepSize=\"true\""
            " fixedInternalStepSize=\"%.17g\" canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\""
            " canBeInstantiatedOnlyOncePerProcess=\"false\" needsExecutionTool=\"false\" hasEventMode=\"false\""
            " maxOutputDerivativeOrder=\"0\" providesIntermediateUpdate=\"false\""
            " mightReturnEarlyFromDoStep=\"false\"/>\n",
            tick);
    put_units(file, variables);
    fprintf(file,
            "  <LogCategories>\n"
            "    <Category name=\"logStatusError\" description=\"Why a function returned fmi3Error\"/>\n"
            "    <Category name=\"logStatusDiscard\" description=\"Why a value was not taken\"/>\n"
            "  </LogCategories>\n"
            "  <DefaultExperiment startTime=\"0\" stopTime=\"10\" stepSize=\"%.17g\"/>\n",
            tick);
}

static void put_variable(FILE *file, const FmuVariable *variable)
{
    bool lever = variable->reference < FMU_OBSERVATION;
    fputs("    <Float64", file);
    put_text(file, "name", variable->name);
    fprintf(file, " valueReference=\"%" PRIu32 "\" causality=\"%s\"", variable->reference, lever ? "input" : "output");
    if (lever) {
        char text[SPADEWORK_SENTENCE + 32];
        snprintf(text, sizeof text, "positive: %s", variable->phrase);
        put_text(file, "description", text);
        fprintf(file, " start=\"%.17g\"", variable->start);
    } else if (variable->phrase[0] != '\0') {
        put_text(file, "description", variable->phrase);
    }
    if (strcmp(variable->unit, "1") != 0) {
        put_text(file, "unit", variable->unit);
    }
    fprintf(file, " min=\"%.17g\" max=\"%.17g\"/>\n", variable->low, variable->high);
}

static void write_xml(const char *folder, const FmuVariables *variables)
{
    FILE *file = open_file("%s/modelDescription.xml", folder);
    put_head(file, variables);
    fprintf(file,
            "  <ModelVariables>\n"
            "    <Float64 name=\"time\" valueReference=\"%d\" causality=\"independent\" description=\"end of the last"
            " step\" unit=\"s\"/>\n"
            "    <Int64 name=\"seed\" valueReference=\"%d\" causality=\"parameter\" variability=\"fixed\""
            " description=\"of the soil\" min=\"0\" start=\"%" PRId64 "\"/>\n",
            FMU_TIME, FMU_SEED, variables->seed);
    for (int k = 0; k < variables->count; k++) {
        put_variable(file, &variables->variable[k]);
    }
    // Outputs are those of the last tick: no lever acts on them before the next step.
    fputs("  </ModelVariables>\n  <ModelStructure>\n", file);
    for (int k = variables->levers; k < variables->count; k++) {
        fprintf(file, "    <Output valueReference=\"%" PRIu32 "\" dependencies=\"\"/>\n",
                variables->variable[k].reference);
    }
    for (int k = variables->levers; k < variables->count; k++) {
        fprintf(file, "    <InitialUnknown valueReference=\"%" PRIu32 "\" dependencies=\"%d\"/>\n",
                variables->variable[k].reference, FMU_SEED);
    }
    fputs("  </ModelStructure>\n</fmiModelDescription>\n", file);
    close_file(file);
}

/// ---- documentation and resources -----------------------------------------------------------------------------------

static void write_documentation(const char *folder, const FmuVariables *variables)
{
    FILE *file = open_file("%s/documentation/index.html", folder);
    fputs(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Spadework</title></head><body>\n<h1>",
        file);
    put_text(file, NULL, variables->title);
    fprintf(
        file,
        "</h1>\n<p>%s in the scene %s of Spadework %s, for co-simulation by FMI 3.0. Inputs are the levers, which are"
        " held during a step; outputs are those of the last tick. A tick is 1/%d s; a step of another size makes the"
        " ticks that end in it. The same levers and seed give the same numbers, bit for bit.</p>\n"
        "<p>The manual is docs/fmu.md of Spadework.</p>\n<table>\n"
        "<tr><th>reference<th>name<th>unit<th>from<th>to<th>what it is\n",
        variables->machine, variables->scene, variables->version, variables->tick_rate);
    for (int k = 0; k < variables->count; k++) {
        const FmuVariable *variable = &variables->variable[k];
        fprintf(file, "<tr><td>%" PRIu32 "<td>", variable->reference);
        put_text(file, NULL, variable->name);
        fprintf(file, "<td>%s<td>%g<td>%g<td>%s", variable->unit, variable->low, variable->high,
                variable->reference < FMU_OBSERVATION ? "positive: " : "");
        put_text(file, NULL, variable->phrase);
        putc('\n', file);
    }
    fputs("</table>\n</body></html>\n", file);
    close_file(file);
}

static void write_resources(const char *folder, Spadework session)
{
    char kind[SPADEWORK_NAME], name[SPADEWORK_NAME];
    size_t size = 0;
    FILE *list = open_file("%s/resources/session.txt", folder);
    for (size_t k = 0; (size = spadework_file(session, k, kind, name, NULL, 0)) > 0; k++) {
        char *text = malloc(size);
        if (text == NULL || spadework_file(session, k, kind, name, text, size) != size) {
            fputs("fmu_description: no memory\n", stderr);
            exit(4);
        }
        fprintf(list, "%s %s\n", kind, name);
        FILE *file = open_file("%s/resources/%s/%s", folder, kind, name);
        fwrite(text, 1, size, file);
        close_file(file);
        free(text);
    }
    close_file(list);
}

int main(int count, char **arguments)
{
    if (count < 4) {
        fputs("usage: fmu_description SCENE DATA FOLDER [KEY=VALUE...]\n", stderr);
        return 2;
    }
    char error[SPADEWORK_TEXT];
    SpadeworkParams params = SPADEWORK_PARAMS;
    FmuVariables variables;
    Spadework session;
    params.scene = arguments[1];
    params.data_folder = arguments[2];
    params.overrides = (const char *const *)&arguments[4];
    params.override_count = (size_t)count - 4;
    if (spadework_create(&params, &session, error) != SPADEWORK_GOOD ||
        !fmu_variables_read(session, &variables, error)) {
        fprintf(stderr, "fmu_description: %s\n", error);
        return 4;
    }
    check_units(&variables);
    write_xml(arguments[3], &variables);
    write_documentation(arguments[3], &variables);
    write_resources(arguments[3], session);
    fmu_variables_free(&variables);
    spadework_close(session);
    return 0;
}
