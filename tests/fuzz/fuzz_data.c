/// libFuzzer: any text as a file of any kind (start the corpus from the shipped files).
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "data/load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Status status = {STATUS_GOOD, ""};
    if (!data_check_text("fuzz", (const char *)data, size, &status) && status.text[0] == '\0') {
        abort(); // every refusal says why
    }
    return 0;
}
