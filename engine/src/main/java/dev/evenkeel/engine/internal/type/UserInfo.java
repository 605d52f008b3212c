package dev.evenkeel.engine.internal.type;

import java.util.List;

/**
 * An authenticated user.
 *
 * @param username such as {@code admin}
 * @param uid unique over time; empty when not known
 * @param groups such as {@code system:masters}
 */
public record UserInfo(String username, String uid, List<String> groups) {
    /** Copies the groups. */
    public UserInfo {
        groups = List.copyOf(groups);
    }
}
