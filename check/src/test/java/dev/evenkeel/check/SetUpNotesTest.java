package dev.evenkeel.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.check.internal.script.CheckScript;
import dev.evenkeel.check.internal.script.ScriptObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SetUpNotesTest {
    private static final CheckScript NONE = CheckScript.deletionOf(List.of());
    private static final String RULE = "always: [{resource: configmaps, rule: 'true'}]";

    private static final Map<String, Object> NEWS = object("Board", "news");
    private static final Map<String, Object> MENU = object("Board", "menu");

    private static Map<String, Object> object(String kind, String name) {
        return Map.of("apiVersion", "example.com/v1", "kind", kind, "metadata", Map.of("name", name));
    }

    private static String board(String name) {
        return "{apiVersion: example.com/v2, kind: Board, metadata: {name: " + name + "}}";
    }

    private static List<String> notes(CheckScript script, List<Map<String, Object>> given) {
        return SetUpNotes.of(script, given.stream().map(ScriptObject::of).toList());
    }

    private static List<String> standard(List<Map<String, Object>> given) {
        return notes(CheckScript.parse(RULE, CheckScript.deletionOf(given)), given);
    }

    private static List<String> steps(String steps, List<Map<String, Object>> given) {
        return notes(CheckScript.parse("steps: [" + steps + "]\n" + RULE, NONE), given);
    }

    /** Of another kind there are several, and nevertheless only one of this one. */
    @Test
    void aKindWithOneObjectIsNamed() {
        assertThat(standard(List.of(NEWS, MENU, object("Page", "home"))))
                .singleElement()
                .asString()
                .startsWith("only one object is given of Page.example.com: equal names of children, and harm");
    }

    @Test
    void aWholeSetUpHasNone() {
        assertThat(standard(List.of(NEWS, MENU))).isEmpty();
        assertThat(steps("{delete: " + board("news") + "}, {delete: " + board("menu") + "}", List.of(NEWS, MENU)))
                .isEmpty();
    }

    /** Both are deleted in one step: then none is left that could be harmed. */
    @Test
    void severalObjectsOfWhichNoneIsDeletedAloneAreReported() {
        String all = "[{delete: " + board("news") + "}, {delete: " + board("menu") + "}]";

        assertThat(steps(all, List.of(NEWS, MENU)))
                .containsExactly("no step deletes one of several objects of Board.example.com while another one stays:"
                        + " harm to others by its deletion is not seen; add such a step");
    }

    @Test
    void anObjectThatAStepCreatesCounts() {
        String more = "{apply: " + board("more") + "}, {delete: " + board("more") + "}";

        assertThat(steps(more, List.of(NEWS))).isEmpty();
    }

    @Test
    void stepsWithoutADeletionAreReported() {
        String change = "{merge: " + board("news") + "}";

        assertThat(steps(change, List.of(NEWS, MENU)))
                .containsExactly("no step deletes an object: what is left after a deletion, and harm to others, are not"
                        + " seen");
    }

    @Test
    void withoutStepsAndRulesThereIsLittleToSee() {
        assertThat(notes(NONE, List.of()))
                .containsExactly(
                        "the user does nothing: give custom objects, which are deleted at the end, or steps",
                        "no rule must always hold: only states at rest are compared");
    }
}
