package dev.evenkeel.engine.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ExpiredException;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Watch;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.spi.CompactedException;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.List;
import java.util.Optional;

/** The deletion of a partition, on any store. */
public final class PartitionDeletion {
    private static final String NAME = "tenant";
    private static final ObjectKey KEPT = ObjectKey.of("default", "kept");

    private PartitionDeletion() {}

    private static ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build();
    }

    /** Deletes a partition, and checks that nothing of it is left, and that the others are as before. */
    public static void check(Engine engine) throws InterruptedException {
        ConfigMap kept = engine.client().create(map("kept"));
        Client client = engine.partition(NAME).client("test");
        for (int i = 0; i < 250; i++) { // more than are deleted by one commit
            client.create(map("m" + i));
        }
        long before = engine.store().revision();
        try (Watch<ConfigMap> watch = client.watch(ConfigMap.class, ListOptions.ALL);
                Watch<ConfigMap> other = engine.client().watch(ConfigMap.class, ListOptions.ALL)) {
            assertThat(engine.deletePartition(NAME)).isTrue();
            assertEnds(watch);
            engine.client().create(map("later"));
            assertThat(names(other)).contains("kept", "later");
        }
        assertGone(engine);
        assertThat(engine.client().get(ConfigMap.class, KEPT)).isEqualTo(kept);
        assertThat(engine.deletePartition(NAME)).isFalse();
        assertThatThrownBy(() -> client.get(ConfigMap.class, ObjectKey.of("default", "m1")))
                .isInstanceOf(NotFoundException.class);
        assertThatThrownBy(() -> client.create(map("m1"))).isInstanceOf(NotFoundException.class);
        assertThatThrownBy(() -> engine.store().snapshot(before)).isInstanceOf(CompactedException.class);

        Client again = engine.partition(NAME).client("test");
        assertThat(again.find(ConfigMap.class, ObjectKey.of("default", "m1"))).isEmpty();
        again.create(map("m1"));
        assertThat(engine.deletePartition(NAME)).isTrue();
        for (String permanent : List.of(Engine.DEFAULT_PARTITION, Engine.SYSTEM_PARTITION)) {
            assertThatThrownBy(() -> engine.deletePartition(permanent))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("cannot be deleted");
        }
    }

    /** A watch that has not read the last events may miss them. */
    private static void assertEnds(Watch<ConfigMap> watch) throws InterruptedException {
        try {
            Optional<Watch.Event<ConfigMap>> event = watch.next();
            while (event.isPresent()) {
                event = watch.next();
            }
        } catch (ExpiredException e) {
            assertThat(e.code()).isEqualTo(410);
        }
    }

    private static List<String> names(Watch<ConfigMap> watch) throws InterruptedException {
        List<String> names = new java.util.ArrayList<>();
        while (!names.contains("later")) {
            names.add(watch.next().orElseThrow().object().getMetadata().getName());
        }
        return names;
    }

    /** Checks that nothing of the partition that {@link #check} has deleted is left, such as after a restart. */
    public static void assertGone(Engine engine) {
        assertThat(engine.partitions()).doesNotContain(NAME);
        assertThat(engine.findPartition(NAME)).isEmpty();
        assertThat(engine.store().latest().collections())
                .noneMatch(collection -> collection.startsWith(NAME + "/"))
                .contains("default/configmaps");
    }
}
