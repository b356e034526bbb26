/// A program of somebody else's, which knows the installed header alone (interface.sh).
#include <inttypes.h>
#include <spadework.h>
#include <stdio.h>
#include <stdlib.h>

static int wrong(Spadework session, const char *what, int result)
{
    char text[SPADEWORK_TEXT] = "";
    spadework_error(session, text, sizeof text);
    fprintf(stderr, "%s: %d: %s\n", what, result, text);
    return 1;
}

int main(int count, char **arguments)
{
    SpadeworkParams params = SPADEWORK_PARAMS;
    char error[SPADEWORK_TEXT];
    double levers[6] = {0.0, 0.0, -0.6, 0.0, 0.0, 0.0};
    Spadework session, planned;
    uint64_t hash = 0, again = 0;
    size_t size = 0;
    int result;
    if (count != 2 || spadework_abi() >> 16 != SPADEWORK_ABI_MAJOR) {
        return 2;
    }
    params.scene = "trench";
    if (spadework_create(&params, &session, error) != SPADEWORK_GOOD ||
        spadework_create(&params, &planned, error) != SPADEWORK_GOOD) {
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    result = spadework_record(session, arguments[1], "program");
    if (result != SPADEWORK_GOOD) {
        return wrong(session, "record", result);
    }
    for (int step = 0; step < 20; step++) {
        levers[1] = step > 8 ? 0.7 : 0.0;
        if ((result = spadework_step(session, levers, 6, 4)) != SPADEWORK_GOOD) {
            return wrong(session, "step", result);
        }
    }
    if ((result = spadework_save(session, NULL, 0, &size)) != SPADEWORK_GOOD) {
        return wrong(session, "save", result);
    }
    void *state = malloc(size);
    if (state == NULL || (result = spadework_save(session, state, size, NULL)) != SPADEWORK_GOOD) {
        return wrong(session, "save", result);
    }
    if (spadework_restore(session, state, size) != SPADEWORK_NOT_NOW) {
        return wrong(session, "restore while recording", 0);
    }
    if ((result = spadework_restore(planned, state, size)) != SPADEWORK_GOOD) {
        return wrong(planned, "restore", result);
    }
    free(state);
    spadework_step(planned, levers, 6, 10);
    spadework_step(session, levers, 6, 10);
    spadework_hash(session, &hash);
    spadework_hash(planned, &again);
    if ((result = spadework_record_end(session)) != SPADEWORK_GOOD) {
        return wrong(session, "record_end", result);
    }
    if (hash != again || spadework_close(session) != SPADEWORK_GOOD || spadework_close(planned) != SPADEWORK_GOOD) {
        return wrong(session, "end", 0);
    }
    printf("hash %016" PRIx64 "\n", hash);
    return 0;
}
