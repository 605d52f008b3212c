package dev.evenkeel.engine.internal.json;

/**
 * A JSON object whose sender wrote it with spaces, in a field that upstream keeps as text.
 *
 * <p>Such texts are compared as they are: an object with spaces differs from the same object without them, which is what
 * remains of it once a patch has passed over it. The spaces themselves are not kept.
 */
public final class VerbatimObject extends JsonObject {
    public VerbatimObject(JsonObject members) {
        super(members);
    }

    @Override
    public JsonObject copy() {
        return new VerbatimObject(super.copy());
    }
}
