#!/usr/bin/env python3
"""An excavator for ROS 2 with the topics of OperaSim (github.com/pwri-opera/OperaSim-AGX), simulated by Spadework.

    python3 ros2_node.py --ros-args -p scene:=trench -p machine:=zx200 -p rate:=20.0

It needs rclpy, the message packages of a ROS 2 desktop, com3_msgs (github.com/pwri-opera/com3_ros) and the package
spadework. Tested with stand-ins of those (tests/python/standin_ros), not with ROS 2 itself.

subscribed          type                    meaning
/M/front_cmd        com3_msgs/JointCmd      bucket_joint, arm_joint, boom_joint, swing_joint by name: control_type 0 angle
                                            (rad), 1 speed (rad/s), 2 effort: position of the lever, -1 to 1
/M/track_cmd        com3_msgs/JointCmd      right_track, left_track: 1 speed of the sprocket (rad/s), 2 lever, -1 to 1
/M/cmd_vel          geometry_msgs/Twist     linear.x (m/s), angular.z (rad/s); the last of track_cmd and cmd_vel counts
/M/emg_stop_cmd     std_msgs/Bool           true: all levers neutral

published           type
/M/joint_state      sensor_msgs/JointState  bucket, arm, boom, swing, right and left track; rad, rad/s, N and N m
/M/odom_pose        nav_msgs/Odometry       pose of the base in the site's frame, speeds in its own
/M/upper_body_rot   sensor_msgs/Imu         attitude of the house
/M/main_fluid_pressure  com3_msgs/FluidPressureArray  16 ports in OperaSim's order, Pa; 0 for those without a model
/M/soil_volume      std_msgs/Float64        m3 in the bucket, of soil at `density`

Angles count as a robot's do: boom, arm and bucket upwards and outwards, the swing to the left. The node makes ticks by
the clock of the computer; the simulation itself knows no clock, and `stamp` is simulated time.
"""

import math

import rclpy
import spadework
from com3_msgs.msg import FluidPressureArray, JointCmd
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.node import Node
from sensor_msgs.msg import FluidPressure, Imu, JointState
from std_msgs.msg import Bool, Float64

POSITION, VELOCITY, EFFORT = 0, 1, 2  # JointCmd.control_type
STIFFNESS = 3.0  # 1/s: speed for each rad that is missing
CORRECTION = 0.5  # of a speed that is missing

# joint of OperaSim: name here, sign of the angle here, sign of the lever that makes the angle here larger, rad/s at most
FRONT = {
    "bucket_joint": ("bucket", 1, -1, 1.8),
    "arm_joint": ("stick", 1, -1, 1.0),
    "boom_joint": ("boom", 1, 1, 0.5),
    "swing_joint": ("swing", -1, 1, 1.2),
}
TRACKS = {"right_track": "right_track", "left_track": "left_track"}
FASTEST = 1.5  # m/s of a track at full lever
SPROCKET = 0.35  # m: its radius
GAUGE = 2.4  # m from track to track

# Ports in OperaSim's order: the joint, and whether the port pushes its cylinder out.
PORTS = [("boom_up", "boom", True), ("boom_down", "boom", False), ("arm_crowd", "stick", True),
         ("arm_dump", "stick", False), ("bucket_crowd", "bucket", True), ("bucket_dump", "bucket", False),
         ("swing_right", "swing", True), ("swing_left", "swing", False)]
PORTS = [(name + "_main_pressure", joint, pushes) for name, joint, pushes in PORTS]
PORTS += [(f"{side}_track_{way}_main_prs", None, True) for side in ("right", "left") for way in ("forward", "backward")]
PORTS += [(name + "_main_pressure", None, True) for name in ("attachment_a", "attachment_b", "assist_a", "assist_b")]


def clip(value, most=1.0):
    return min(most, max(-most, value)) if math.isfinite(value) else 0.0


def attitude(seen):
    """Quaternion x, y, z, w of the base: x ahead, y left, z up. Spadework's pitch lifts the nose, that of ROS the tail."""
    cy, sy, cp, sp, cr, sr = (f(angle / 2) for angle in (seen["yaw"], -seen["pitch"], seen["roll"])
                              for f in (math.cos, math.sin))
    return (cy * cp * sr - sy * sp * cr, cy * sp * cr + sy * cp * sr, sy * cp * cr - cy * sp * sr,
            cy * cp * cr + sy * sp * sr)


def turned(base, angle):
    """The attitude of what is turned by an angle to the left on the base."""
    (x, y, z, w), c, s = base, math.cos(angle / 2), math.sin(angle / 2)
    return (x * c + y * s, y * c - x * s, z * c + w * s, w * c - z * s)


def seen_from(base, vector):
    """A vector of the site in the frame of the base."""
    (x, y, z, w), (a, b, c) = base, vector
    return ((1 - 2 * (y * y + z * z)) * a + 2 * (x * y + z * w) * b + 2 * (x * z - y * w) * c,
            2 * (x * y - z * w) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z + x * w) * c,
            2 * (x * z + y * w) * a + 2 * (y * z - x * w) * b + (1 - 2 * (x * x + y * y)) * c)


class Excavator(Node):
    """One machine on one site, stepped by a timer."""

    def __init__(self):
        super().__init__("spadework")
        for name, value in (("scene", "free"), ("machine", "zx200"), ("rate", 20.0), ("density", 1540.0)):
            self.declare_parameter(name, value)
        self.site = spadework.Session(self.get_parameter("scene").value)
        self.ticks = max(1, round(1.0 / (self.site.dt * self.get_parameter("rate").value)))
        self.density = self.get_parameter("density").value  # kg/m3
        self.front, self.tracks, self.stopped = {}, {}, False  # commands by joint: (control_type, value)
        self.turned = {name: 0.0 for name in TRACKS}  # rad of the sprockets
        self.look()
        prefix = f"/{self.get_parameter('machine').value}/"
        self.create_subscription(JointCmd, prefix + "front_cmd", self.take_front, 10)
        self.create_subscription(JointCmd, prefix + "track_cmd", self.take_tracks, 10)
        self.create_subscription(Twist, prefix + "cmd_vel", self.take_twist, 10)
        self.create_subscription(Bool, prefix + "emg_stop_cmd", self.take_stop, 10)
        self.out = {name: self.create_publisher(kind, prefix + name, 10) for name, kind in (
            ("joint_state", JointState), ("odom_pose", Odometry), ("upper_body_rot", Imu),
            ("main_fluid_pressure", FluidPressureArray), ("soil_volume", Float64))}
        self.create_timer(self.ticks * self.site.dt, self.tick)

    # ---- commands

    def read(self, message, known):
        values = (message.position, message.velocity, message.effort)
        if message.control_type >= len(values):
            self.get_logger().warning(f"control_type {message.control_type}: allowed is 0, 1 or 2")
            return {}
        return {name: (message.control_type, value)
                for name, value in zip(message.joint_name, values[message.control_type]) if name in known}

    def take_front(self, message):
        self.front.update(self.read(message, FRONT))

    def take_tracks(self, message):
        self.tracks.update(self.read(message, TRACKS))

    def take_twist(self, message):
        turn = message.angular.z * GAUGE / 2
        for name, speed in (("right_track", message.linear.x + turn), ("left_track", message.linear.x - turn)):
            self.tracks[name] = (VELOCITY, speed / SPROCKET)

    def take_stop(self, message):
        self.stopped = message.data

    def lever(self, joint):
        """Of a joint, from its command and where it is."""
        name, sign, push, fastest = FRONT[joint]
        kind, value = self.front.get(joint, (EFFORT, 0.0))
        if kind == EFFORT:
            return push * sign * clip(value)
        angle, speed = sign * self.seen[name + "_angle"], sign * self.seen[name + "_speed"]
        wanted = clip(STIFFNESS * (value - angle), fastest) if kind == POSITION else value
        return push * sign * clip((wanted + CORRECTION * (wanted - speed)) / fastest)

    def levers(self):
        if self.stopped:
            return {}
        levers = {FRONT[joint][0]: self.lever(joint) for joint in FRONT}
        for name, (kind, value) in self.tracks.items():
            levers[TRACKS[name]] = clip(value) if kind == EFFORT else clip(value * SPROCKET / FASTEST)
        return levers

    # ---- the simulation, and what it publishes

    def look(self):
        self.seen = dict(zip(self.site.observation_names, self.site.observe().tolist()))

    def tick(self):
        self.site.step(self.levers(), ticks=self.ticks)
        self.look()
        for name in TRACKS:
            self.turned[name] += self.seen[name + "_speed"] / SPROCKET * self.ticks * self.site.dt
        self.publish_joints()
        self.publish_place()
        self.publish_pressures()
        self.out["soil_volume"].publish(Float64(data=self.seen["payload"] / self.density))

    def stamp(self, header, frame):
        header.frame_id = frame
        header.stamp.sec = int(self.seen["time"])
        header.stamp.nanosec = int(1e9 * (self.seen["time"] % 1.0))

    def publish_joints(self):
        message = JointState()
        self.stamp(message.header, "")
        message.name = list(FRONT) + list(TRACKS)
        rows = [(FRONT[joint][0], FRONT[joint][1]) for joint in FRONT]
        message.position = [sign * self.seen[name + "_angle"] for name, sign in rows] + list(self.turned.values())
        message.velocity = [sign * self.seen[name + "_speed"] for name, sign in rows]
        message.velocity += [self.seen[name + "_speed"] / SPROCKET for name in TRACKS]
        message.effort = [sign * self.force(name) for name, sign in rows] + [0.0] * len(TRACKS)
        self.out["joint_state"].publish(message)

    def force(self, name):
        return self.seen[name + ("_torque" if name == "swing" else "_force")]

    def publish_place(self):
        seen, odometry, imu = self.seen, Odometry(), Imu()
        self.stamp(odometry.header, "map")
        odometry.child_frame_id = "base_link"
        self.stamp(imu.header, "body_link")
        base, pose, twist = attitude(seen), odometry.pose.pose, odometry.twist.twist
        pose.orientation.x, pose.orientation.y, pose.orientation.z, pose.orientation.w = base
        house = turned(base, -seen["swing_angle"])
        imu.orientation.x, imu.orientation.y, imu.orientation.z, imu.orientation.w = house
        for target, name in ((twist.linear, "base_v"), (twist.angular, "base_w")):
            target.x, target.y, target.z = seen_from(base, [seen[name + axis] for axis in "xyz"])
        pose.position.x, pose.position.y, pose.position.z = seen["base_x"], seen["base_y"], seen["base_z"]
        self.out["odom_pose"].publish(odometry)
        self.out["upper_body_rot"].publish(imu)

    def publish_pressures(self):
        message = FluidPressureArray()
        for name, joint, pushes in PORTS:
            port = FluidPressure()
            self.stamp(port.header, name)
            if joint is not None and (self.force(joint) >= 0.0) == pushes:
                port.fluid_pressure = self.seen[joint + "_pressure"]
            message.array.append(port)
        self.out["main_fluid_pressure"].publish(message)


def main():
    rclpy.init()
    node = Excavator()
    try:
        rclpy.spin(node)
    except KeyboardInterrupt:
        pass
    node.site.close()
    node.destroy_node()
    rclpy.try_shutdown()


if __name__ == "__main__":
    main()
