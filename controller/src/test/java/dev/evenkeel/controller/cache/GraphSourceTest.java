package dev.evenkeel.controller.cache;

import static dev.evenkeel.controller.cache.ScriptedServer.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.graph.Barrier;
import dev.evenkeel.graph.Feed;
import dev.evenkeel.graph.Graph;
import dev.evenkeel.graph.Input;
import dev.evenkeel.graph.Table;
import dev.evenkeel.simulation.VirtualScheduler;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class GraphSourceTest {
    private final VirtualScheduler scheduler = new VirtualScheduler(1);
    private final ScriptedServer server = new ScriptedServer();
    private final Informer<ConfigMap> informer =
            new Informer<>(server, Kind.of(ConfigMap.class), ListOptions.ALL, scheduler, InformerOptions.DEFAULT);
    private final Graph graph = Graph.create();
    private final Feed feed = new Feed(graph, Runnable::run, 100);
    private final Input<ObjectKey, String> maps = graph.input("maps");
    private final Barrier synced = graph.inSync(maps);
    private final List<String> computed = new ArrayList<>();
    private final Table<ObjectKey, String> versions = maps.map((key, version) -> {
        if (version.equals("666")) {
            throw new IllegalArgumentException("bad version");
        }
        computed.add(key.name());
        return version;
    });

    private String versions() {
        return versions.toMap().entrySet().stream()
                .map(row -> row.getKey().name() + "@" + row.getValue())
                .sorted()
                .collect(Collectors.joining(" "));
    }

    private void start() {
        server.list("10", object("a", "5"), object("b", "6"));
        informer.start();
        scheduler.run();
    }

    @Test
    void rowsFollowTheObjects() {
        GraphSource.attach(informer, feed, maps, Cache.Entry::resourceVersion);
        assertThat(synced.isOpen()).isFalse();
        start();
        assertThat(synced.isOpen()).isTrue();
        assertThat(versions()).isEqualTo("a@5 b@6");
        server.watch().added("c", "11").modified("a", "12").deleted("b", "13");
        scheduler.run();
        assertThat(versions()).isEqualTo("a@12 c@11");
        graph.verify();
    }

    @Test
    void aGapInTheWatchChangesOnlyWhatDiffers() {
        GraphSource.attach(informer, feed, maps, Cache.Entry::resourceVersion);
        start();
        computed.clear();
        server.list("20", object("b", "6"), object("c", "15"));
        server.watch().fail(ScriptedServer.expired());
        scheduler.advance(Duration.ofSeconds(5));
        assertThat(versions()).isEqualTo("b@6 c@15");
        assertThat(computed).containsExactly("c");
    }

    @Test
    void anObjectWithoutValueHasNoRow() {
        GraphSource.attach(informer, feed, maps, entry -> {
            if (entry.resourceVersion().equals("12")) {
                throw new IllegalArgumentException("unreadable");
            }
            return entry.resourceVersion();
        });
        start();
        server.watch().modified("a", "12");
        scheduler.run();
        assertThat(versions()).isEqualTo("b@6");
        assertThat(informer.problems()).isPositive();
        server.watch().modified("a", "13");
        scheduler.run();
        assertThat(versions()).isEqualTo("a@13 b@6");
    }

    @Test
    void aChangeThatFailsAStepIsLeftOut() {
        GraphSource.attach(informer, feed, maps, Cache.Entry::resourceVersion);
        start();
        server.watch().modified("b", "14").modified("a", "666");
        scheduler.run();
        assertThat(versions()).isEqualTo("a@5 b@14");
    }
}
