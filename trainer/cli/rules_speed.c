/// Whether the simulation keeps the clock's time, and what it has to work with.
#include "trainer/cli/findings_internal.h"

/// The dozer's and the trucks' scenes take up to 1.5 times as long a tick as the trench that is measured.
#define ENOUGH      1.5 ///< times real time
#define LITTLE_ROOM 0.5e9 ///< bytes of memory: a session takes 25 MB, a window that draws in software 300. Chosen

static void judge_real_time(const SessionFacts *session, DoctorReport *report)
{
    if (!session->made || session->wall <= 0.0) {
        DoctorFinding *finding = finding_add(report, "real_time", "real time", DOCTOR_MISSING, "not known: %s",
                                             session->fault[0] != '\0' ? session->fault : "no session could be driven");
        finding_advise(finding, "spadework check tells what is wrong with a scene; install the program anew where "
                                "its own files are damaged");
        return;
    }
    double factor = session->simulated / session->wall;
    const char *word = factor >= ENOUGH ? "yes" : factor >= 1.0 ? "barely" : "no";
    DoctorFinding *finding =
        finding_add(report, "real_time", "real time", factor >= ENOUGH ? DOCTOR_GOOD : DOCTOR_SLOW,
                    "%s, %.1f times: scene %s, second %.1f to %.1f, in %.1f s with %d thread%s; the longest tick took "
                    "%.0f ms of %.0f",
                    word, factor, session->scene, session->from, session->from + session->simulated, session->wall,
                    session->threads, session->threads == 1 ? "" : "s", 1e3 * session->longest, 1e3 * session->tick);
    finding_number(finding, "factor", factor);
    finding_text(finding, "scene", session->scene);
    finding_number(finding, "simulated_s", session->simulated);
    finding_number(finding, "wall_s", session->wall);
    finding_number(finding, "longest_tick_ms", 1e3 * session->longest);
    finding_number(finding, "tick_ms", 1e3 * session->tick);
    finding_number(finding, "start_s", session->built);
    finding_count(finding, "threads", session->threads);
    if (factor < ENOUGH) {
        finding_advise(finding, "%s; end other programs, give the program two processors or more%s",
                       factor < 1.0 ? "the simulation runs slower than the clock, and is otherwise the same"
                                    : "full scenes may run slower than the clock",
                       ", and draw less (--quality low) where pictures are drawn in software");
    }
}

static void judge_processors(const ComputerFacts *computer, DoctorReport *report)
{
    if (computer->processors <= 0) {
        return; // the look did not answer, which is told
    }
    double share = computer->quota > 0.0 && computer->quota < computer->processors ? computer->quota
                                                                                   : (double)computer->processors;
    char speed[32] = "";
    if (computer->mhz > 0.0) {
        snprintf(speed, sizeof speed, ", %.1f GHz", 1e-3 * computer->mhz);
    }
    DoctorFinding *finding =
        finding_add(report, "processors", "processors", share >= 2.0 ? DOCTOR_GOOD : DOCTOR_SLOW, "%g of %d%s%s%s%s",
                    share, computer->installed, computer->model[0] != '\0' ? ": " : "", computer->model, speed,
                    computer->avx512 ? ", AVX-512"
                    : computer->avx2 ? ", AVX2"
                                     : "");
    finding_number(finding, "usable", share);
    finding_count(finding, "installed", computer->installed);
    finding_text(finding, "model", computer->model);
    finding_number(finding, "mhz", computer->mhz);
    finding_flag(finding, "avx2", computer->avx2);
    finding_flag(finding, "avx512", computer->avx512);
    if (share < 2.0) {
        finding_advise(finding, computer->installed >= 2 || computer->quota > 0.0
                                    ? "the program may use fewer processors than there are: see taskset, cpuset and "
                                      "the limits of the container"
                                    : "real time wants two processors: give a virtual machine a second one");
    }
}

static void judge_memory(const ComputerFacts *computer, DoctorReport *report)
{
    if (computer->memory <= 0.0) {
        return;
    }
    bool little = computer->available < LITTLE_ROOM;
    DoctorFinding *finding =
        finding_add(report, "memory", "memory", little ? DOCTOR_SLOW : DOCTOR_GOOD, "%.1f GB, %.1f GB available",
                    1e-9 * computer->memory, 1e-9 * computer->available);
    finding_number(finding, "bytes", computer->memory);
    finding_number(finding, "available_bytes", computer->available);
    if (little) {
        finding_advise(finding, "end other programs: a session with its window wants up to 0.5 GB");
    }
}

void rules_speed(const DoctorFacts *facts, DoctorReport *report)
{
    judge_real_time(&facts->session, report);
    judge_processors(&facts->computer, report);
    judge_memory(&facts->computer, report);
}
