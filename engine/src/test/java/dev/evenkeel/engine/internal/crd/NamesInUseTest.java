package dev.evenkeel.engine.internal.crd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class NamesInUseTest {
    private static final JsonObject NONE = new JsonObject();

    private static JsonObject definition(String plural, String group) {
        JsonObject names = JsonObject.of("plural", plural, "singular", plural.substring(1), "kind", "K" + plural)
                .set("shortNames", List.of("wd"))
                .set("listKind", "L" + plural);
        return JsonObject.of(
                "metadata",
                JsonObject.of("name", plural + "." + group),
                "spec",
                JsonObject.of("group", group),
                "status",
                JsonObject.of("acceptedNames", names));
    }

    @Test
    void namesOfOthersInTheGroupAreTaken() {
        NamesInUse names = new NamesInUse();
        names.replace(NONE, definition("widgets", "a"));
        names.replace(NONE, definition("gears", "b"));

        for (String text : List.of("widgets", "idgets", "wd")) {
            assertThat(names.isTaken("a", false, text, "gears.a")).as(text).isTrue();
            assertThat(names.isTaken("a", false, text, "widgets.a")).as(text).isFalse();
            assertThat(names.isTaken("a", true, text, "gears.a")).as(text).isFalse();
        }
        assertThat(names.isTaken("b", false, "widgets", "others.b")).isFalse();
        assertThat(names.isTaken("a", true, "Kwidgets", "gears.a")).isTrue();
        assertThat(names.isTaken("a", true, "Lwidgets", "gears.a")).isTrue();
    }

    @Test
    void replacedNamesAreFree() {
        JsonObject first = definition("widgets", "a");
        NamesInUse names = new NamesInUse();
        names.replace(NONE, first);
        names.replace(first, definition("wheels", "a"));
        assertThat(names.isTaken("a", false, "wheels", "gears.a")).isTrue();
        assertThat(names.isTaken("a", false, "widgets", "gears.a")).isFalse();
    }
}
