/// A careful hand on a dozer's blade, whose levers come 0.3 s after what the eye sees, keeps a lane within 5 cm. A hand
/// that does not reckon with its lateness is off by 9 cm.
// test: long

#include "tests/support/expert_run.h"

#define WITHIN 0.05 ///< m
#define DEPTH  0.10 ///< m of the cut
#define LENGTH 12.0 ///< m
#define ENTRY  2.0 ///< m in which the edge goes down
#define MARGIN 0.4 ///< m inside of the blade's ends

enum { LATE = 18 }; ///< ticks of 1/60 s: a reaction of 0.3 s

/// Levers that the hand has not come to.
typedef struct Hand {
    OperatorControls asked[LATE];
    int ticks;
} Hand;

static void tick_late(Run *run, Hand *hand)
{
    const OperatorAim aim = {.late = LATE / 60.0};
    OperatorControls *place = &hand->asked[hand->ticks++ % LATE], now = *place;
    expert_controls(run->expert, run->session, &aim, place);
    session_tick(run->session, &now);
}

/// m: by which the ground of the lane, mean over its width, is off its plane at most, and root mean square.
static double worst_of_lane(Run *run, double from, double half_width, double *rms)
{
    Soil *soil = session_soil(run->session);
    double worst = 0.0, sum = 0.0;
    int count = 0;
    for (double x = from + ENTRY; x < from + LENGTH; x += 0.1, count++) {
        double off = DEPTH;
        int lines = 0;
        for (double y = -half_width; y <= half_width; y += 0.1, lines++) {
            off += (soil_get_height(soil, x, y) + DEPTH - off) / (lines + 1);
        }
        worst = fabs(off) > fabs(worst) ? off : worst;
        sum += off * off;
    }
    *rms = sqrt(sum / count);
    return worst;
}

TEST(a_lane_is_kept_within_five_centimetres)
{
    static const char *const soils[] = {"ground.layers.0.soil=loam", "ground.layers.0.soil=clay"};
    for (size_t k = 0; k < sizeof soils / sizeof soils[0]; k++) {
        Run run = run_begin("dozing", soils[k], MACHINE_DOZER);
        const MachineReadout *machine = run_readout(&run);
        double from = machine->tip.x + 2.0, edge = session_machine_params(run.session)->tool[0].shape.edge_width;
        ExpertLevel level = {.field = {.x = from, .y = machine->base.y, .length = LENGTH, .width = edge},
                             .z = -DEPTH,
                             .end_z = -DEPTH,
                             .layer = DEPTH,
                             .beyond = 2.0,
                             .tolerance = 0.5 * WITHIN,
                             .speed = 0.15,
                             .passes = 2,
                             .limit = 240.0};
        run_start(&run, (ExpertAction){.kind = EXPERT_LEVEL, .with.level = level});
        Hand hand = {.ticks = 0};
        for (int tick = 0; tick < LATE; tick++) {
            hand.asked[tick] = control_neutral;
        }
        while (!expert_is_done(run.expert)) {
            tick_late(&run, &hand);
        }
        double rms, worst = worst_of_lane(&run, from, 0.5 * edge - MARGIN, &rms);
        print_message("%s: %.1f s, off by %+.3f m at most, %.3f RMS\n", soils[k], session_frame(run.session)->time,
                      worst, rms);
        assert_int_equal(expert_late(run.expert), 0);
        assert_true(fabs(worst) < WITHIN);
        run_end(&run);
    }
}

TEST_GROUP(NULL, NULL)
