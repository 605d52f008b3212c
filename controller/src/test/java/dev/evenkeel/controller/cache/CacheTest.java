package dev.evenkeel.controller.cache;

import static dev.evenkeel.controller.cache.ScriptedServer.identified;
import static dev.evenkeel.controller.cache.ScriptedServer.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.FieldSelector;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CacheTest {
    private static final Cache.Entry.Source<ConfigMap> SOURCE =
            new Cache.Entry.Source<>(ConfigMap.class, Projection.withoutManagedFields());

    private final Object lock = new Object();
    private final List<String> problems = new ArrayList<>();
    private final Cache<ConfigMap> cache =
            new Cache<>(lock, (key, e) -> problems.add(key + ": " + e.getMessage()), Informers.Namespaces.ALL);
    private final Replica<ConfigMap> replica =
            new Replica<>(cache, lock, ListOptions.ALL, (before, last, after, initial, unknown) -> {});
    private long turn;

    private static Cache.Entry<ConfigMap> cached(Encoded object) {
        return SOURCE.read(object);
    }

    private void put(Encoded object) {
        replica.changed(turn, cached(object), object.header().resourceVersion());
    }

    private void remove(String name, String version) {
        replica.deleted(turn, ObjectKey.of("default", name), "uid-" + name, null, version);
    }

    private static List<String> names(List<Cache.Entry<ConfigMap>> objects) {
        return objects.stream().map(object -> object.key().name()).toList();
    }

    // ---- indexes

    private static final Index<ConfigMap, String> COLOUR = Index.label("colour");
    private static final Index<ConfigMap, String> WORDS = Index.of(
            "words",
            map -> Arrays.stream(map.getMetadata()
                            .getLabels()
                            .getOrDefault("words", "")
                            .split("_"))
                    .filter(word -> !word.isEmpty()));

    @Test
    @DisplayName("65. An update moves an object from one value to another; a value that nothing has is none")
    void moves() {
        cache.index(COLOUR);
        put(object("a", "1", "colour=red"));
        put(object("b", "2", "colour=red"));
        put(object("b", "3", "colour=blue"));
        assertThat(names(cache.by(COLOUR, "red"))).containsExactly("a");
        assertThat(names(cache.by(COLOUR, "blue"))).containsExactly("b");
        put(object("a", "4", "colour=blue"));
        assertThat(cache.by(COLOUR, "red")).isEmpty();
        assertThat(cache.snapshot().values(COLOUR)).containsExactly("blue");
        put(object("a", "5"));
        remove("b", "6");
        assertThat(cache.snapshot().values(COLOUR)).isEmpty();
        cache.snapshot().validate();
    }

    @Test
    @DisplayName("65. An index with many values finds an object by each; one declared later has the existing objects")
    void manyValues() {
        put(object("a", "1", "words=x_y_x"));
        put(object("b", "2", "words=y_z"));
        put(object("c", "3"));
        cache.index(WORDS);
        assertThat(names(cache.by(WORDS, "x"))).containsExactly("a");
        assertThat(names(cache.by(WORDS, "y"))).containsExactly("a", "b");
        put(object("a", "4", "words=z_z"));
        assertThat(cache.by(WORDS, "x")).isEmpty();
        assertThat(names(cache.by(WORDS, "z"))).containsExactly("a", "b");
        assertThat(cache.snapshot().values(WORDS)).containsExactly("y", "z");
        cache.index(WORDS); // declared already
        cache.snapshot().validate();
    }

    @Test
    @DisplayName("A prefix finds names, and values of an index, in one namespace or all")
    void prefixes() {
        cache.index(WORDS);
        put(object("web-1", "1", "words=red_reddish"));
        put(object("web-2", "2", "words=blue"));
        put(object("we", "3"));
        put(object("wf", "4", "words=rose"));
        put(Encoded.of(new String(object("web-9", "5").json(), StandardCharsets.UTF_8)
                .replace("\"default\"", "\"other\"")
                .getBytes(StandardCharsets.UTF_8)));
        assertThat(names(cache.startingWith("default", "web-"))).containsExactly("web-1", "web-2");
        assertThat(names(cache.startingWith("", "web-"))).containsExactly("web-1", "web-2", "web-9");
        assertThat(names(cache.startingWith("", ""))).hasSize(5);
        assertThat(cache.startingWith("none", "web-")).isEmpty();
        assertThat(names(cache.byPrefix(WORDS, "re"))).containsExactly("web-1");
        assertThat(names(cache.byPrefix(WORDS, "r"))).containsExactly("web-1", "wf");
        assertThat(names(cache.byPrefix(WORDS, ""))).containsExactly("web-2", "web-1", "wf");
    }

    @Test
    @DisplayName("An index that throws leaves out that object, is counted, and breaks nothing (client-go panics)")
    void throwing() {
        Index<ConfigMap, Integer> number = Index.of(
                "number",
                map -> Stream.of(Integer.valueOf(map.getMetadata().getLabels().get("n"))));
        put(object("a", "1", "n=1"));
        put(object("bad", "2", "n=x"));
        cache.index(number);
        put(object("c", "3", "n=3"));
        put(object("d", "4"));
        assertThat(cache.snapshot().values(number)).containsExactly(1, 3);
        assertThat(cache.size()).isEqualTo(4);
        assertThat(problems).hasSize(2).first().asString().startsWith("default/bad");
        put(object("bad", "5", "n=1"));
        assertThat(names(cache.by(number, 1))).containsExactly("a", "bad");
        put(object("bad", "6", "n=x"));
        assertThat(names(cache.by(number, 1))).containsExactly("a");
        cache.snapshot().validate();
    }

    /** Sorts by both, and so not without one. */
    private record Pair(String left, String right) implements Comparable<Pair> {
        @Override
        public int compareTo(Pair other) {
            int order = left.compareTo(other.left);
            return order != 0 ? order : right.compareTo(other.right);
        }
    }

    @Test
    @DisplayName("A value that cannot be compared leaves out that object only")
    void incomparable() {
        Index<ConfigMap, Pair> pairs = Index.ofCached(
                "pairs",
                map -> Stream.of(new Pair(
                        "x",
                        map.label("right").isEmpty() ? null : map.label("right").get())));
        cache.index(pairs);
        put(object("a", "1", "right=1"));
        put(object("bad", "2"));
        put(object("c", "3", "right=3"));
        assertThat(cache.size()).isEqualTo(3);
        assertThat(names(cache.by(pairs, new Pair("x", "3")))).containsExactly("c");
        assertThat(problems).singleElement().asString().startsWith("default/bad");
        cache.snapshot().validate();
    }

    @Test
    @DisplayName("An undeclared index and a field selector are refused, with what to do")
    void refused() {
        assertThatThrownBy(() -> cache.by(COLOUR, "red"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("label colour")
                .hasMessageContaining("declare");
        assertThatThrownBy(() -> cache.list(ListOptions.ALL.fields(FieldSelector.parse("spec.nodeName=n"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("spec.nodeName=n")
                .hasMessageContaining("Index");
        assertThatThrownBy(() -> Index.of(" ", map -> Stream.of(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name");
    }

    @Test
    @DisplayName("An index declared while objects change has exactly the existing objects")
    void declaredMeanwhile() {
        for (int i = 0; i < 10; i++) {
            put(object("n" + i, "" + (i + 1), "words=x"));
        }
        AtomicInteger calls = new AtomicInteger();
        Index<ConfigMap, String> slow = Index.ofCached("slow", object -> {
            int call = calls.incrementAndGet();
            if (call <= 5) { // something comes while values are found
                put(object("n" + call, "" + (100 + call), "words=x_y"));
            }
            return Stream.of(object.resourceVersion());
        });
        cache.index(slow);
        assertThat(cache.snapshot().values(slow)).hasSize(10).contains("101", "105");
        cache.snapshot().validate();
    }

    @Test
    @DisplayName("Owner and controller indexes find dependents by uid")
    void owners() {
        Index<ConfigMap, String> owner = Index.owner();
        Index<ConfigMap, String> controller = Index.controller();
        cache.index(owner);
        cache.index(controller);
        put(ScriptedServer.json("{\"metadata\":{\"namespace\":\"default\",\"name\":\"a\",\"uid\":\"1\","
                + "\"resourceVersion\":\"1\",\"ownerReferences\":["
                + "{\"apiVersion\":\"v1\",\"kind\":\"X\",\"name\":\"x\",\"uid\":\"ux\",\"controller\":true},"
                + "{\"apiVersion\":\"v1\",\"kind\":\"Y\",\"name\":\"y\",\"uid\":\"uy\"}]}}"));
        assertThat(names(cache.by(owner, "ux"))).containsExactly("a");
        assertThat(names(cache.by(owner, "uy"))).containsExactly("a");
        assertThat(names(cache.by(controller, "ux"))).containsExactly("a");
        assertThat(cache.by(controller, "uy")).isEmpty();
    }

    // ---- selectors

    @Test
    @DisplayName("Label selectors of all operators find the same with indexes, without, and by looking at each object")
    void selectors() {
        long seed = Long.getLong("evenkeel.seed", System.nanoTime());
        try {
            Random random = new Random(seed);
            Cache<ConfigMap> plain = new Cache<>(lock, (key, e) -> {}, Informers.Namespaces.ALL);
            Replica<ConfigMap> plainReplica = new Replica<>(plain, lock, ListOptions.ALL, (b, l, a, i, u) -> {});
            cache.index(Index.label("a"));
            cache.index(Index.label("b"));
            String[] keys = {"a", "b", "c"};
            int version = 0;
            for (int round = 0; round < 60; round++) {
                for (int i = 0; i < 10; i++) {
                    String name = "n" + random.nextInt(40);
                    String namespace = random.nextInt(4) == 0 ? "other" : "default";
                    version++;
                    List<String> labels = new ArrayList<>();
                    for (String key : keys) {
                        if (random.nextInt(3) > 0) {
                            labels.add(key + "=" + random.nextInt(3));
                        }
                    }
                    String text = object(name, "" + version, labels.toArray(String[]::new))
                            .toString();
                    Encoded made = ScriptedServer.json(
                            text.replace("\"namespace\":\"default\"", "\"namespace\":\"" + namespace + "\""));
                    boolean gone = random.nextInt(5) == 0;
                    for (Replica<ConfigMap> to : List.of(replica, plainReplica)) {
                        to.changed(0, cached(made), "" + version);
                        if (gone) {
                            to.deleted(0, made.header().key(), "", null, "" + version);
                        }
                    }
                }
                for (int q = 0; q < 20; q++) {
                    List<String> parts = new ArrayList<>();
                    for (int i = random.nextInt(4); i > 0; i--) {
                        parts.add(requirement(random, keys[random.nextInt(3)]));
                    }
                    LabelSelector selector = LabelSelector.parse(String.join(",", parts));
                    String namespace = List.of("", "default", "other", "none").get(random.nextInt(4));
                    List<ObjectKey> expected = plain.list().stream()
                            .filter(object -> namespace.isEmpty()
                                    || object.key().namespace().equals(namespace))
                            .filter(object -> selector.matches(object.labels()))
                            .map(Cache.Entry::key)
                            .toList();
                    assertThat(cache.list(namespace, selector))
                            .as("%s in \"%s\"", selector, namespace)
                            .extracting(Cache.Entry::key)
                            .containsExactlyElementsOf(expected);
                    assertThat(plain.list(namespace, selector))
                            .extracting(Cache.Entry::key)
                            .containsExactlyElementsOf(expected);
                }
                cache.snapshot().validate();
            }
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("-Devenkeel.seed=" + seed + ": " + e.getMessage(), e);
        }
    }

    private static String requirement(Random random, String key) {
        int value = random.nextInt(4);
        return switch (random.nextInt(7)) {
            case 0 -> key + "=" + value;
            case 1 -> key + "!=" + value;
            case 2 -> key + " in (" + value + "," + random.nextInt(3) + ")";
            case 3 -> key + " in (" + value + ")";
            case 4 -> key + " notin (" + value + "," + random.nextInt(3) + ")";
            case 5 -> key;
            default -> "!" + key;
        };
    }

    // ---- what readers hold

    // client-go hands out live pointers, JOSDK does not clone secondary objects: one reader's change is everybody's
    @Test
    @DisplayName("Corrupted caches: a reader's change of its object is not visible to another reader")
    void readersOwn() {
        put(object("a", "1", "colour=red"));
        ObjectKey key = ObjectKey.of("default", "a");
        ConfigMap mine = cache.find(key).orElseThrow();
        mine.getMetadata().getLabels().put("colour", "blue");
        mine.setData(Map.of());
        assertThat(cache.find(key).orElseThrow().getData()).containsEntry("version", "1");
        assertThatThrownBy(() -> cache.get(key).orElseThrow().labels().put("colour", "blue"))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThat(cache.get(key).orElseThrow().label("colour")).contains("red");
    }

    @Test
    @DisplayName("A snapshot and its indexes do not change")
    void snapshots() {
        cache.index(COLOUR);
        put(object("a", "1", "colour=red"));
        Snapshot<ConfigMap> then = cache.snapshot();
        put(object("a", "2", "colour=blue"));
        remove("a", "3");
        put(object("b", "4", "colour=red"));
        assertThat(names(then.list())).containsExactly("a");
        assertThat(names(then.by(COLOUR, "red"))).containsExactly("a");
        assertThat(then.by(COLOUR, "blue")).isEmpty();
        then.validate();
    }

    // client-go has one lock for readers and writers: 80 who list everything hold up the watch (k8s #130767)
    @Test
    @Timeout(300)
    @DisplayName("Wedged writers: a writer makes 1,000 changes while 80 readers are scanning")
    void writersDoNotWait() throws InterruptedException {
        for (int i = 0; i < 100; i++) {
            put(object("n" + i, "" + (i + 1)));
        }
        CountDownLatch scanning = new CountDownLatch(80);
        CountDownLatch written = new CountDownLatch(1);
        AtomicBoolean torn = new AtomicBoolean();
        List<CompletableFuture<?>> readers = new ArrayList<>();
        for (int r = 0; r < 80; r++) {
            readers.add(CompletableFuture.runAsync(
                    () -> {
                        int seen = 0;
                        for (Cache.Entry<ConfigMap> object : cache.snapshot().list()) {
                            if (seen++ == 50) {
                                scanning.countDown();
                                awaited(written);
                            }
                            torn.compareAndSet(false, object.version() > 100);
                        }
                        torn.compareAndSet(false, seen != 100);
                    },
                    task -> Thread.ofVirtual().start(task)));
        }
        scanning.await();
        for (int i = 0; i < 1000; i++) {
            put(object("n" + i % 100, "" + (1000 + i)));
        }
        written.countDown();
        readers.forEach(CompletableFuture::join);
        assertThat(torn).isFalse();
        assertThat(cache.get(ObjectKey.of("default", "n99")).orElseThrow().version())
                .isEqualTo(1999);
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    // client-go builds the new list beside the old one: any watch error doubles the memory (client-go #1377)
    @Test
    @DisplayName(
            "Memory doubles on relist: when 1,000 objects are listed again, never more than one page is held in addition")
    void relistDoesNotDouble() {
        int objects = 1000;
        int page = 50;
        replica.listBegins(1, true);
        for (int i = 0; i < objects; i++) {
            replica.listed(1, cached(object("n" + i, "" + (i + 1))));
        }
        replica.listEnds(1, "1000");
        replica.listBegins(2, true);
        for (int from = 0; from < objects; from += page) {
            List<Cache.Entry<ConfigMap>> held = new ArrayList<>(); // the page
            for (int i = from; i < from + page; i++) {
                held.add(cached(object("n" + i, "" + (2000 + i))));
            }
            held.forEach(object -> replica.listed(2, object));
            Set<Object> states = Collections.newSetFromMap(new IdentityHashMap<>());
            states.addAll(held);
            states.addAll(cache.list());
            assertThat(states).hasSize(objects); // the page is in the cache, and what it replaced is not
        }
        replica.listEnds(2, "3000");
        assertThat(cache.list()).allMatch(object -> object.version() >= 2000);
        assertThat(replica.ahead()).isZero();
    }

    @Test
    @DisplayName("The results of an incomplete first list are removed by the next, also when as many objects are shown")
    void unfinishedList() {
        replica.listBegins(1, true);
        replica.listed(1, cached(identified("a", "ua", "5")));
        replica.listed(1, cached(identified("b", "ub", "6")));
        // c is written and deleted by this process meanwhile; the next list does not know that yet
        replica.written(cached(identified("c", "uc", "7")));
        replica.gone(ObjectKey.of("default", "c"), "", "uc");
        replica.listBegins(2, false);
        replica.listed(2, cached(identified("a", "ua", "5")));
        replica.listed(2, cached(identified("c", "uc", "7")));
        replica.listEnds(2, "7");
        assertThat(names(cache.list())).containsExactly("a");
    }

    @Test
    @DisplayName("Bytes are those of the present objects; cluster-scoped keys sort first, then namespaces in order")
    void bytesAndOrder() {
        put(object("b", "1"));
        long one = cache.bytes();
        put(object("a", "2"));
        assertThat(cache.bytes()).isEqualTo(2 * one);
        remove("a", "3");
        assertThat(cache.bytes()).isEqualTo(one);
        put(ScriptedServer.json("{\"metadata\":{\"name\":\"z\",\"uid\":\"z\",\"resourceVersion\":\"4\"}}"));
        put(ScriptedServer.json(
                "{\"metadata\":{\"namespace\":\"default-2\",\"name\":\"a\",\"uid\":\"y\",\"resourceVersion\":\"5\"}}"));
        assertThat(cache.list())
                .extracting(Cache.Entry::key)
                .extracting(ObjectKey::toString)
                .containsExactly("z", "default/b", "default-2/a");
        assertThat(names(cache.list("default"))).containsExactly("b");
    }
}
