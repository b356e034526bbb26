#!/bin/sh
# How much shorter the tick of 10,000 and of 100,000 stirred grains gets with 4, 8 and 16 threads, counted in instructions
# (tests/bench/README.md, "Scaling, counted"). Within 3 %: compilers differ by less, and a gain is to be written down here. The goals
# are 3.5, 6 and 9, and 14 for 100,000; what limits 10,000 on 16 threads is the row of four heavy blocks that wait for each other.
. "$(dirname "$0")/common.inc"
bench=${BUILD_DIR:-$root/build/release}/bin/bench
[ -x "$bench" ] || { echo "counted.sh: $bench is missing: build it first" && exit 1; }
[ -x "$bench-counted" ] || { echo "counted.sh: skipped: it takes gcc, x86-64 and objdump to build bench-counted" && exit 77; }
grep -q avx2 /proc/cpuinfo || { echo "counted.sh: skipped: the kernels that are counted need AVX2" && exit 77; }

# counts GRAINS SECONDS: with 1, 2, 4, 8 and 16 threads, against the table `expected`.
counts() {
    "$bench" run scale --threads-counted 16 --n "$1" --seconds "$2" >out 2>err || wrong "exit $?: $(cat err)"
    awk '
        NR == FNR { expected[$1] = $2; next }
        FNR > 1 { rows++; ratio = $6 / expected[$3]; if (ratio < 0.97 || ratio > 1.03) print $3 " threads: " $6 ", expected " expected[$3] }
        END { if (rows != 5) print "not five rows" }
    ' expected out >differs
    [ -s differs ] && wrong "$1 grains: $(cat differs): $(cat out)"
}
cat >expected <<'END'
1 1
2 1.95
4 3.74
8 6.59
16 8.76
END
counts 10000 0.1
cat >expected <<'END'
1 1
2 1.97
4 3.87
8 7.51
16 14.07
END
counts 100000 0.02

# The program that counts refuses what the bench would not hand to it, and a damaged list of blocks.
for arguments in '' '10000 16 0.1' '10000 0 0.1 table' '10000 257 0.1 table' '400001 2 0.1 table' '300 2 3601 json' '300 2 0.1 plain'; do
    # shellcheck disable=SC2086 # arguments, a word each
    "$bench-counted" $arguments >out 2>err
    code=$?
    [ $code -eq 2 ] || wrong "bench-counted $arguments: exit $code"
    [ "$(wc -l <err)" -eq 1 ] || wrong "bench-counted $arguments: not one line on stderr: $(cat err)"
done
cp "$bench-counted" counting
./counting 300 2 0.1 table >out 2>err
[ $? -eq 4 ] && grep -q 'counting.blocks' err || wrong "without a list of blocks: $(cat err)"
for line in '' 'text 2 1' 'text 1000 2000 
b 3000 4'; do
    echo "$line" >counting.blocks
    ./counting 300 2 0.1 table >out 2>err
    [ $? -eq 1 ] && grep -q 'counting.blocks' err || wrong "a damaged list of blocks ($line): $(cat err)"
done
[ $result -eq 0 ] && echo "counted.sh: the figures are those of the table"
exit $result
