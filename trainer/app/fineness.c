/// Between the two times lies more than a notch costs: what goes down does not come up at once.
#include "trainer/app/fineness.h"

static const double shares[] = {1.0, 0.85, 0.72, FINENESS_LEAST};

enum { LAST_NOTCH = sizeof shares / sizeof shares[0] - 1 };

double fineness_next(Fineness *fineness, double seconds)
{
    fineness->slow = seconds > FINENESS_SLOW ? fineness->slow + 1 : 0;
    fineness->quick = seconds < FINENESS_QUICK ? fineness->quick + 1 : 0;
    if (fineness->slow >= FINENESS_SLOW_PICTURES) {
        fineness->notch += fineness->notch < LAST_NOTCH;
        fineness->slow = 0;
    } else if (fineness->quick >= FINENESS_QUICK_PICTURES) {
        fineness->notch -= fineness->notch > 0;
        fineness->quick = 0;
    }
    return shares[fineness->notch];
}
