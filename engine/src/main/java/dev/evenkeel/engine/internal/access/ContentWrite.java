package dev.evenkeel.engine.internal.access;

import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import org.jspecify.annotations.Nullable;

/**
 * A write whose content is authorized: the object that the sender wants, and the one that it overwrites.
 *
 * @param target the object; its name is empty when the request does not name it
 * @param tree the object after the write; must not be changed
 * @param old the object before the write; null when there is none
 * @param user the sender
 * @param permissions of the partition
 */
public record ContentWrite(
        Target target, JsonObject tree, @Nullable JsonObject old, User user, Permissions permissions) {
    /** Returns the attributes of a request of the sender about the object. */
    public Attributes attributes(String verb) {
        return Attributes.ofResource(
                user,
                verb,
                target.type().group(),
                target.version().name(),
                target.type().plural(),
                target.subresource(),
                target.namespace(),
                target.name());
    }

    /** Returns true if the sender may use a verb on the object. */
    public boolean allows(String verb) {
        return permissions.authorize(attributes(verb)).allowed();
    }

    /** Returns true if the write changes nothing but owner references and finalizers, as a garbage collector does. */
    public boolean changesOwnershipOnly() {
        return old != null && content(tree).equals(content(old));
    }

    private static JsonObject content(JsonObject tree) {
        JsonObject content = new JsonObject(tree);
        JsonObject metadata = new JsonObject(tree.object("metadata"));
        metadata.remove("ownerReferences");
        metadata.remove("finalizers");
        metadata.remove("managedFields");
        return content.set("metadata", metadata);
    }
}
