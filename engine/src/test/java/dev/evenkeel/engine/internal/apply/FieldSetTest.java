package dev.evenkeel.engine.internal.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.engine.internal.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldSetTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'f:data':{}}",
                "{'f:data':{'.':{},'f:a':{},'f:b':{}}}",
                "{'f:spec':{'f:list':{'v:1':{},'v:true':{}}}}"
            })
    void writesTheParsedText(String text) {
        assertThat(Json.text(FieldSet.parse(SchemaText.tree(text)).toTree())).isEqualTo(text.replace('\'', '"'));
    }

    @Test
    void ordersFieldsThenKeysThenValuesThenIndexes() {
        FieldSet set = new FieldSet();
        set.at(new PathElement.Index(10)).add();
        set.at(new PathElement.Index(9)).add();
        set.at(PathElement.item("b")).add();
        set.at(PathElement.item(7L)).add();
        set.at(key("port", 443L)).add();
        set.at(key("port", 80L)).add();
        set.at(key("name", "z")).add();
        set.at(new PathElement.Field("z")).add();
        set.at(new PathElement.Field("a")).add();

        assertThat(set.toTree().keySet())
                .containsExactly(
                        "f:a",
                        "f:z",
                        "k:{\"name\":\"z\"}",
                        "k:{\"port\":80}",
                        "k:{\"port\":443}",
                        "v:7",
                        "v:\"b\"",
                        "i:9",
                        "i:10");
    }

    @Test
    void keysAreSortedAndEqualNumbersAreOneKey() {
        FieldSet set =
                FieldSet.parse(SchemaText.tree("{'k:{\\'protocol\\':\\'TCP\\',\\'port\\':80.0}':{},'v:1.0':{}}"));

        assertThat(set.toTree().keySet()).containsExactly("k:{\"port\":80,\"protocol\":\"TCP\"}", "v:1");
        assertThat(set.toString()).isEqualTo("[port=80,protocol=\"TCP\"]\n[=1]");
    }

    @Test
    void valuesAreEscapedAsGoDoes() {
        assertThat(PathElement.item("a<b&\u2028").text()).isEqualTo("v:\"a\\u003cb\\u0026\\u2028\"");
        assertThat(PathElement.parse("v:\"a\\u003cb\\u0026\\u2028\"")).contains(PathElement.item("a<b&\u2028"));
    }

    @Test
    void unknownKindsOfElementsAreIgnored() {
        assertThat(FieldSet.parse(SchemaText.tree("{'f:a':{'x:future':{}},'y:z':{}}"))
                        .toTree()
                        .toString())
                .isEqualTo("{f:a={}}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{'a':{}}", "{'zz':{}}", "{'i:x':{}}", "{'v:{':{}}", "{'k:1':{}}", "{'f:a':1}", "{'v:':{}}"})
    void malformedSetsAreRefused(String text) {
        assertThatThrownBy(() -> FieldSet.parse(SchemaText.tree(text))).isInstanceOf(UntypedException.class);
    }

    @Test
    void differenceKeepsNestedPathsAndWithoutDoesNot() {
        FieldSet set = FieldSet.parse(SchemaText.tree("{'f:a':{'.':{},'f:b':{}},'f:c':{}}"));
        FieldSet other = FieldSet.of(List.of("a"));

        assertThat(set.difference(other)).isEqualTo(FieldSet.parse(SchemaText.tree("{'f:a':{'f:b':{}},'f:c':{}}")));
        assertThat(set.without(other)).isEqualTo(FieldSet.of(List.of("c")));
        assertThat(set.size()).isEqualTo(3);
        assertThat(set.has(".a.b")).isTrue();
        assertThat(set.difference(other).has("a")).isFalse();
    }

    @Test
    void levelsComeBeforeNestedPaths() {
        List<String> paths = new ArrayList<>();
        FieldSet.of(List.of("a.x", "b", "c")).forEach((path, node) -> paths.add(path));

        assertThat(paths).containsExactly(".b", ".c", ".a.x");
    }

    @Test
    void lawsHoldForRandomSets() {
        long seed = System.nanoTime();
        System.out.println("FieldSetTest seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            FieldSet a = random(random, 3);
            FieldSet b = random(random, 3);
            FieldSet c = random(random, 3);
            String shown = "seed " + seed + "\n" + a + "\n--\n" + b;

            assertThat(FieldSet.parse(a.toTree())).as(shown).isEqualTo(a).hasSameHashCodeAs(a);
            assertThat(a.union(b)).as(shown).isEqualTo(b.union(a));
            assertThat(a.union(b).union(c)).as(shown).isEqualTo(a.union(b.union(c)));
            assertThat(a.intersection(b)).as(shown).isEqualTo(b.intersection(a));
            assertThat(a.difference(b).intersection(b)).as(shown).isEqualTo(FieldSet.EMPTY);
            assertThat(a.difference(b).union(a.intersection(b))).as(shown).isEqualTo(a);
            assertThat(a.union(b).difference(b)).as(shown).isEqualTo(a.difference(b));
            assertThat(a.difference(b.union(c)))
                    .as(shown)
                    .isEqualTo(a.difference(b).difference(c));
            assertThat(a.without(b).difference(a)).as(shown).isEqualTo(FieldSet.EMPTY);
            assertThat(a.union(b).size())
                    .as(shown)
                    .isEqualTo(a.size() + b.difference(a).size());
        }
    }

    private static FieldSet random(Random random, int depth) {
        FieldSet set = new FieldSet();
        for (int i = random.nextInt(4); i > 0; i--) {
            PathElement element = switch (random.nextInt(5)) {
                case 0 -> key("name", random.nextInt(3) == 0 ? "<x>" : (long) random.nextInt(3));
                case 1 -> PathElement.item(random.nextBoolean() ? "v" + random.nextInt(3) : 1.5);
                case 2 -> new PathElement.Index(random.nextInt(3));
                default -> new PathElement.Field("f" + random.nextInt(4));
            };
            FieldSet below = depth == 0 ? new FieldSet() : random(random, depth - 1);
            set.put(element, below.isEmpty() || random.nextBoolean() ? below.add() : below);
        }
        return set;
    }

    private static PathElement key(String name, @Nullable Object value) {
        TreeMap<String, @Nullable Object> fields = new TreeMap<>();
        fields.put(name, value);
        return PathElement.key(fields);
    }
}
