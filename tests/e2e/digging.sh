#!/bin/sh
# test: long
# The scripted operator digs a trench for 40 s without a window: the telemetry must show real digging, constant mass and
# finite numbers, and the recording must replay to the same.
. "$(dirname "$0")/common.inc"

"$spadework" run trench --headless --operator auto --seconds 40 --telemetry t.csv --record r.spade --json >out 2>err ||
    wrong "run: exit $?: $(cat err)"
[ ! -s err ] || wrong "run says on stderr: $(cat err)"

# The columns that scripts are written against, in order.
head -n 1 t.csv >header
{
    printf 'tick,t,swing,boom,stick,bucket,tip_x,tip_y,tip_z,base_x,base_y,base_z,yaw,pitch,roll,'
    printf 'boom_pressure,stick_pressure,bucket_pressure,swing_pressure,pump_power,engine_speed,fuel,'
    printf 'tool_fx,tool_fy,tool_fz,tool_mx,tool_my,tool_mz,payload,'
    printf 'ground_mass,particle_mass,body_mass,left_mass,total_mass,particles,contacts,active_columns,crowding,hastened,'
    printf 'left_slip,right_slip,limit,limits,relief,'
    printf 'seat_ax,seat_ay,seat_az,seat_roll_rate,seat_pitch_rate,seat_yaw_rate,seat_vibration,score,events,held,'
    printf 'truck,truck_load,truck_front,truck_rear,truck_left,truck_right,'
    printf 'tool_load,solid_fx,solid_fy,solid_fz,sling_fx,sling_fy,sling_fz,blow_fx,blow_fy,blow_fz,engine,safety_lever,travel_range,power_mode,auto_idle,lights,wiper,oil_c,on_foot,foot_x,foot_y,coupler,tool,soil_ms,machine_ms,tick_ms\n'
} >wanted
cmp header wanted || wrong "the header is: $(cat header)"

awk -F , '
    function fail(text) { print "digging.sh: " text; failed = 1 }
    NR == 1 { for (k = 1; k <= NF; k++) column[$k] = k; columns = NF; next }
    NF != columns { fail("line " NR " has " NF " columns"); exit }
    $column["tick"] != NR - 1 { fail("line " NR " is of tick " $column["tick"]); exit }
    {
        for (k = 1; k <= NF; k++)
            if (k != column["limit"] && k != column["limits"] && k != column["relief"] &&
                $k !~ /^-?[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?$/) { fail("line " NR ": " $k); exit }
        if ($column["limit"] !~ /^(none|relief|stall|slip|tip)$/) { fail("line " NR ": limit " $column["limit"]); exit }
        limits = $column["limits"]
        if (limits !~ /^(none|((stall|relief|slip|tip)[+]?)+)$/) { fail("line " NR ": limits " limits); exit }
        if ($column["relief"] !~ /^[a-z_+]+$/) { fail("line " NR ": relief " $column["relief"]); exit }
        totals += NR == 2 || $column["total_mass"] != total; total = $column["total_mass"]
        sum = $column["ground_mass"] + $column["particle_mass"] + $column["body_mass"] + $column["left_mass"]
        if (sum - total > 0.001 || total - sum > 0.001) { fail("line " NR ": the masses do not add up"); exit }
        payload = $column["payload"]
        if (payload > most) most = payload
        if (payload > 300) full = 1
        if (full && payload < 100) { full = 0; cycles++ }
        if ($column["particles"] > particles) particles = $column["particles"]
        x = $column["tool_fx"]; y = $column["tool_fy"]; z = $column["tool_fz"]
        force = sqrt(x * x + y * y + z * z)
        if (force > strongest) strongest = force
        if ($column["events"] < events) fail("line " NR ": events went back")
        events = $column["events"]; fuel = $column["fuel"]; if (NR == 2) fuel_first = fuel
        if ($column["tip_z"] < deepest) deepest = $column["tip_z"]
    }
    END {
        if (NR != 2401) fail(NR - 1 " rows of 2400")
        if (cycles < 2) fail("only " cycles + 0 " full buckets were emptied")
        if (most < 800) fail("most payload was " most " kg")
        if (particles <= 1000) fail("most particles were " particles)
        if (totals != 1) fail("total_mass has " totals " values")
        if (strongest < 10000) fail("the largest tool force was " strongest " N")
        if (strongest > 1e6) fail("a tool force of " strongest " N is more than the machine can bear")
        if (events < 2) fail("only " events + 0 " events")
        if (fuel >= fuel_first) fail("no fuel was burnt")
        if (deepest > -0.2) fail("the tip was never below " deepest " m")
        exit failed
    }' t.csv || result=1

"$spadework" replay r.spade --verify --threads 2 >out 2>err || wrong "replay --verify: exit $?: $(cat err)"
grep -q 'verified 2400 ticks' out || wrong "replay --verify prints: $(cat out)"

# Taken over in mid-dig by the scripted operator, it goes on from that tick and its recording is whole.
"$spadework" resume r.spade --at 20 --headless --operator auto --seconds 5 --record n.spade --telemetry n.csv >out 2>err ||
    wrong "resume: exit $?: $(cat err)"
[ "$(sed -n 2p n.csv | cut -d , -f 1)" = 1201 ] || wrong "resume at 20 s goes on at tick $(sed -n 2p n.csv | cut -d , -f 1)"
[ "$(cut -d , -f 33 t.csv n.csv | grep -v total | sort -u | wc -l)" -eq 1 ] || wrong "taking over changed the mass"
"$spadework" replay n.spade --verify --threads 1 >out 2>err || wrong "the new recording: exit $?: $(cat err)"
[ $result -eq 0 ] && echo "digging.sh: the scripted operator digs, nothing is lost, and it replays"
exit $result
