package dev.evenkeel.examples;

/**
 * The desired state of a {@link Website}.
 *
 * @param html the page
 * @param replicas the number of servers
 * @param image the web server
 */
public record WebsiteSpec(String html, int replicas, String image) {}
