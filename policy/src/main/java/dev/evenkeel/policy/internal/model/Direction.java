package dev.evenkeel.policy.internal.model;

/** The direction of a connection, as seen from an endpoint. */
public enum Direction {
    /** To the endpoint. */
    INGRESS,
    /** From the endpoint. */
    EGRESS
}
