package dev.evenkeel.engine.internal.apply;

import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;

/**
 * An owner of fields; {@code metadata.managedFields} has one entry per owner.
 *
 * @param manager the name given by the client
 * @param applied true if the fields were applied, false if they were written by another verb
 * @param apiVersion the version written to; empty for appliers, which have one entry whatever the version
 * @param subresource the subresource written to; empty for the object itself
 */
record Owner(String manager, boolean applied, String apiVersion, String subresource) {
    static Owner applier(String manager, String subresource) {
        return new Owner(manager, true, "", subresource);
    }

    static Owner updater(String manager, String apiVersion, String subresource) {
        return new Owner(manager, false, apiVersion, subresource);
    }

    String operation() {
        return applied ? "Apply" : "Update";
    }

    /** Returns the text by which owners are ordered in messages. */
    String identifier() {
        return Json.text(JsonObject.of("manager", manager, "operation", operation())
                .setUnlessEmpty("apiVersion", apiVersion)
                .setUnlessEmpty("subresource", subresource));
    }

    /** Returns the owner as conflicts name it. */
    String shown() {
        return GoTypes.quoted(manager)
                + (subresource.isEmpty() ? "" : " with subresource " + GoTypes.quoted(subresource))
                + (applied ? "" : " using " + apiVersion);
    }
}
