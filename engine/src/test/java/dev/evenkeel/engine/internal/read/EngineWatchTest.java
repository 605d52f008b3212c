package dev.evenkeel.engine.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Watch;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Time in watches, by a clock that is moved by hand. */
@Timeout(300)
class EngineWatchTest {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    private final Engine engine = Engine.builder().clock(now::get).build();
    private final Client client = engine.client();

    @AfterEach
    void close() {
        engine.close();
    }

    private void pass(Duration time) {
        now.updateAndGet(then -> then.plus(time));
    }

    private ConfigMap create(String name) {
        return client.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build());
    }

    private Watch<ConfigMap> watch(Duration timeout) {
        String start = client.list(ConfigMap.class, ListOptions.in("default")).resourceVersion();
        return client.watch(
                ConfigMap.class,
                ListOptions.in("default").resourceVersion(start).timeout(timeout));
    }

    @Test
    void endsAfterItsTimeout() throws InterruptedException {
        try (Watch<ConfigMap> watch = watch(Duration.ofSeconds(30))) {
            assertThat(watch.ready()).isFalse();
            pass(Duration.ofSeconds(29));
            assertThat(watch.ready()).isFalse();
            pass(Duration.ofSeconds(1));
            assertThat(watch.ready()).isTrue();
            assertThat(watch.next()).isEmpty();
            assertThat(watch.ready()).isTrue();
            assertThat(watch.next()).isEmpty();
        }
    }

    @Test
    void eventsBeforeTheEndAreDelivered() throws InterruptedException {
        try (Watch<ConfigMap> watch = watch(Duration.ofSeconds(30))) {
            create("a");
            pass(Duration.ofSeconds(30));
            assertThat(watch.next().orElseThrow().type()).isEqualTo(Watch.Type.ADDED);
            assertThat(watch.next()).isEmpty();
        }
    }

    @Test
    void withoutATimeoutItContinues() throws InterruptedException {
        try (Watch<ConfigMap> watch = watch(Duration.ZERO)) {
            pass(Duration.ofDays(400));
            assertThat(watch.next().orElseThrow().type()).isEqualTo(Watch.Type.BOOKMARK);
            create("a");
            assertThat(watch.next().orElseThrow().type()).isEqualTo(Watch.Type.ADDED);
        }
    }

    @Test
    void aBookmarkFollowsAMinuteWithoutEvents() throws InterruptedException {
        try (Watch<ConfigMap> watch = watch(Duration.ZERO)) {
            pass(Duration.ofSeconds(59));
            assertThat(watch.ready()).isFalse();
            ConfigMap created = create("a");
            assertThat(watch.next().orElseThrow().object()).isEqualTo(created);
            pass(Duration.ofSeconds(59));
            assertThat(watch.ready()).as("an event came less than a minute ago").isFalse();
            String elsewhere = client.create(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withNamespace("kube-system")
                            .withName("b")
                            .endMetadata()
                            .build())
                    .getMetadata()
                    .getResourceVersion();
            pass(Duration.ofSeconds(1));
            assertThat(watch.ready()).isTrue();
            Watch.Event<ConfigMap> bookmark = watch.next().orElseThrow();
            assertThat(bookmark.type()).isEqualTo(Watch.Type.BOOKMARK);
            assertThat(bookmark.initialEventsEnd()).isFalse();
            assertThat(bookmark.resourceVersion())
                    .as("changes of other objects advance it")
                    .isEqualTo(elsewhere);
            assertThat(watch.ready()).isFalse();
            pass(Duration.ofMinutes(1));
            assertThat(watch.next().orElseThrow().type()).isEqualTo(Watch.Type.BOOKMARK);
        }
    }
}
