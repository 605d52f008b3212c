package dev.evenkeel.engine;

/** Decides who may do what in the partitions of an engine. */
public enum Authorization {
    /** Every user may do everything. */
    ALLOW_ALL,
    /**
     * Users may do what roles and their bindings allow, and nothing else. Each partition begins with the default roles of
     * Kubernetes, and each namespace has a service account {@code default}.
     */
    RBAC
}
