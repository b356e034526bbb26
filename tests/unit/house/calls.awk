# Looks for concepts that call each other in a circle: nm -A -P -g OBJECT... | awk -f circles.awk -f calls.awk
# An object is named as CMake does: .../CMakeFiles/LIBRARY.dir/FOLDER/FILE.c.o. foo.c and what foo_internal.h declares are told apart
# by the file that defines them, so that a circle behind an internal header is seen, too. A shared variable counts as a call.
# Prints one line a circle: its files, and for each a symbol that leads on inside the circle.

{
    object = $1
    if (!sub(/^.*CMakeFiles\/[^\/]*\.dir\//, "", object)) next
    sub(/\.c\.o:.*$/, "", object)
    if ($3 ~ /^[TDBRVGC]$/) owner[$2] = object
    else if ($3 == "U") { uses[++count] = $2; user[count] = object }
    next_of[object] = next_of[object]
}

END {
    for (k = 1; k <= count; k++) {
        to = owner[uses[k]]
        from = user[k]
        if (to == "" || to == from || ((from, to) in through)) continue
        through[from, to] = uses[k]
        next_of[from] = next_of[from] " " to
    }
    find_circles("files that call each other")
    for (pair in through) {
        split(pair, ends, SUBSEP)
        if (circle_of[ends[1]] && circle_of[ends[1]] == circle_of[ends[2]])
            printf "    %s -> %s: %s\n", ends[1], ends[2], through[pair] | "sort"
    }
    close("sort")
    exit faults > 0
}
