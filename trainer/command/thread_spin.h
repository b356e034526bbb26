/// How long OpenMP's threads spin while they wait for each other. A program calls this first in main.
#ifndef SPADEWORK_TRAINER_THREAD_SPIN_H
#define SPADEWORK_TRAINER_THREAD_SPIN_H

/// Threads that wait for each other spin for long by default: on two cores shared with others that was measured to stall
/// ticks for up to 0.9 s, and not to spin at all costs a third of the speed on idle ones. A short spin serves both. The OpenMP
/// runtime reads its settings before main, so the program starts itself again with it set. Nothing happens when
/// OMP_WAIT_POLICY or GOMP_SPINCOUNT is set already.
void thread_spin_briefly(char **argv);

#endif
