/// Processors and memory, as Linux tells them. What it does not tell stays 0.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/core/regular_file.h"
#include "soil/parallel/team.h"
#include "trainer/cli/looks.h"

enum { LINE = 8192 }; ///< bytes: the flags of a processor stand in one line

/// Opens a file of the kernel; NULL where there is none.
static FILE *open_told(const char *path)
{
    Status unused;
    return regular_file_open(path, &unused);
}

/// The text behind "key   : " of a line, or NULL.
static char *value_of(char *line, const char *key)
{
    size_t length = strlen(key);
    char *colon = strncmp(line, key, length) == 0 ? strchr(line + length, ':') : NULL;
    if (colon == NULL) {
        return NULL;
    }
    colon[1 + strcspn(colon + 1, "\n")] = '\0';
    return colon + 1 + strspn(colon + 1, " \t");
}

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = strstr(words, word); at != NULL; at = strstr(at + 1, word)) {
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

static void read_processor(ComputerFacts *computer)
{
    FILE *file = open_told("/proc/cpuinfo");
    char *line = file != NULL ? malloc(LINE) : NULL;
    while (line != NULL && fgets(line, LINE, file) != NULL && line[0] != '\n') { // the first one alone
        const char *value = NULL;
        if ((value = value_of(line, "model name")) != NULL) {
            snprintf(computer->model, sizeof computer->model, "%.95s", value);
        } else if ((value = value_of(line, "cpu MHz")) != NULL) {
            computer->mhz = strtod(value, NULL);
        } else if ((value = value_of(line, "flags")) != NULL) {
            computer->avx2 = has_word(value, "avx2");
            computer->avx512 = has_word(value, "avx512f");
        }
    }
    free(line);
    if (file != NULL) {
        fclose(file);
    }
}

static void read_memory(ComputerFacts *computer)
{
    FILE *file = open_told("/proc/meminfo");
    char line[256];
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *value = NULL;
        if ((value = value_of(line, "MemTotal")) != NULL) {
            computer->memory = 1024.0 * strtod(value, NULL);
        } else if ((value = value_of(line, "MemAvailable")) != NULL) {
            computer->available = 1024.0 * strtod(value, NULL);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

/// The first line of a file of the control group (version 2), or "".
static void read_group(const char *path, char line[64])
{
    FILE *file = open_told(path);
    if (file == NULL || fgets(line, 64, file) == NULL) {
        line[0] = '\0';
    }
    if (file != NULL) {
        fclose(file);
    }
}

/// What a container allows: "max 100000" or "150000 100000" us of processors; "max" or bytes of memory.
static void read_limits(ComputerFacts *computer)
{
    char line[64], *end = NULL;
    read_group("/sys/fs/cgroup/cpu.max", line);
    double quota = strtod(line, &end), period = strtod(end, NULL);
    computer->quota = quota > 0.0 && period > 0.0 ? quota / period : 0.0;
    read_group("/sys/fs/cgroup/memory.max", line);
    double most = strtod(line, NULL);
    read_group("/sys/fs/cgroup/memory.current", line);
    double left = most - strtod(line, NULL);
    if (most > 0.0 && most < computer->memory) {
        computer->memory = most;
        computer->available = left < computer->available ? left : computer->available;
    }
}

void look_at_computer(DoctorFacts *facts, DoctorTell *tell)
{
    ComputerFacts *computer = &facts->computer;
    computer->processors = team_count_processors();
    computer->installed = (int)sysconf(_SC_NPROCESSORS_ONLN);
    doctor_tell(tell, facts);
    read_processor(computer);
    read_memory(computer);
    read_limits(computer);
}
