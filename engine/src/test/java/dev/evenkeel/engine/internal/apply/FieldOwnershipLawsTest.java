package dev.evenkeel.engine.internal.apply;

import static dev.evenkeel.engine.internal.apply.WidgetOwnership.widget;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Laws of ownership for any configurations. Each failure prints the seed and the configurations. */
class FieldOwnershipLawsTest {
    private static final int ROUNDS = 200;

    @Test
    void applyingTwiceIsApplyingOnce() {
        rounds((random, seed) -> {
            String spec = spec(random);
            WidgetOwnership widget =
                    new WidgetOwnership().put("base", spec(random)).force("one", spec);
            JsonObject once = widget.object();
            widget.apply("one", spec);

            assertThat(widget.changed()).as(seed + spec).isFalse();
            assertThat(widget.object()).as(seed + spec).isEqualTo(once);
        });
    }

    @Test
    void aSoleApplierGetsWhatItAppliedLast() {
        rounds((random, seed) -> {
            String first = spec(random);
            String last = spec(random);
            WidgetOwnership widget = new WidgetOwnership().apply("one", first).apply("one", last);
            WidgetOwnership fresh = new WidgetOwnership().apply("one", last);

            assertThat(leaves(widget)).as(seed + first + "\n" + last).isEqualTo(leaves(fresh));
            assertThat(widget.owned("one")).as(seed + first + "\n" + last).isEqualTo(fresh.owned("one"));
        });
    }

    @Test
    void conflictsAreExactlyTheLeavesWithOtherValues() {
        rounds((random, seed) -> {
            String one = spec(random);
            String two = spec(random);
            String shown = seed + one + "\n" + two;
            JsonObject mine = leaves(new WidgetOwnership().apply("one", one));
            JsonObject theirs = leaves(new WidgetOwnership().apply("two", two));
            Set<String> different = new TreeSet<>(mine.keySet());
            different.removeIf(path -> !theirs.containsKey(path) || Values.equal(mine.get(path), theirs.get(path)));

            WidgetOwnership widget = new WidgetOwnership().apply("one", one);
            Set<String> conflicts = new TreeSet<>();
            try {
                widget.apply("two", two);
            } catch (ConflictException e) {
                e.causes().stream().map(Status.Cause::field).forEach(conflicts::add);
            }
            assertThat(conflicts).as(shown).isEqualTo(different);

            widget.force("two", two);
            assertThat(leaves(widget)).as(shown).containsAllEntriesOf(theirs);
            assertThat(common(widget.owned("one"), different)).as(shown).isEmpty();
            assertThat(common(widget.owned("two"), theirs.keySet())).as(shown).isEqualTo(theirs.keySet());
        });
    }

    @Test
    void everyLeafHasAnOwnerAndChangesBelongToTheUpdater() {
        rounds((random, seed) -> {
            String one = spec(random);
            String two = spec(random);
            String shown = seed + one + "\n" + two;
            WidgetOwnership widget = new WidgetOwnership().apply("one", one);
            JsonObject before = leaves(widget);
            widget.put("two", two);
            JsonObject after = leaves(widget);
            Set<String> owned = new HashSet<>(widget.owned("one"));
            owned.addAll(widget.owned("two"));

            assertThat(common(owned, after.keySet())).as(shown).isEqualTo(after.keySet());
            after.forEach((path, value) -> {
                boolean same = before.containsKey(path) && Values.equal(before.get(path), value);
                assertThat(widget.owned("two").contains(path)).as(shown + path).isEqualTo(!same);
            });
            Set<String> gone = new HashSet<>(before.keySet());
            gone.removeAll(after.keySet());
            assertThat(common(owned, gone)).as(shown).isEmpty();
        });
    }

    @Test
    void anApplierThatWithdrawsKeepsFieldsOfOtherOwners() {
        rounds((random, seed) -> {
            String one = spec(random);
            String two = spec(random);
            WidgetOwnership widget = new WidgetOwnership().apply("one", one).force("two", two);
            JsonObject kept = leaves(widget);
            kept.keySet().retainAll(new HashSet<>(widget.owned("one")));
            widget.apply("two", "{}");

            assertThat(leaves(widget)).as(seed + one + "\n" + two).isEqualTo(kept);
        });
    }

    private static Set<String> common(Collection<String> a, Collection<String> b) {
        Set<String> common = new HashSet<>(a);
        common.retainAll(b);
        return common;
    }

    private static void rounds(BiConsumer<Random, String> round) {
        long start = System.nanoTime();
        System.out.println("FieldOwnershipLawsTest seeds from " + start);
        for (int i = 0; i < ROUNDS; i++) {
            long seed = start + i;
            round.accept(new Random(seed), "seed " + seed + "\n");
        }
    }

    /** A configuration without null and empty containers. */
    private static String spec(Random random) {
        JsonObject spec = new JsonObject();
        maybe(random, spec, "a", value(random));
        maybe(random, spec, "n", (long) random.nextInt(3));
        maybe(random, spec, "ios", random.nextBoolean() ? value(random) : 1L);
        maybe(random, spec, "set", some(random, "x", "y", "z"));
        maybe(random, spec, "atom", some(random, "x", "y", "z"));
        maybe(random, spec, "gran", map(random));
        maybe(random, spec, "whole", map(random));
        List<@Nullable Object> items = new ArrayList<>();
        for (Object name : some(random, "p", "q", "r")) {
            JsonObject item = new JsonObject();
            item.put("name", name);
            maybe(random, item, "v", value(random));
            maybe(random, item, "w", value(random));
            items.add(item);
        }
        maybe(random, spec, "map", items);
        JsonObject nest = new JsonObject();
        nest.put("k", map(random, "x", "y"));
        maybe(random, spec, "nest", nest);
        JsonObject free = new JsonObject();
        free.put("m", map(random));
        free.put("l", items);
        maybe(random, spec, "free", free);
        return Json.text(spec).replace('"', '\'');
    }

    private static void maybe(Random random, JsonObject map, String key, Object value) {
        if (random.nextInt(3) > 0) {
            map.put(key, value);
        }
    }

    private static String value(Random random) {
        return "v" + random.nextInt(2);
    }

    private static List<@Nullable Object> some(Random random, String... values) {
        List<@Nullable Object> list = new ArrayList<>(List.of(values));
        Collections.shuffle(list, random);
        return new ArrayList<>(list.subList(0, 1 + random.nextInt(values.length)));
    }

    private static JsonObject map(Random random) {
        return map(random, "i", "j");
    }

    private static JsonObject map(Random random, String... keys) {
        JsonObject map = new JsonObject();
        for (Object key : some(random, keys)) {
            map.put((String) key, value(random));
        }
        return map;
    }

    /** Returns the values that are owned as one, by path; computed without the code under test. */
    private static JsonObject leaves(WidgetOwnership widget) {
        JsonObject leaves = new JsonObject();
        leaves(".spec", "", widget.object().get("spec"), leaves);
        return leaves;
    }

    private static void leaves(String path, String field, @Nullable Object value, JsonObject leaves) {
        boolean atomic = Set.of("atom", "whole", "l").contains(field);
        if (!atomic && value instanceof Map<?, ?> map) {
            map.forEach((key, below) -> leaves(path + "." + key, (String) key, below, leaves));
        } else if (!atomic && value instanceof List<?> list) {
            for (Object item : list) {
                boolean keyed = item instanceof Map<?, ?>;
                String key = keyed ? "[name=\"" + Json.string(item, "name") + "\"]" : "[=\"" + item + "\"]";
                leaves(path + key, "", item, leaves);
            }
        } else {
            leaves.put(path, value);
        }
    }

    @Test
    void generatorGivesValidConfigurations() {
        assertThat(new WidgetOwnership()
                        .apply("one", widget(spec(new Random(1))), false)
                        .changed())
                .isTrue();
    }
}
