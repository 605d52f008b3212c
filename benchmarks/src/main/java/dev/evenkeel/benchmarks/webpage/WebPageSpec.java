package dev.evenkeel.benchmarks.webpage;

/**
 * The desired state of a {@link WebPage}.
 *
 * @param html the page
 * @param replicas the number of servers
 */
public record WebPageSpec(String html, int replicas) {}
