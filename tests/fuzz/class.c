/// Any text as the file of a class from a stranger. It is refused with its reason and changes nothing, or it is taken
/// whole: then a second reading finds all known, and what is exported and read into an empty file holds as many
/// attempts.
#include <stdio.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "trainer/results/results_output.h"

static bool count_attempt(void *context, const ResultAttempt *attempt)
{
    require(attempt->trainee[0] != '\0');
    (*(int *)context)++;
    return true;
}

static int count(Results *results)
{
    int attempts = 0;
    Status status;
    require(results_each(results, NULL, count_attempt, &attempts, &status));
    return attempts;
}

static Results *open_new(const char *path)
{
    Status status;
    unlink(path);
    Results *results = results_open(path, RESULTS_WRITE, &status);
    require(results != NULL);
    return results;
}

/// What was taken is written in every form, and comes out and in again.
static void check_taken(Results *results, const char *from, const ResultsImport *taken)
{
    char out[96], other[96];
    Status status;
    ResultsImport again;
    int attempts = count(results);
    require(attempts == taken->attempts);
    require(results_import_class(results, from, false, &again, &status));
    require(again.attempts == 0 && again.known >= taken->attempts && count(results) == attempts);
    FILE *nothing = fopen("/dev/null", "w");
    require(nothing != NULL);
    for (int format = RESULTS_TABLE; format <= RESULTS_XAPI; format++) {
        require(results_print(results, NULL, (ResultsFormat)format, NULL, nothing, &status));
    }
    fclose(nothing);
    unlink(fuzz_path("out.json", out));
    require(results_export_class(results, taken->class_name, out, &status));
    Results *second = open_new(fuzz_path("second.db", other));
    require(results_import_class(second, out, false, &again, &status));
    require(again.attempts == attempts && again.trainees == taken->trainees && count(second) == attempts);
    results_close(second);
}

void fuzz_people(const uint8_t *data, size_t size)
{
    static Results *results;
    char in[96], path[96];
    fuzz_write(fuzz_path("in.json", in), data, size);
    if (results == NULL) {
        results = open_new(fuzz_path("first.db", path));
    }
    Status status = {STATUS_GOOD, ""};
    ResultsImport taken;
    if (results_import_class(results, in, false, &taken, &status)) {
        check_taken(results, in, &taken);
        results_close(results); // the next one finds nothing again
        results = NULL;
    } else {
        require(status.text[0] != '\0' && count(results) == 0);
    }
}
