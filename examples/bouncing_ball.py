"""A ball bounces on the ground until it rests, through infinitely many impacts."""

import saltus as sl

m = sl.Model("bouncing_ball")
ball = m.lagrangian("ball", mass=1.0, q=[1.0], v=[0.0], force=[-9.81])
m.contact("ground", ball, gap="q[0]", law=sl.NewtonImpact(restitution=0.8))
run = sl.simulate(m, t_end=4.0, step=1e-3)

run.plot("ball.q[0]").figure.savefig("bouncing_ball.png", dpi=150)
print(run)
print("bouncing_ball.png shows the height of the ball")
