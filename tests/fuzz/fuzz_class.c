/// libFuzzer: any text as the file of a class from a stranger (start the corpus from an exported one). It is refused
/// with its reason and changes nothing, or it is taken whole: then a second reading finds all known, and what is
/// exported and read into an empty file holds as many attempts.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trainer/results/results_output.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[48];

static const char *path_of(const char *name, char path[96])
{
    snprintf(path, 96, "%s/%s", folder, name);
    return path;
}

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

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
    require(results_import_class(results, from, &again, &status));
    require(again.attempts == 0 && again.known >= taken->attempts && count(results) == attempts);
    FILE *nothing = fopen("/dev/null", "w");
    require(nothing != NULL);
    for (int format = RESULTS_TABLE; format <= RESULTS_XAPI; format++) {
        require(results_print(results, NULL, (ResultsFormat)format, NULL, nothing, &status));
    }
    fclose(nothing);
    unlink(path_of("out.json", out));
    require(results_export_class(results, taken->class_name, out, &status));
    Results *second = open_new(path_of("second.db", other));
    require(results_import_class(second, out, &again, &status));
    require(again.attempts == attempts && again.trainees == taken->trainees && count(second) == attempts);
    results_close(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char in[96], path[96];
    if (folder[0] == '\0') {
        snprintf(folder, sizeof folder, "/dev/shm/spadework-fuzz-XXXXXX");
        require(mkdtemp(folder) != NULL);
    }
    FILE *file = fopen(path_of("in.json", in), "wb");
    require(file != NULL);
    fwrite(data, 1, size, file);
    fclose(file);
    Results *results = open_new(path_of("first.db", path));
    Status status = {STATUS_GOOD, ""};
    ResultsImport taken;
    if (results_import_class(results, in, &taken, &status)) {
        check_taken(results, in, &taken);
    } else {
        require(status.text[0] != '\0' && count(results) == 0);
    }
    results_close(results);
    return 0;
}
