package dev.evenkeel.engine.internal.builtin;

import java.util.List;

/**
 * A resource of one built-in group version, as described by the fact table.
 *
 * @param group API group; empty for the core group
 * @param version such as {@code v1}
 * @param plural name in URLs
 * @param kind such as {@code Deployment}
 * @param listKind such as {@code DeploymentList}; empty when it cannot be listed
 * @param singular such as {@code deployment}
 * @param shortNames such as {@code deploy}
 * @param categories such as {@code all}
 * @param namespaced whether objects live in namespaces
 * @param served whether a default server serves it
 * @param verbs as in discovery, sorted
 * @param subresources by name
 * @param storageVersionHash as in discovery; empty when not stored
 * @param definition OpenAPI definition name of the kind
 * @param hasStatus whether objects have a {@code status}
 * @param generation whether {@code metadata.generation} is kept
 * @param createOnUpdate whether PUT to a free name creates
 * @param unconditionalUpdate whether PUT without resourceVersion is accepted
 * @param deleteReturnsObject whether a finished delete answers with the object
 * @param pendingAfterDelete whether objects remain after a delete with default options, until finalizers or grace end
 *     it
 * @param resetFields dotted paths that a write to the object ignores
 * @param statusResetFields dotted paths that a write to {@code /status} ignores
 * @param fieldSelectors labels that field selectors accept
 */
public record BuiltinResource(
        String group,
        String version,
        String plural,
        String kind,
        String listKind,
        String singular,
        List<String> shortNames,
        List<String> categories,
        boolean namespaced,
        boolean served,
        List<String> verbs,
        List<Subresource> subresources,
        String storageVersionHash,
        String definition,
        boolean hasStatus,
        boolean generation,
        boolean createOnUpdate,
        boolean unconditionalUpdate,
        boolean deleteReturnsObject,
        boolean pendingAfterDelete,
        List<String> resetFields,
        List<String> statusResetFields,
        List<String> fieldSelectors) {

    /** Returns {@code plural.group}, or {@code plural} in the core group. */
    public String id() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    /** Returns true if it has a subresource of that name. */
    public boolean has(String subresource) {
        for (Subresource each : subresources) {
            if (each.name().equals(subresource)) {
                return true;
            }
        }
        return false;
    }
}
