/**
 * Controllers under faults, on one thread, in virtual time, decided by a seed.
 *
 * <p>{@link dev.evenkeel.simulation.VirtualScheduler} runs one component in virtual time. A
 * {@link dev.evenkeel.simulation.Simulation} runs whole processes and injects faults at random, for
 * {@link dev.evenkeel.simulation.SimulationScenario scenarios} of many seeds. The convergence checker of the test kit places the faults
 * of {@link dev.evenkeel.simulation.fault.FaultKind the same vocabulary} at each write in turn; its schedules, and the
 * connection that injects the faults of both, are internal to this module.
 *
 * <p>The module knows {@code client} only. Therefore the contract of schedulers is in {@code client}: the machinery of
 * controllers, which is tested here, implements it in real time, and this module in virtual time; neither depends on the
 * other.
 */
@NullMarked
package dev.evenkeel.simulation;

import org.jspecify.annotations.NullMarked;
