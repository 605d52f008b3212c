package dev.evenkeel.engine.internal.type;

import dev.evenkeel.engine.spi.Store;

/**
 * The target of a request: the parts of a URL, resolved.
 *
 * @param type the resource
 * @param version the version of the request
 * @param namespace namespace; empty for cluster-scoped resources, and for lists and watches across namespaces
 * @param name name of the object; empty where a request has none
 * @param subresource {@code status} or {@code scale}; empty for the object itself
 */
public record Target(
        ResourceType type, ResourceType.Version version, String namespace, String name, String subresource) {

    /** Returns a target without a subresource. */
    public static Target of(ResourceType type, ResourceType.Version version, String namespace, String name) {
        return new Target(type, version, namespace, name, "");
    }

    /** Returns the target of another object of the resource. */
    public Target withName(String namespace, String name) {
        return new Target(type, version, namespace, name, subresource);
    }

    /** Returns {@code group/version}, or {@code version} in the core group. */
    public String apiVersion() {
        return type.apiVersion(version);
    }

    public Store.Key key(String collection) {
        return new Store.Key(collection, namespace, name);
    }
}
