package dev.evenkeel.engine.internal.strategy;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ResourceType;

/** Converts custom resources between the versions of their type. */
@FunctionalInterface
public interface Conversion {
    /** The strategy None: another apiVersion. */
    Conversion NONE = (tree, type, version) -> tree.set("apiVersion", type.apiVersion(version));

    /**
     * Returns an object in another version; its fields are not those of the schema yet.
     *
     * @param tree the object, which may be changed
     * @throws dev.evenkeel.client.ApiException when the object cannot be converted
     */
    JsonObject convert(JsonObject tree, ResourceType type, ResourceType.Version version);
}
