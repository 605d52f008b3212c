package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;

/** Values as errors show the structs of upstream, whose fields have other names than in JSON and are never left out. */
final class StructText {
    private StructText() {}

    /**
     * Returns the text of an object with fields of other names.
     *
     * @param names pairs of a shown name and the name in JSON
     */
    static String of(Field object, String... names) {
        JsonObject shown = new JsonObject();
        for (int i = 0; i < names.length; i += 2) {
            shown.put(names[i], object.at(names[i + 1]).value());
        }
        return Json.text(shown);
    }

    /** Returns an object like {@link #of}, with texts that are empty rather than left out, and numbers that are null. */
    static String ofTexts(Field object, String... names) {
        JsonObject shown = new JsonObject();
        for (int i = 0; i < names.length; i += 2) {
            Object value = object.at(names[i + 1]).value();
            shown.put(names[i], value == null && !names[i].endsWith("Seconds") ? "" : value);
        }
        return Json.text(shown);
    }
}
