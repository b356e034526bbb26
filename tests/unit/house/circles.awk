# What layers.awk and calls.awk share: reports of faults, concepts, and the search for circles.

function refuse(where, why) { printf "%s: %s\n", where, why; faults++ }

# A header foo_internal.h is part of the concept foo.
function concept_of(path) { sub(/(_internal)?\.[a-z]+$/, "", path); return path }

# Tarjan 1972: the sets of nodes that reach each other, for `next_of[node]` = " a b c"; `circle_of[node]` numbers its set.
function visit(node, kind,    names, count, k, other, members, size) {
    order[node] = low[node] = ++visited
    stack[++depth] = node
    on_stack[node] = 1
    count = split(next_of[node], names, " ")
    for (k = 1; k <= count; k++) {
        other = names[k]
        if (!(other in next_of)) continue
        if (!(other in order)) {
            visit(other, kind)
            if (low[other] < low[node]) low[node] = low[other]
        } else if ((other in on_stack) && order[other] < low[node]) low[node] = order[other]
    }
    if (low[node] != order[node]) return
    members = ""
    size = 0
    do {
        other = stack[depth--]
        delete on_stack[other]
        circle_of[other] = order[node]
        members = members " " other
        size++
    } while (other != node)
    if (size > 1) refuse("circle of " size " " kind, substr(members, 2))
}

function find_circles(kind,    node) {
    split("", order); split("", low); split("", on_stack)
    visited = depth = 0
    for (node in next_of) if (!(node in order)) visit(node, kind)
}
