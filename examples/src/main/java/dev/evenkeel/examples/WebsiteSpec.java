package dev.evenkeel.examples;

/**
 * What is wanted of a {@link Website}.
 *
 * @param html the page
 * @param replicas how many servers share the load
 * @param image the web server
 */
public record WebsiteSpec(String html, int replicas, String image) {}
