package dev.evenkeel.policy.internal.model;

/** The effect of a rule that matches. */
public enum Action {
    /** Allows the connection in this direction. */
    ALLOW,
    /** Denies the connection. */
    DENY,
    /** Continues with the next tier. */
    PASS,
    /** Records the connection and continues with the next rule. */
    LOG
}
