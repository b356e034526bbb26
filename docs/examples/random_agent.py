"""A random agent, as short as it gets."""

import spadework

env = spadework.Env("dig", seconds=10.0)
observation, info = env.reset(seed=1)
env.action_space.seed(1)
total, over = 0.0, False
while not over:
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    total, over = total + reward, terminated or truncated
print(f"{info['time']:.0f} s, reward {total:.2f}, {info['work']['cut_left']:.2f} m3 left to cut")
env.close()
