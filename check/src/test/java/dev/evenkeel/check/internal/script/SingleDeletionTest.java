package dev.evenkeel.check.internal.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SingleDeletionTest {
    private static final ScriptObject NEWS = board("news");
    private static final ScriptObject MENU = board("menu");
    private static final ScriptObject HOME = new ScriptObject("example.com", "Page", "default", "home");

    private static ScriptObject board(String name) {
        return new ScriptObject("example.com", "Board", "default", name);
    }

    private static String delete(ScriptObject object) {
        return "{delete: " + tree(object) + "}";
    }

    private static String tree(ScriptObject object) {
        return "{apiVersion: example.com/v1, kind: " + object.kind() + ", metadata: {name: " + object.name() + "}}";
    }

    private static CheckScript script(String... steps) {
        return CheckScript.parse(
                "steps: [" + String.join(", ", steps) + "]", new CheckScript(List.of(), List.of(), List.of()));
    }

    @Test
    void anotherObjectOfTheKindStays() {
        CheckScript script = script("{merge: " + tree(NEWS) + "}", delete(NEWS), delete(MENU));

        assertThat(SingleDeletion.in(script, List.of(NEWS, MENU, HOME)))
                .containsExactly(new SingleDeletion(1, Set.of(NEWS)));
        assertThat(script.before(1, Set.of(NEWS)).steps()).isEmpty();
        assertThat(script.before(2, Set.of(MENU)).steps()).hasSize(2);
    }

    @Test
    void anObjectOfAnotherKindDoesNotCount() {
        assertThat(SingleDeletion.in(script(delete(NEWS)), List.of(NEWS, HOME))).isEmpty();
    }

    @Test
    void whatDoesNotExistIsNotDeleted() {
        assertThat(SingleDeletion.in(script(delete(NEWS)), List.of(MENU, HOME))).isEmpty();
    }

    @Test
    void anObjectMayBeCreatedBefore() {
        CheckScript script = script("{apply: " + tree(MENU) + "}", "[" + delete(NEWS) + ", " + delete(HOME) + "]");

        assertThat(SingleDeletion.in(script, List.of(NEWS, HOME))).containsExactly(new SingleDeletion(1, Set.of(NEWS)));
    }
}
