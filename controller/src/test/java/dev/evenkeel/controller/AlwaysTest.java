package dev.evenkeel.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.simulation.VirtualScheduler;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keys that are reconciled though there is no object. */
@Timeout(300)
class AlwaysTest {
    private static final ObjectKey KEY = ObjectKey.of("default", "summary");
    private static final ObjectKey SECRET = ObjectKey.of("default", "s");

    private final Engine engine = Engine.builder().executor(Runnable::run).build();
    private final Client client = engine.client();
    private final VirtualScheduler scheduler = new VirtualScheduler(1);
    private final Manager manager = Manager.builder(client).scheduler(scheduler).build();
    private final List<String> seen = new ArrayList<>();

    @AfterEach
    void close() {
        manager.close();
        engine.close();
    }

    private Result reconcile(Reconciliation<ConfigMap> reconciliation) {
        seen.add(reconciliation.key()
                + (reconciliation.resource().isPresent() ? " there " : " missing ")
                + reconciliation.causes());
        var unused = reconciliation.tracker().find(Secret.class, SECRET);
        return Result.done();
    }

    private List<String> seen() {
        scheduler.settle();
        List<String> all = List.copyOf(seen);
        seen.clear();
        return all;
    }

    private static ConfigMap summary() {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("summary")
                .endMetadata()
                .build();
    }

    private static Secret secret() {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("s")
                .endMetadata()
                .build();
    }

    @Test
    @DisplayName(
            "A key without an object is reconciled at the start, when a tracked object changes, and at each interval")
    void withoutAnObject() {
        Controller<ConfigMap> controller = Controller.of(ConfigMap.class, this::reconcile)
                .tracks(Kind.of(Secret.class))
                .always(KEY)
                .always(KEY)
                .resyncInterval(Duration.ofHours(1));
        assertThat(controller.always()).containsExactly(KEY);
        manager.add(controller).start();
        assertThat(seen()).containsExactly("default/summary missing [start configmaps]");
        var unused = client.create(secret());
        assertThat(seen()).containsExactly("default/summary missing [tracked Secret default/s added]");
        scheduler.advance(Duration.ofMinutes(61));
        assertThat(seen()).containsExactly("default/summary missing [interval PT1H]");
        var unused2 = client.delete(Secret.class, SECRET);
        assertThat(seen()).hasSize(1);
        var unused3 = client.create(summary());
        assertThat(seen()).containsExactly("default/summary there [ConfigMap added]");
        var unused4 = client.delete(ConfigMap.class, KEY);
        assertThat(seen()).containsExactly("default/summary missing [ConfigMap deleted]");
        var unused5 = client.create(secret());
        assertThat(seen()).as("tracked again").hasSize(1);
    }

    @Test
    @DisplayName("A key with an object is reconciled once")
    void withAnObject() {
        var unused = client.create(summary());
        manager.add(Controller.of(ConfigMap.class, this::reconcile)
                        .tracks(Kind.of(Secret.class))
                        .always(KEY)
                        .resyncInterval(Duration.ofHours(1)))
                .start();
        assertThat(seen()).hasSize(1);
        scheduler.advance(Duration.ofMinutes(61));
        assertThat(seen()).hasSize(1);
    }
}
