package dev.evenkeel.engine.internal.patch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergePatchTest {
    /** The examples of the RFC that begin with an object and end with one. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'a':'b'} | {'a':'c'} | {'a':'c'}",
                "{'a':'b'} | {'b':'c'} | {'a':'b','b':'c'}",
                "{'a':'b'} | {'a':null} | {}",
                "{'a':'b','b':'c'} | {'a':null} | {'b':'c'}",
                "{'a':['b']} | {'a':'c'} | {'a':'c'}",
                "{'a':'c'} | {'a':['b']} | {'a':['b']}",
                "{'a':{'b':'c'}} | {'a':{'b':'d','c':null}} | {'a':{'b':'d'}}",
                "{'a':[{'b':'c'}]} | {'a':[1]} | {'a':[1]}",
                "{'e':null} | {'a':1} | {'e':null,'a':1}",
                "{} | {'a':{'bb':{'ccc':null}}} | {'a':{'bb':{}}}",
                // upstream: nulls stay in lists, but not in objects of lists
                "{'a':1} | {'a':[null,{'b':null}]} | {'a':[null,{}]}",
                "{'a':{'b':1}} | {'a':[{'b':null}]} | {'a':[{'b':null}]}",
            })
    void merges(String object, String patch, String result) {
        JsonObject tree = Trees.object(object);
        MergePatch.apply(tree, Trees.object(patch));
        assertThat(tree).isEqualTo(Trees.tree(result));
    }

    @Test
    void touchedObjectsAreSorted() {
        JsonObject tree = Trees.object("{'z':{'y':1,'x':2},'b':{'d':1,'c':1}}");
        MergePatch.apply(tree, Trees.object("{'a':{'q':1,'p':1},'b':{}}"));
        assertThat(Json.text(tree))
                .isEqualTo("{\"a\":{\"p\":1,\"q\":1},\"b\":{\"c\":1,\"d\":1},\"z\":{\"y\":1,\"x\":2}}");
    }

    @Test
    void applyingADifferenceGivesTheOther() {
        long seed = 11;
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            JsonObject from = Trees.randomObject(random, 4, false);
            JsonObject to = Trees.randomObject(random, 4, false);
            JsonObject patch = difference(from, to);
            JsonObject patched = from.copy();
            MergePatch.apply(patched, patch.copy());
            assertThat(patched).as("seed %d, round %d: %s", seed, i, patch).isEqualTo(to);
            MergePatch.apply(patched, patch.copy());
            assertThat(patched).as("seed %d, round %d: again", seed, i).isEqualTo(to);
        }
    }

    @Test
    void anEmptyPatchChangesNothing() {
        long seed = 12;
        Random random = new Random(seed);
        for (int i = 0; i < 1_000; i++) {
            JsonObject object = Trees.randomObject(random, 4, true);
            JsonObject patched = object.copy();
            MergePatch.apply(patched, new JsonObject());
            assertThat(patched).as("seed %d, round %d", seed, i).isEqualTo(object);
        }
    }

    private static JsonObject difference(JsonObject from, JsonObject to) {
        JsonObject patch = new JsonObject();
        from.keySet().stream().filter(key -> !to.containsKey(key)).forEach(key -> patch.put(key, null));
        to.forEach((key, value) -> {
            Object current = from.get(key);
            if (current instanceof Map && value instanceof Map) {
                patch.put(key, difference(Json.asObject(current), Json.asObject(value)));
            } else if (!Objects.equals(current, value)) {
                patch.put(key, value);
            }
        });
        List.copyOf(patch.keySet()).forEach(key -> {
            if (Map.of().equals(patch.get(key)) && Objects.equals(from.get(key), to.get(key))) {
                patch.remove(key);
            }
        });
        return patch;
    }
}
