package dev.evenkeel.policy.internal.model;

/**
 * The condition that an address belongs to a Service.
 *
 * @param service the Service
 * @param withPorts true if the protocol and the port must be those of the Service, too
 */
public record ServiceMatch(ServiceName service, boolean withPorts) {}
