package dev.evenkeel.policy.internal.model;

import java.util.List;
import java.util.Map;

/** Something with addresses that selectors match: an endpoint, a network set, or a node. */
public sealed interface Holder permits Endpoint, Networks {
    /** Returns its own labels. */
    Map<String, String> labels();

    /** Returns the names of profiles it inherits labels from. */
    List<String> profiles();
}
