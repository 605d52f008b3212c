package dev.evenkeel.engine.internal.schema;

import org.jspecify.annotations.Nullable;

/** A path within a definition; becomes text only when it is reported. */
final class SchemaPath {
    private final @Nullable SchemaPath parent;
    private final String step;

    private SchemaPath(@Nullable SchemaPath parent, String step) {
        this.parent = parent;
        this.step = step;
    }

    static SchemaPath of(String path) {
        return new SchemaPath(null, path);
    }

    /** Returns the path of a field within. */
    SchemaPath child(String name) {
        return new SchemaPath(this, "." + name);
    }

    /** Returns the path of a value of a map within. */
    SchemaPath child(String name, String key) {
        return new SchemaPath(this, "." + name + "[" + key + "]");
    }

    /** Returns the path of an item of a list within. */
    SchemaPath child(String name, int index) {
        return new SchemaPath(this, "." + name + "[" + index + "]");
    }

    /** Returns the path of the property of that name. */
    SchemaPath property(String name) {
        return child("properties", name);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        append(text);
        return text.toString();
    }

    private void append(StringBuilder text) {
        if (parent != null) {
            parent.append(text);
        }
        text.append(step);
    }
}
