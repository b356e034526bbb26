# Checks every #include of the named sources against layers.txt: awk -f circles.awk -f layers.awk layers.txt FILE...
# Prints one line a fault: an include without an arrow, a file in no room, an include past a library's door, a circle of rooms,
# a circle of files.
# A circle of files is one of concepts: foo.c and foo.h count as one.

# The room of a path: the longest of its name, its name without the suffix and its folders that layers.txt knows.
function room_of(path,    name) {
    if (path in room_cache) return room_cache[path]
    name = path
    if (!(name in room)) sub(/\.[a-z]+$/, "", name)
    while (!(name in room) && name ~ /\//) sub(/\/[^\/]*$/, "", name)
    return room_cache[path] = (name in room) ? name : ""
}

# The package of layers.txt that a header in angle brackets belongs to; "" when no rule names it.
function package_of(header,    p) {
    for (p in package) if (index(header, p) == 1) return package[p]
    return ""
}

# True where a file may include any header of the library `name`: its own files and what looks into it on purpose.
function is_inside(path, name) { return index(path, name "/") == 1 || path ~ inside }

# True for a header of plain values, which a library lets include beside its door.
function is_value(header, name) { return (name in values) && header ~ ("^" name "/(" values[name] ")\\.h$") }

# layers.txt: `room => door and names of other public headers`, `inside = paths`, `<package> = header prefixes`, `room -> rooms and packages it may know`, # comments.
FILENAME == ARGV[1] {
    sub(/#.*/, "")
    if (NF == 0) next
    if ($2 == "=>") { door[$1] = $3; for (k = 4; k <= NF; k++) values[$1] = values[$1] (k > 4 ? "|" : "") $k }
    else if ($1 == "inside") { for (k = 3; k <= NF; k++) inside = inside (k > 3 ? "|" : "") "^" $k "/" }
    else if ($2 == "=") { for (k = 3; k <= NF; k++) package[$k] = $1; known[$1] = 1 }
    else if ($2 == "->") { room[$1] = 1; for (k = 3; k <= NF; k++) if (!(($1, $k) in may)) { may[$1, $k] = 1; targets[$1] = targets[$1] " " $k } }
    else refuse(FILENAME ":" FNR, "neither `room -> rooms` nor `<package> = headers`")
    next
}

FNR == 1 {
    from = room_of(FILENAME)
    if (from == "") refuse(FILENAME, "belongs to no room of layers.txt")
    concept = concept_of(FILENAME)
    concepts[concept] = concepts[concept]
}

from != "" && /^[ \t]*#[ \t]*include[ \t]*["<]/ {
    header = $0
    own = header ~ /^[^<]*"/
    sub(/^[^"<]*["<]/, "", header)
    sub(/[">].*$/, "", header)
    where = FILENAME ":" FNR ": " header
    if (header ~ /(^|\/)\.\.?\//) { refuse(where, "name headers from the top of the tree"); next }
    to = room_of(header)
    if (to == "" && own) { refuse(where, "belongs to no room of layers.txt"); next }
    if (to == "") to = package_of(header)
    else if (concept_of(header) != concept) concepts[concept] = concepts[concept] " " concept_of(header)
    if (own && (to in door) && header != door[to] && !is_value(header, to) && !is_inside(FILENAME, to)) refuse(where, to " has one door, " door[to])
    if (to != "" && to != from && !((from, to) in may) && !((from, "*") in may)) refuse(where, from " may not know " to)
}

END {
    for (from in targets) {
        count = split(targets[from], names, " ")
        for (k = 1; k <= count; k++)
            if (names[k] != "*" && !(names[k] in room) && !(names[k] in known)) refuse("layers.txt", from " -> " names[k] ": no such room")
        next_of[from] = targets[from]
    }
    find_circles("rooms")
    split("", next_of)
    for (concept in concepts) next_of[concept] = concepts[concept]
    find_circles("files")
    exit faults > 0
}
