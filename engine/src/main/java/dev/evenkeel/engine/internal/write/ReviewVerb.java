package dev.evenkeel.engine.internal.write;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.admission.Decoder;
import dev.evenkeel.engine.internal.admission.Documents;
import dev.evenkeel.engine.internal.admission.Namespaces;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Ownership;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.strategy.Review;
import dev.evenkeel.engine.internal.type.Target;
import java.util.List;

/** Creates reviews: reads and checks them as other objects, and answers them instead of storing them. */
public record ReviewVerb(WriteContext cluster, Ownership ownership, Permissions permissions) {
    public Reply create(Review review, Target target, Body body, WriteOptions options) {
        Decoder.Decoded decoded = cluster.decoder().decode(body, target, options.validation());
        JsonObject tree = decoded.tree();
        Namespaces.fill(tree.withObject("metadata"), target);
        tree.remove("status");
        ownership.written(tree, null, target, options.fieldManager(), cluster.now());
        List<FieldError> errors = review.validate(tree);
        if (!errors.isEmpty()) {
            // upstream's message has the group without the kind
            throw Refusal.invalid(target.type().group(), "", "", errors);
        }
        JsonObject status = review.answer(tree, options.requester(), permissions, cluster.now());
        JsonObject answered = new JsonObject()
                .set("kind", tree.get("kind"))
                .set("apiVersion", tree.get("apiVersion"))
                .set("metadata", tree.get("metadata"));
        tree.forEach(answered::putIfAbsent);
        answered.put("status", status);
        return new Reply.Shown(201, Documents.of(answered), decoded.warnings());
    }
}
