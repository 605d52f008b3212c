package dev.evenkeel.engine.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonObjectTest {
    private static final JsonObject POD = JsonObject.of(
            "metadata",
            JsonObject.of("name", "a", "generation", 3L, "finalizers", List.of("x", 1L, "y")),
            "spec",
            JsonObject.of(
                    "hostNetwork",
                    true,
                    "containers",
                    new ArrayList<Object>(List.of(JsonObject.of("name", "c"), "text", JsonObject.of("name", "d")))),
            "status",
            null);

    private static @Nullable Object sink;

    @Test
    void accessorsFollowAPath() {
        assertThat(POD.string("metadata", "name")).isEqualTo("a");
        assertThat(POD.integer("metadata", "generation")).isEqualTo(3);
        assertThat(POD.bool("spec", "hostNetwork")).isTrue();
        assertThat(POD.object("metadata").string("name")).isEqualTo("a");
        assertThat(POD.findObject("spec")).containsSame((JsonObject) POD.get("spec"));
        assertThat(POD.array("spec", "containers")).hasSize(3);
        assertThat(POD.objects("spec", "containers"))
                .extracting(container -> container.string("name"))
                .containsExactly("c", "d");
        assertThat(POD.strings("metadata", "finalizers")).containsExactly("x", "y");
        assertThat(POD.at("spec", "containers")).isInstanceOf(List.class);
        assertThat(POD.has("spec", "containers")).isTrue();
    }

    @Test
    void accessorsAreEmptyWhereThePathEndsOrTheTypeIsAnother() {
        assertThat(POD.string("metadata", "generation")).isEmpty();
        assertThat(POD.string("metadata", "name", "x")).isEmpty();
        assertThat(POD.string("none")).isEmpty();
        assertThat(POD.integer("metadata", "name")).isZero();
        assertThat(POD.bool("metadata", "name")).isFalse();
        assertThat(POD.object("spec", "containers")).isEmpty();
        assertThat(POD.findObject("status")).isEmpty();
        assertThat(POD.array("status", "conditions")).isEmpty();
        assertThat(POD.objects("metadata")).isEmpty();
        assertThat(POD.has("status")).isFalse();
        assertThat(POD.containsKey("status")).isTrue();
    }

    @Test
    void aMissingObjectIsAddedOnRequestOnly() {
        JsonObject object = JsonObject.of("b", "text");
        object.object("a").put("k", 1L);
        assertThat(object).hasSize(1);
        object.withObject("a").put("k", 1L);
        object.withObject("a").put("l", 2L);
        object.withObject("b").put("k", 3L);
        assertThat(Json.text(object)).isEqualTo("{\"b\":{\"k\":3},\"a\":{\"k\":1,\"l\":2}}");
    }

    @Test
    void settersFillWhatIsEmpty() {
        JsonObject object =
                new JsonObject().set("a", "").set("b", 0L).set("c", "c").set("d", 4L);
        object.setIfEmpty("a", "x");
        object.setIfEmpty("c", "x");
        object.setIfEmpty("e", "x");
        object.setIfZero("b", 1);
        object.setIfZero("d", 1);
        object.setIfZero("f", 1);
        assertThat(Json.text(object)).isEqualTo("{\"a\":\"x\",\"b\":1,\"c\":\"c\",\"d\":4,\"e\":\"x\",\"f\":1}");
        object.copyMember("a", JsonObject.of("a", null));
        object.copyMember("b", new JsonObject());
        assertThat(Json.text(object)).isEqualTo("{\"a\":null,\"c\":\"c\",\"d\":4,\"e\":\"x\",\"f\":1}");
    }

    @Test
    void aCopySharesNeitherObjectsNorArrays() {
        JsonObject copy = POD.copy();
        assertThat(copy).isEqualTo(POD).hasSameHashCodeAs(POD);
        assertThat(Json.text(copy)).isEqualTo(Json.text(POD));
        copy.objects("spec", "containers").getFirst().put("name", "changed");
        copy.array("spec", "containers").removeLast();
        assertThat(POD.objects("spec", "containers").getFirst().string("name")).isEqualTo("c");
        assertThat(POD.array("spec", "containers")).hasSize(3);
    }

    @Test
    void sortingIsShallowAndInPlaceSortedIsDeepAndACopy() {
        JsonObject object = JsonObject.of("b", JsonObject.of("d", 1L, "c", 2L), "a", null);
        assertThat(Json.text(object.sorted())).isEqualTo("{\"a\":null,\"b\":{\"c\":2,\"d\":1}}");
        assertThat(Json.text(object)).isEqualTo("{\"b\":{\"d\":1,\"c\":2},\"a\":null}");
        object.sort(Json.KEY_ORDER);
        assertThat(Json.text(object)).isEqualTo("{\"a\":null,\"b\":{\"d\":1,\"c\":2}}");
    }

    @Test
    void keysAreNeverNull() {
        JsonObject object = new JsonObject();
        assertThatNullPointerException().isThrownBy(() -> object.put(null, "x"));
        assertThat(object.get(null)).isNull();
        assertThat(object.containsKey(null)).isFalse();
        assertThat(object).isEmpty();
    }

    /** All that a map can do, in random order, against a map of the JDK. */
    @ParameterizedTest
    @ValueSource(ints = {3, 8, 20, 200})
    void behavesAsALinkedHashMap(int keys) {
        for (int round = 0; round < 50; round++) {
            long seed = new Random().nextLong();
            Random random = new Random(seed);
            Map<String, @Nullable Object> model = new LinkedHashMap<>();
            JsonObject object = new JsonObject();
            for (int step = 0; step < 6 * keys; step++) {
                String key = "k" + random.nextInt(keys);
                Object value = random.nextInt(4) == 0 ? null : (Object) random.nextLong(5);
                String where = "seed " + seed + ", " + keys + " keys, step " + step;
                int choice = random.nextInt(16);
                long removals = random.nextLong();
                assertThat(step(object, choice, key, value, removals))
                        .as(where)
                        .isEqualTo(step(model, choice, key, value, removals));
                if (choice == 15 && random.nextInt(10) == 0) {
                    object = object.copy();
                }
                same(object, model, where);
            }
        }
    }

    private static @Nullable Object step(
            Map<String, @Nullable Object> map, int choice, String key, @Nullable Object value, long seed) {
        return switch (choice) {
            case 0, 1, 2, 3, 4 -> map.put(key, value);
            case 5, 6 -> map.remove(key);
            case 7 -> map.putIfAbsent(key, value);
            case 8 -> map.remove(key, value);
            case 9 -> map.keySet().remove(key);
            case 10 -> map.entrySet().remove(Map.entry(key, value == null ? 0L : value));
            case 11 -> map.computeIfAbsent(key, k -> value);
            case 12 -> map.merge(key, 1L, (old, one) -> old.equals(1L) ? null : one);
            case 13 -> removeSome(map, new Random(seed));
            case 14 -> {
                map.replaceAll((k, old) -> k.equals(key) ? value : old);
                yield map.getOrDefault(key, "none");
            }
            default -> {
                for (Map.Entry<String, @Nullable Object> entry : map.entrySet()) {
                    if (entry.getKey().equals(key)) {
                        yield entry.setValue(value);
                    }
                }
                yield map.values().remove(value);
            }
        };
    }

    private static List<Object> removeSome(Map<String, @Nullable Object> map, Random random) {
        List<Object> seen = new ArrayList<>();
        for (Iterator<Map.Entry<String, @Nullable Object>> i = map.entrySet().iterator(); i.hasNext(); ) {
            seen.add(Map.entry(i.next().getKey(), "seen"));
            if (random.nextInt(3) == 0) {
                i.remove();
            }
        }
        return seen;
    }

    private static void same(JsonObject object, Map<String, @Nullable Object> model, String where) {
        assertThat(object.size()).as(where).isEqualTo(model.size());
        assertThat(object.equals(model)).as(where).isTrue();
        assertThat(model.equals(object)).as(where).isTrue();
        assertThat(object.hashCode()).as(where).isEqualTo(model.hashCode());
        assertThat(object.toString()).as(where).isEqualTo(model.toString());
        assertThat(List.copyOf(object.keySet())).as(where).isEqualTo(List.copyOf(model.keySet()));
        assertThat(new ArrayList<>(object.values())).as(where).isEqualTo(new ArrayList<>(model.values()));
        assertThat(object.entrySet().equals(model.entrySet())).as(where).isTrue();
        assertThat(new JsonObject(model)).as(where).isEqualTo(object);
        List<Object> visited = new ArrayList<>();
        object.forEach((key, value) -> visited.add(key + value));
        model.forEach(
                (key, value) -> assertThat(visited.removeFirst()).as(where).isEqualTo(key + value));
        assertThat(visited).as(where).isEmpty();
    }

    @Test
    void iteratorsEndAndRemoveOnce() {
        JsonObject object = JsonObject.of("a", 1L, "b", 2L);
        Iterator<String> keys = object.keySet().iterator();
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(keys::remove);
        keys.next();
        keys.remove();
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(keys::remove);
        assertThat(keys.next()).isEqualTo("b");
        assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(keys::next);
        assertThat(object).isEqualTo(Map.of("b", 2L));
    }

    /** With quadratic work, each of these would take minutes. */
    @Test
    @Timeout(300)
    void aHundredThousandMembersTakeTimeInProportion() {
        List<String> plain = new ArrayList<>();
        List<String> colliding = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            plain.add("key-" + i);
            StringBuilder key = new StringBuilder();
            for (int bit = 0; bit < 17; bit++) {
                key.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            colliding.add(key.toString());
        }
        assertThat(colliding.getFirst()).hasSameHashCodeAs(colliding.getLast());
        for (List<String> keys : List.of(plain, colliding)) {
            JsonObject object = new JsonObject();
            keys.forEach(key -> object.put(key, key));
            assertThat(keys).allMatch(object::containsKey);
            assertThat(object.copy()).isEqualTo(object);
            assertThat(object.entrySet().containsAll(object.copy().entrySet())).isTrue();
            assertThat(List.copyOf(object.keySet())).isEqualTo(keys);
            JsonObject copy = object.copy();
            copy.keySet().removeIf(key -> key.endsWith("7") || key.endsWith("a"));
            assertThat(copy.size()).isBetween(1, 99_999);
            keys.reversed().forEach(object::remove);
            assertThat(object).isEmpty();
            for (String key : keys) {
                object.put(key, key);
                object.remove(key);
            }
            assertThat(object).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 4, 5, 8, 9, 12, 13, 16, 17, 24, 25, 32, 33, 64, 100, 1000})
    void takesLessMemoryThanALinkedHashMap(int members) {
        String[] keys = new String[members];
        for (int i = 0; i < members; i++) {
            keys[i] = "key-" + i;
        }
        long object = allocated(() -> fill(new JsonObject(), keys));
        long map = allocated(() -> fill(new LinkedHashMap<>(), keys));
        JsonObject original = (JsonObject) fill(new JsonObject(), keys);
        long copy = allocated(original::copy);
        long copiedMap = allocated(() -> fill(LinkedHashMap.newLinkedHashMap(members), keys));
        assertThat(object).isLessThan(map);
        assertThat(copy).isLessThan(copiedMap);
    }

    private static Map<String, @Nullable Object> fill(Map<String, @Nullable Object> map, String... keys) {
        for (String key : keys) {
            map.put(key, key);
        }
        return map;
    }

    private static long allocated(Supplier<Object> work) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 20; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            sink = work.get();
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }
}
