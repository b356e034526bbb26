/// Keeps what a check has found, each once; see findings.h.
#include "data/files/findings.h"

#include <stdio.h>
#include <string.h>

void findings_add(Findings *findings, bool warning, const char *text)
{
    for (int k = 0; k < findings->count; k++) {
        if (strcmp(findings->list[k].text, text) == 0) {
            return;
        }
    }
    findings->faults += !warning;
    if (findings->count == FINDINGS_MOST) {
        findings->beyond++;
        return;
    }
    Finding *finding = &findings->list[findings->count++];
    finding->warning = warning;
    snprintf(finding->text, sizeof finding->text, "%s", text);
}
