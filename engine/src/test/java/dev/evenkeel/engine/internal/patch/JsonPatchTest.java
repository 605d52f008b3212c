package dev.evenkeel.engine.internal.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.evenkeel.client.InvalidException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.Schema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonPatchTest {
    private static final int DEPTH = 500;

    private static @Nullable Object patch(@Nullable Object document, String operations) {
        return new JsonPatch(document, DEPTH).apply(JsonPatchOperation.read(Trees.tree(operations), error -> {}, true));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'a':1} | {'op':'add','path':'/b','value':2} | {'a':1,'b':2}",
                "{'a':1} | {'op':'add','path':'/a','value':{'x':1}} | {'a':{'x':1}}",
                "{'a':[1,3]} | {'op':'add','path':'/a/1','value':2} | {'a':[1,2,3]}",
                "{'a':[1]} | {'op':'add','path':'/a/1','value':2} | {'a':[1,2]}",
                "{'a':[1]} | {'op':'add','path':'/a/-','value':2} | {'a':[1,2]}",
                "{'a':[1]} | {'op':'add','path':'/a/-1','value':2} | {'a':[1,2]}",
                "{'a':[1]} | {'op':'add','path':'/a/-2','value':2} | {'a':[2,1]}",
                "{'a':1} | {'op':'add','path':'/b'} | {'a':1,'b':null}",
                "{'a':1} | {'op':'add','path':'/','value':2} | {'a':1,'':2}",
                "{'a':1} | {'op':'add','path':'x/b','value':2} | {'a':1,'b':2}",
                "{'a/b':1,'~':{}} | {'op':'replace','path':'/a~1b','value':2} | {'a/b':2,'~':{}}",
                "{'~1':1} | {'op':'replace','path':'/~01','value':2} | {'~1':2}",
                "{'a':1} | {'op':'replace','path':'/b','value':2} | {'a':1,'b':2}",
                "{'a':[1,2]} | {'op':'replace','path':'/a/-1','value':3} | {'a':[1,3]}",
                "{'a':1} | {'op':'replace','path':'','value':[1]} | [1]",
                "{'a':1,'b':2} | {'op':'remove','path':'/a'} | {'b':2}",
                "{'a':null} | {'op':'remove','path':'/a'} | {}",
                "{'a':[1,2]} | {'op':'remove','path':'/a/0'} | {'a':[2]}",
                "{'a':[1,2]} | {'op':'remove','path':'/a/-1'} | {'a':[1]}",
                "{'a':{'b':1}} | {'op':'move','from':'/a/b','path':'/c'} | {'a':{},'c':1}",
                "{'a':[1,2,3]} | {'op':'move','from':'/a/0','path':'/a/2'} | {'a':[2,3,1]}",
                "{'a':{'b':1}} | {'op':'copy','from':'/a','path':'/c'} | {'a':{'b':1},'c':{'b':1}}",
                "{'a':{'b':1}} | {'op':'copy','from':'/a','path':'/a/c'} | {'a':{'b':1,'c':{'b':1}}}",
                "{'a':1} | {'op':'copy','from':'/x','path':'/c'} | {'a':1,'c':null}",
                "{'a':{'b':1,'c':2}} | {'op':'test','path':'/a','value':{'c':2,'b':1}} | {'a':{'b':1,'c':2}}",
                "{'a':1} | {'op':'test','path':'','value':{'a':1}} | {'a':1}",
                "{'a':1} | {'op':'test','path':'/b','value':null} | {'a':1}",
                "{'a':1} | {'op':'test','path':'/b'} | {'a':1}",
                "{'a':null} | {'op':'test','path':'/a','value':null} | {'a':null}",
            })
    void applies(String document, String operation, String result) {
        assertThat(patch(Trees.tree(document), "[" + operation + "]")).isEqualTo(Trees.tree(result));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'a':1} | {'op':'add','path':'/b/c','value':2}",
                "{'a':1} | {'op':'add','path':'/a/c','value':2}",
                "{'a':null} | {'op':'add','path':'/a/c','value':2}",
                "{'a':[1]} | {'op':'add','path':'/a/2','value':2}",
                "{'a':[1]} | {'op':'add','path':'/a/-3','value':2}",
                "{'a':[1]} | {'op':'add','path':'/a/x','value':2}",
                "{'a':[1]} | {'op':'add','path':'/a/','value':2}",
                "{'a':[1]} | {'op':'add','path':'/a/99999999999999999999','value':2}",
                "{'a':1} | {'op':'add','path':'b','value':2}",
                "{'a':1} | {'op':'add','path':'','value':{}}",
                "{'a':1} | {'op':'add','value':{}}",
                "{'a':1} | {'op':'replace','path':'/b/c','value':2}",
                "{'a':[1]} | {'op':'replace','path':'/a/1','value':2}",
                "{'a':[1]} | {'op':'replace','path':'/a/-','value':2}",
                "{'a':1} | {'op':'replace','path':'','value':1}",
                "{'a':1} | {'op':'remove','path':'/b'}",
                "{'a':[1]} | {'op':'remove','path':'/a/1'}",
                "{'a':[1]} | {'op':'remove','path':'/a/-'}",
                "{'a':[1]} | {'op':'remove','path':'/a/-2'}",
                "{'a':1} | {'op':'remove','path':''}",
                "{'a':1} | {'op':'move','from':'/b','path':'/c'}",
                "{'a':{'b':1}} | {'op':'move','from':'/a','path':'/a/b'}",
                "{'a':1} | {'op':'move','path':'/c'}",
                "{'a':[1]} | {'op':'copy','from':'/a/1','path':'/c'}",
                "{'a':1} | {'op':'copy','from':'','path':'/c'}",
                "{'a':1} | {'op':'test','path':'/a','value':1.0}",
                "{'a':1} | {'op':'test','path':'/a','value':null}",
                "{'a':1} | {'op':'test','path':'/a'}",
                "{'a':1} | {'op':'test','path':'/b','value':1}",
                "{'a':1} | {'op':'test','path':'','value':{}}",
                "{'a':[1]} | {'op':'test','path':'/a/1','value':null}",
                "{'a':1} | {'op':'frob','path':'/a'}",
                "{'a':1} | {'path':'/a'}",
                "{'a':1} | null",
            })
    void refusesWithTheSameAnswer(String document, String operation) {
        JsonObject live = Json.asObject(Trees.tree(document));
        byte[] body = ("[" + operation.replace('\'', '"') + "]").getBytes(StandardCharsets.UTF_8);
        assertThatExceptionOfType(InvalidException.class)
                .isThrownBy(
                        () -> Patches.apply(Patch.Type.JSON, live, body, Schema.ANY, JsonLimits.DEFAULT, problem -> {}))
                .withMessage("the server rejected our request due to an error in our request")
                .satisfies(e -> assertThat(e.code()).isEqualTo(422));
    }

    @Test
    void copiesCannotExplode() {
        Object document = Trees.tree("{'a':['0123456789']}");
        String doubling = "{'op':'copy','from':'/a','path':'/a/-'}";
        String operations = "[" + String.join(",", java.util.Collections.nCopies(40, doubling)) + "]";
        assertThatExceptionOfType(PatchMismatchException.class).isThrownBy(() -> patch(document, operations));
    }

    @Test
    void movesCannotNestTooDeep() {
        // each round puts the deep value below a new chain of 100 objects
        StringBuilder operations = new StringBuilder("[");
        String chain = "{'b':".repeat(99) + "{}" + "}".repeat(99);
        for (int i = 0; i < 20; i++) {
            operations
                    .append("{'op':'add','path':'/c','value':")
                    .append(chain)
                    .append("},")
                    .append("{'op':'move','from':'/a','path':'/c")
                    .append("/b".repeat(100))
                    .append("'},")
                    .append("{'op':'move','from':'/c','path':'/a'},");
        }
        operations.append("{'op':'test','path':'/x'}]");
        assertThatExceptionOfType(PatchMismatchException.class)
                .isThrownBy(() -> patch(Trees.tree("{'a':{}}"), operations.toString()));
    }

    @Test
    void addsAndCopiesCannotNestTooDeep() {
        String deep = "{'b':".repeat(400) + "{}" + "}".repeat(400);
        assertThatExceptionOfType(PatchMismatchException.class)
                .isThrownBy(() -> patch(
                        Trees.tree("{'a':{}}"),
                        "[{'op':'add','path':'/a','value':" + deep + "},{'op':'copy','from':'/a','path':'/a"
                                + "/b".repeat(401) + "'}]"));
        assertThatExceptionOfType(PatchMismatchException.class)
                .isThrownBy(() -> patch(
                        Trees.tree("{'a':{}}"),
                        "[{'op':'add','path':'/a','value':" + deep + "},{'op':'add','path':'/a" + "/b".repeat(401)
                                + "','value':" + deep + "}]"));
    }

    @Test
    void manyShallowMovesAreFine() {
        StringBuilder operations = new StringBuilder("[");
        for (int i = 0; i < 4_000; i++) {
            operations.append("{'op':'move','from':'/a','path':'/b/c/d'},{'op':'move','from':'/b/c/d','path':'/a'},");
        }
        operations.append("{'op':'test','path':'/a','value':{'x':1}}]");
        assertThat(patch(Trees.tree("{'a':{'x':1},'b':{'c':{}}}"), operations.toString()))
                .isEqualTo(Trees.tree("{'a':{'x':1},'b':{'c':{}}}"));
    }

    @Test
    void touchedObjectsAreSorted() {
        Object patched = patch(
                Trees.tree("{'z':{'y':1,'x':{'q':1,'p':1}},'b':{'d':1,'c':1}}"),
                "[{'op':'add','path':'/z/a','value':{'j':1,'i':1}}]");
        assertThat(Json.text(patched))
                .isEqualTo("{\"b\":{\"d\":1,\"c\":1},\"z\":{\"a\":{\"j\":1,\"i\":1},\"x\":{\"q\":1,\"p\":1},\"y\":1}}");
    }

    @Test
    void agreesWithTheModel() {
        long seed = 13;
        Random random = new Random(seed);
        int applied = 0;
        for (int round = 0; round < 50_000; round++) {
            JsonObject document = Trees.randomObject(random, 4, true);
            List<@Nullable Object> operations = new ArrayList<>();
            Optional<Object> expected = Optional.of(document);
            for (int count = 1 + random.nextInt(3); count > 0; count--) {
                JsonObject operation = operation(random);
                operations.add(operation);
                expected = expected.flatMap(current -> Model.apply(current, operation));
            }
            String text = Json.text(operations);
            Optional<Object> actual;
            try {
                Object patched = new JsonPatch(Json.copy(document), DEPTH)
                        .apply(JsonPatchOperation.read(Json.copy(operations), error -> {}, true));
                actual = Optional.ofNullable(patched);
            } catch (PatchMismatchException e) {
                actual = Optional.empty();
            }
            assertThat(actual)
                    .as("seed %d, round %d: %s on %s", seed, round, text, Json.text(document))
                    .isEqualTo(expected);
            applied += expected.isPresent() ? 1 : 0;
        }
        assertThat(applied).isGreaterThan(2_000);
    }

    private static JsonObject operation(Random random) {
        JsonObject operation = new JsonObject();
        operation.put(
                "op",
                List.of("add", "remove", "replace", "move", "copy", "test").get(random.nextInt(6)));
        operation.put("path", pointer(random));
        operation.put("from", pointer(random));
        operation.put("value", Trees.random(random, 2, true));
        return operation;
    }

    private static String pointer(Random random) {
        StringBuilder pointer = new StringBuilder();
        for (int length = 1 + random.nextInt(3); length > 0; length--) {
            String token = random.nextInt(3) == 0
                    ? List.of("0", "1", "-", "-1", "7").get(random.nextInt(5))
                    : Trees.randomKey(random);
            pointer.append('/').append(token.replace("~", "~0").replace("/", "~1"));
        }
        return pointer.toString();
    }

    /** The plainest way to say what a patch does: copies instead of changes, no limits. */
    private static final class Model {
        private static final class Failed extends RuntimeException {}

        static Optional<Object> apply(Object document, JsonObject operation) {
            List<String> path = tokens(operation.get("path"));
            List<String> from = tokens(operation.get("from"));
            Object value = operation.get("value");
            try {
                return Optional.ofNullable(
                        switch ((String) Objects.requireNonNull(operation.get("op"))) {
                            case "add" -> add(document, path, value);
                            case "remove" -> remove(document, path);
                            case "replace" -> replace(document, path, value);
                            case "move" -> add(remove(document, from), path, get(document, from));
                            case "copy" -> add(document, path, get(document, from));
                            default -> test(document, Objects.equals(get(document, path), value));
                        });
            } catch (Failed e) {
                return Optional.empty();
            }
        }

        private static List<String> tokens(@Nullable Object pointer) {
            String[] tokens = ((String) Objects.requireNonNull(pointer)).split("/", -1);
            return Arrays.stream(tokens)
                    .skip(1)
                    .map(token -> token.replace("~1", "/").replace("~0", "~"))
                    .toList();
        }

        private static Object test(Object document, boolean passed) {
            if (!passed) {
                throw new Failed();
            }
            return document;
        }

        private static @Nullable Object get(@Nullable Object tree, List<String> path) {
            if (path.isEmpty()) {
                return tree;
            }
            List<String> rest = path.subList(1, path.size());
            if (tree instanceof Map<?, ?> map) {
                return get(map.get(path.getFirst()), rest);
            }
            if (tree instanceof List<?> list) {
                return get(list.get(index(path.getFirst(), list.size(), list.size())), rest);
            }
            throw new Failed();
        }

        private static @Nullable Object add(@Nullable Object tree, List<String> path, @Nullable Object value) {
            return at(tree, path, (container, token) -> {
                if (container instanceof Map<?, ?>) {
                    Json.asObject(container).put(token, value);
                } else {
                    List<@Nullable Object> list = Json.asArray(container);
                    int size = list.size();
                    list.add(token.equals("-") ? size : index(token, size + 1, size + 1), value);
                }
            });
        }

        private static @Nullable Object replace(@Nullable Object tree, List<String> path, @Nullable Object value) {
            return at(tree, path, (container, token) -> {
                if (container instanceof Map<?, ?>) {
                    Json.asObject(container).put(token, value);
                } else {
                    List<@Nullable Object> list = Json.asArray(container);
                    list.set(index(token, list.size(), list.size()), value);
                }
            });
        }

        private static @Nullable Object remove(@Nullable Object tree, List<String> path) {
            return at(tree, path, (container, token) -> {
                if (container instanceof Map<?, ?> map) {
                    if (!map.containsKey(token)) {
                        throw new Failed();
                    }
                    map.remove(token);
                } else {
                    List<@Nullable Object> list = Json.asArray(container);
                    list.remove(index(token, list.size(), list.size()));
                }
            });
        }

        private interface Change {
            void to(Object container, String token);
        }

        private static @Nullable Object at(@Nullable Object tree, List<String> path, Change change) {
            Object copy = Json.copy(tree);
            if (!(copy instanceof Map) && !(copy instanceof List)) {
                throw new Failed();
            }
            if (path.size() == 1) {
                change.to(copy, path.getFirst());
                return copy;
            }
            List<String> rest = path.subList(1, path.size());
            UnaryOperator<@Nullable Object> deeper = child -> at(child, rest, change);
            if (copy instanceof Map<?, ?>) {
                Json.asObject(copy)
                        .put(path.getFirst(), deeper.apply(Json.asObject(copy).get(path.getFirst())));
            } else {
                List<@Nullable Object> list = Json.asArray(copy);
                int index = index(path.getFirst(), list.size(), list.size());
                list.set(index, deeper.apply(list.get(index)));
            }
            return copy;
        }

        private static int index(String token, int end, int bound) {
            if (!token.matches("[-+]?[0-9]+")) {
                throw new Failed();
            }
            int number = Integer.parseInt(token);
            int index = number < 0 ? end + number : number;
            if (index < 0 || index >= bound) {
                throw new Failed();
            }
            return index;
        }
    }
}
