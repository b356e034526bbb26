/// One libFuzzer program for all targets: `fuzz --target=NAME [libFuzzer's options] [CORPUS...]`.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Target {
    const char *name;
    void (*run)(const uint8_t *data, size_t size);
} Target;

#define TARGET(name) {#name, fuzz_##name},
static const Target targets[] = {FUZZ_TARGETS(TARGET)};
#undef TARGET
static const size_t target_count = sizeof targets / sizeof targets[0];

static const Target *chosen;

/// libFuzzer itself passes over options of two dashes. `--targets` lists them.
int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    static const char option[] = "--target=";
    for (int k = 1; k < *count; k++) {
        const char *argument = (*arguments)[k];
        for (size_t i = 0; i < target_count; i++) {
            if (strcmp(argument, "--targets") == 0) {
                puts(targets[i].name);
            } else if (strncmp(argument, option, sizeof option - 1) == 0 &&
                       strcmp(argument + sizeof option - 1, targets[i].name) == 0) {
                chosen = &targets[i];
            }
        }
        if (strcmp(argument, "--targets") == 0) {
            exit(0);
        }
    }
    if (chosen == NULL) {
        fprintf(stderr, "fuzz: --target=NAME is missing or names none; fuzz --targets lists them\n");
        exit(2);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    chosen->run(data, size);
    return 0;
}
