package dev.evenkeel.controller.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Watch;
import dev.evenkeel.simulation.VirtualScheduler;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Informers of some namespaces: what is asked of the server, what is in the cache, and what the cache does not say. */
class NamespacesTest {
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);
    private static final Index<ConfigMap, String> APP = Index.label("app");

    private final VirtualScheduler scheduler = new VirtualScheduler(1);
    private final ScriptedServer server = new ScriptedServer();
    private final List<String> told = new ArrayList<>();

    private Informers informers(String... namespaces) {
        return new Informers(server, server, Informers.Namespaces.of(namespaces), scheduler, InformerOptions.DEFAULT);
    }

    private Informers.Lease<ConfigMap> acquired(String... namespaces) {
        Informers.Lease<ConfigMap> lease = informers(namespaces).acquire(MAPS);
        Informer.Registration unused = lease.handle(Informer.HandlerOptions.named("told"), change -> {
            String initial =
                    change instanceof Informer.Change.Added<ConfigMap> added && added.initial() ? " initial" : "";
            told.add(change.getClass().getSimpleName() + " " + change.key() + initial);
        });
        return lease;
    }

    private static Encoded map(String namespace, String name, int version) {
        return ScriptedServer.json("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"namespace\":\""
                + namespace + "\",\"name\":\"" + name + "\",\"uid\":\"uid-" + name + "\",\"resourceVersion\":\""
                + version + "\",\"labels\":{\"app\":\"" + name + "\"}}}");
    }

    private static List<String> content(Informers.Lease<ConfigMap> lease) {
        lease.cache().snapshot().validate();
        return lease.cache().stream()
                .map(object -> object.key() + "@" + object.resourceVersion())
                .toList();
    }

    private static boolean synced(Informers.Lease<?> lease) {
        return lease.informer().synced().isDone();
    }

    private List<String> listed() {
        return server.lists.stream().map(ListOptions::namespace).toList();
    }

    private List<String> watched() {
        return server.opened.stream().map(watch -> watch.options().namespace()).toList();
    }

    // ---- which

    @Test
    void someOrAll() {
        Informers.Namespaces some = Informers.Namespaces.of("b", "a", "b");
        assertThat(some).hasToString("[a, b]");
        assertThat(some.isAll()).isFalse();
        assertThat(Stream.of("a", "b", "c", "").filter(some::has)).containsExactly("a", "b");
        assertThat(some.of(MAPS)).isSameAs(some);
        assertThat(some.of(Kind.of(Node.class))).isSameAs(Informers.Namespaces.ALL);
        assertThat(Informers.Namespaces.ALL.isAll()).isTrue();
        assertThat(Informers.Namespaces.ALL.has("a")).isTrue();
        assertThat(Informers.Namespaces.ALL).hasToString("all namespaces");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "A", "a.b", "a/b", "-a", "a-", "a,b"})
    void invalidNamesAreRefused(String name) {
        assertThatThrownBy(() -> Informers.Namespaces.of("a", name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("namespaces: each must be a lowercase RFC 1123 label")
                .hasMessageContaining("characters: \"" + name + "\"")
                .hasMessageEndingWith("leave them out for all");
    }

    @Test
    void noneAreRefused() {
        assertThatThrownBy(Informers.Namespaces::of)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("namespaces: must not be empty: name one or more, or leave them out for all");
        assertThatThrownBy(() -> Informers.Namespaces.of("a".repeat(64))).isInstanceOf(IllegalArgumentException.class);
    }

    // ---- what is asked

    @Test
    void oneNamespaceHasOneListAndOneWatchForAllSelections() {
        Informers informers = informers("a");
        server.list("10", map("a", "x", 5));
        Informers.Lease<ConfigMap> lease = informers.acquire(MAPS);
        Informers.Lease<ConfigMap> selecting =
                informers.acquire(MAPS, ListOptions.in("a"), InformerOptions.DEFAULT.projection());
        scheduler.run();

        assertThat(selecting.informer()).isSameAs(lease.informer());
        assertThat(lease.informer().selection().namespace()).isEqualTo("a");
        assertThat(server.asked).containsExactly("list 0", "watch 10");
        assertThat(listed()).containsExactly("a");
        assertThat(watched()).containsExactly("a");
        assertThat(content(lease)).containsExactly("a/x@5");
        assertThat(synced(lease)).isTrue();
    }

    @Test
    void eachNamespaceIsListedAndWatchedByItselfWithTheSelectors() {
        Informers informers = informers("b", "a");
        server.list("10", map("a", "x", 5)).list("12", map("b", "y", 6));
        LabelSelector labels = LabelSelector.parse("app in (x, y)");
        Informers.Lease<ConfigMap> lease =
                informers.acquire(MAPS, ListOptions.ALL.labels(labels), InformerOptions.DEFAULT.projection());
        scheduler.run();

        assertThat(server.asked).containsExactlyInAnyOrder("list 0", "watch 10", "list 0", "watch 12");
        assertThat(listed()).containsExactly("a", "b");
        assertThat(watched()).containsExactly("a", "b");
        assertThat(server.lists).extracting(ListOptions::labels).containsOnly(labels);
        assertThat(content(lease)).containsExactly("a/x@5", "b/y@6");

        lease.close();
        scheduler.run();
        assertThat(server.opened).allMatch(ScriptedServer.Opened::closed);
        assertThat(lease.informer().ended()).isDone();
        assertThat(scheduler.timers()).isZero();
    }

    @Test
    void kindsWithoutNamespacesAreFollowedWhole() {
        server.list("10");
        Informers.Lease<Node> nodes = informers("a", "b").acquire(Kind.of(Node.class));
        scheduler.run();

        assertThat(listed()).containsExactly("");
        assertThat(watched()).containsExactly("");
        assertThat(synced(nodes)).isTrue();
        assertThat(nodes.cache().find(ObjectKey.cluster("n"))).isEmpty();
    }

    // ---- when it is complete

    @Test
    void itIsCompleteWhenAllNamespacesAre() {
        server.list("10", map("a", "x", 5)).listFails(ScriptedServer.internal());
        Informers.Lease<ConfigMap> lease = acquired("a", "b");
        Informer.Registration other = lease.handle(Informer.HandlerOptions.named("other"), change -> {});
        scheduler.run();
        assertThat(synced(lease)).isFalse();
        assertThat(lease.informer().unsynced()).containsExactly("configmaps in b");
        assertThat(other.synced()).isNotDone();
        assertThat(lease.informer().figures().synced()).isFalse();
        assertThat(content(lease)).containsExactly("a/x@5");

        server.watch().event(Watch.Type.ADDED, map("a", "new", 11));
        server.list("12", map("b", "y", 6));
        scheduler.advance(Duration.ofSeconds(5));

        assertThat(synced(lease)).isTrue();
        assertThat(lease.informer().unsynced()).isEmpty();
        assertThat(other.synced()).isDone();
        assertThat(content(lease)).containsExactly("a/new@11", "a/x@5", "b/y@6");
        // what a first list brings was there, what a watch brings is new: in each namespace
        assertThat(told).containsExactly("Added a/x initial", "Added a/new", "Added b/y initial");
        assertThat(lease.informer().figures())
                .returns(1L, Informer.Statistics::failures)
                .returns(1L, Informer.Statistics::relists)
                .returns(0L, Informer.Statistics::watchRestarts)
                .returns(3, Informer.Statistics::objects);
    }

    @Test
    void moreFieldsAreAvailableWhenAllNamespacesAreListedAgain() {
        Informers informers = informers("a", "b");
        server.list("10", map("a", "x", 5)).list("10", map("b", "y", 6));
        Informers.Lease<ConfigMap> lease = informers.acquire(MAPS, ListOptions.ALL, Projection.of("data"));
        scheduler.run();
        assertThat(synced(lease)).isTrue();

        server.list("20", map("a", "x", 5)).listFails(ScriptedServer.internal());
        Informers.Lease<ConfigMap> more = informers.acquire(MAPS, ListOptions.ALL, Projection.everything());
        scheduler.run();
        assertThat(more.informer()).isSameAs(lease.informer());
        assertThat(synced(more)).isFalse();

        server.list("20", map("b", "y", 6));
        scheduler.advance(Duration.ofSeconds(5));
        assertThat(synced(more)).isTrue();
        assertThat(content(more)).containsExactly("a/x@5", "b/y@6");
        assertThat(more.informer().figures().relists()).isEqualTo(3);
    }

    // ---- one namespace and the others

    @Test
    @DisplayName("A namespace whose history expired is listed again: its deleted objects are removed, and no others")
    void relists() {
        server.list("10", map("a", "x", 5), map("a", "gone", 6)).list("10", map("b", "y", 7));
        Informers.Lease<ConfigMap> lease = acquired("a", "b");
        scheduler.run();
        ScriptedServer.Opened<?> a = server.opened.getFirst();
        told.clear();

        server.list("30", map("a", "x", 25));
        a.fail(ScriptedServer.expired());
        scheduler.advance(Duration.ofSeconds(5));

        assertThat(content(lease)).containsExactly("a/x@25", "b/y@7");
        assertThat(told).containsExactly("Updated a/x", "Deleted a/gone");
        assertThat(listed()).containsExactly("a", "b", "a");
        assertThat(watched()).containsExactly("a", "b", "a");
        assertThat(server.opened.get(1).closed()).isFalse();
        assertThat(lease.informer().figures().relists()).isEqualTo(1);
        assertThat(synced(lease)).isTrue();

        // and an empty one
        server.list("40");
        server.opened.get(1).fail(ScriptedServer.expired());
        scheduler.advance(Duration.ofSeconds(5));
        assertThat(content(lease)).containsExactly("a/x@25");
    }

    @Test
    void bookmarksAndEndsOfOneNamespaceMoveNoOther() {
        server.list("10").list("11");
        Informers.Lease<ConfigMap> lease = acquired("a", "b");
        scheduler.run();
        ScriptedServer.Opened<?> a = server.opened.getFirst();
        a.bookmark("50").end();
        scheduler.advance(Duration.ofSeconds(5));
        server.opened.get(1).end();
        scheduler.advance(Duration.ofSeconds(5));

        assertThat(server.asked).containsExactly("list 0", "watch 10", "list 0", "watch 11", "watch 50", "watch 11");
        assertThat(watched()).containsExactly("a", "b", "a", "b");
        assertThat(synced(lease)).isTrue();
    }

    @Test
    @DisplayName("An own write in one namespace does not count as delivered because another watch is ahead")
    void ownWritesHaveThePositionOfTheirNamespace() throws InterruptedException {
        server.list("10").list("10", map("b", "y", 7));
        Informers.Lease<ConfigMap> lease = acquired("a", "b");
        scheduler.run();
        Informer<ConfigMap> informer = lease.informer();
        informer.written(map("b", "y", 20));
        server.opened.getFirst().bookmark("30");
        scheduler.run();
        assertThat(informer.figures().ahead()).isEqualTo(1);

        // the watch of the namespace is behind the write
        server.opened.get(1).event(Watch.Type.MODIFIED, map("b", "y", 15));
        scheduler.run();
        assertThat(content(lease)).containsExactly("b/y@20");

        server.opened.get(1).event(Watch.Type.MODIFIED, map("b", "y", 20));
        scheduler.run();
        assertThat(informer.figures().ahead()).isZero();
        assertThat(content(lease)).containsExactly("b/y@20");

        informer.gone(ObjectKey.of("b", "y"), "uid-y", "uid-y");
        assertThat(content(lease)).isEmpty();
        assertThat(Stream.of("a", "b", "c").filter(namespace -> informer.concerns(ObjectKey.of(namespace, "y"))))
                .containsExactly("a", "b");
        assertThat(informer.uid(ObjectKey.of("c", "y"))).isEmpty();
    }

    // ---- what is not cached

    @Test
    @DisplayName("Of a namespace that is not cached nothing is answered: \"there is none\" would be a lie")
    void otherNamespacesCannotBeRead() {
        server.list("10", map("a", "x", 5)).list("10", map("b", "y", 6));
        Informers.Lease<ConfigMap> lease = acquired("a", "b");
        scheduler.run();
        Cache<ConfigMap> cache = lease.cache();
        cache.index(APP);
        ObjectKey outside = ObjectKey.of("c", "x");

        for (Supplier<?> read : List.<Supplier<?>>of(
                () -> cache.get(outside),
                () -> cache.find(outside),
                () -> cache.list("c"),
                () -> cache.list("c", LabelSelector.parse("app=x")),
                () -> cache.list(ListOptions.in("c")),
                () -> cache.snapshot().get(outside),
                () -> cache.snapshot().list("c"))) {
            assertThatThrownBy(read::get)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("cache: namespace \"c\" is none of [a, b]: add it to namespaces(...) of the manager, or"
                            + " read from the API, with client()");
        }
        assertThat(cache.find(ObjectKey.of("a", "x"))).isPresent();
        assertThat(cache.find(ObjectKey.of("a", "none"))).isEmpty();
        assertThat(cache.list("a")).hasSize(1);
        assertThat(cache.list()).hasSize(2);
        assertThat(cache.list(LabelSelector.everything())).hasSize(2);
        assertThat(cache.list(ListOptions.ALL)).hasSize(2);
        assertThat(cache.by(APP, "y")).hasSize(1);
    }

    @Test
    void otherNamespacesCannotBeSelected() {
        assertThatThrownBy(() ->
                        informers("a", "b").acquire(MAPS, ListOptions.in("c"), InformerOptions.DEFAULT.projection()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("selection of configmaps: namespace \"c\" is none of [a, b]: add it to namespaces(...) of"
                        + " the manager, or select in one of these");
        assertThat(server.asked).isEmpty();
    }
}
