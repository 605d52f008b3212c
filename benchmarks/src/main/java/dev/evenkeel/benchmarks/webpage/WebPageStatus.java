package dev.evenkeel.benchmarks.webpage;

/**
 * The observed state of a {@link WebPage}.
 *
 * @param observedGeneration the generation for which all dependents were applied
 */
public record WebPageStatus(long observedGeneration) {}
