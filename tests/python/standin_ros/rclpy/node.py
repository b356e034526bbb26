"""Nodes that keep what they are given."""


class Parameter:
    def __init__(self, value):
        self.value = value


class Publisher:
    def __init__(self, kind):
        self.kind, self.messages = kind, []

    def publish(self, message):
        if type(message) is not self.kind:  # as rclpy refuses it
            raise TypeError(f"expected {self.kind}, got {type(message)}")
        message.check()
        self.messages.append(message)


class Logger:
    def __init__(self):
        self.lines = []

    def warning(self, text):
        self.lines.append(text)


class Node:
    given = {}  # parameters that the command line would give

    def __init__(self, name):
        self.name, self.parameters, self.subscriptions_of, self.publishers_of, self.timers_of = name, {}, {}, {}, []
        self.logger = Logger()

    def declare_parameter(self, name, value):
        self.parameters[name] = Parameter(self.given.get(name, value))

    def get_parameter(self, name):
        return self.parameters[name]

    def create_subscription(self, kind, topic, callback, depth):
        self.subscriptions_of[topic] = (kind, callback)

    def create_publisher(self, kind, topic, depth):
        return self.publishers_of.setdefault(topic, Publisher(kind))

    def create_timer(self, period, callback):
        self.timers_of.append((period, callback))

    def get_logger(self):
        return self.logger

    def destroy_node(self):
        pass
