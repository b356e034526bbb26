# The instructions of each basic block of a program compiled with -fsanitize-coverage=trace-pc, from `objdump -d --no-show-raw-insn`:
#   text FIRST END      addresses
#   b ADDRESS SIZE      where the block's call of the counting function returns, and its instructions from there to the next such call,
#                       or to where it leaves for good
#   f ADDRESS NAME      a function
# Numbers are hexadecimal. The library's fmin and fmax count with the block that calls them.
function finish() {
    if (block != "" && size > 0) lines[++count] = sprintf("b %s %x", block, size)
    block = ""
}
/^[0-9a-f]+ <.*>:$/ {
    finish()
    name = $2
    gsub(/[<>:]/, "", name)
    lines[++count] = sprintf("f %s %s", $1, substr(name, 1, 60))
    next
}
!/^ +[0-9a-f]+:\t/ { next }
{
    address = $1
    sub(/:.*/, "", address)
    if (first == "") first = address
    end = address
    if (expected) {
        finish()
        block = address
        size = expected = 0
    }
    if (/call.*<__sanitizer_cov_trace_pc/) {
        expected = 1
        next
    }
    if (block == "") next
    size += /call.*<f(max|min)[@>]/ ? 6 : 1
    if ($2 ~ /^(jmp|ret)/) finish()
}
END {
    finish()
    print "text", first, end
    for (k = 1; k <= count; k++) print lines[k]
}
