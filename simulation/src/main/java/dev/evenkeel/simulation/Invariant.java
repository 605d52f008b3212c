package dev.evenkeel.simulation;

import java.util.Optional;
import java.util.function.Function;

/**
 * Something that must hold after each step of a simulation.
 *
 * @param name what must hold
 * @param check describes how it is violated; empty while it holds. It must change nothing
 */
public record Invariant(String name, Function<SimulationView, Optional<String>> check) {}
