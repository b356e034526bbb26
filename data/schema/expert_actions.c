/// Names of an expert's actions, and which machines do them.
#include "data/schema/expert_params.h"

const char *const expert_action_names[EXPERT_ACTION_COUNT] = {
#define X(upper, lower, machine) #lower,
    EXPERT_ACTIONS(X)
#undef X
};

bool expert_action_is_for(ExpertActionKind kind, MachineType type)
{
    enum { OF_E = 1, OF_D = 2, OF_A = OF_E | OF_D };
    static const int machines[EXPERT_ACTION_COUNT] = {
#define X(upper, lower, machine) OF_##machine,
        EXPERT_ACTIONS(X)
#undef X
    };
    int own = type == MACHINE_EXCAVATOR ? OF_E : type == MACHINE_DOZER ? OF_D : 0;
    return (machines[kind] & own) != 0;
}
