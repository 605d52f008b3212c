package dev.evenkeel.controller.internal;

import static dev.evenkeel.controller.Objects.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Tracker;
import dev.evenkeel.controller.cache.Informers;
import dev.evenkeel.simulation.VirtualScheduler;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ReferencesTest {
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);
    private static final Kind<Secret> SECRETS = Kind.of(Secret.class);
    private static final Kind<Node> NODES = Kind.of(Node.class);

    /** Of the same kind, but another group. */
    private static final Kind<?> FOREIGN = Kind.generic("example.com", "v1", "ConfigMap", "configmaps", true);

    private static final Duration LEASE = Duration.ofHours(20);
    private static final Map<String, String> WEB = Map.of("app", "web");
    private static final LabelSelector IS_WEB = LabelSelector.matching(WEB);
    private static final ObjectKey ONE = key("one");
    private static final ObjectKey TWO = key("two");

    private final VirtualScheduler time = new VirtualScheduler(1);
    private final References references = references(LEASE);

    private References references(Duration lease) {
        return new References("test", List.of(MAPS, SECRETS, NODES, FOREIGN), Informers.Namespaces.ALL, time, lease);
    }

    private Set<ObjectKey> observers(Kind<?> kind, ObjectKey key) {
        return references.observers(kind, key, Map.of());
    }

    private Set<ObjectKey> labelled(ObjectKey key) {
        return references.observers(MAPS, key, WEB);
    }

    @Test
    void aNameIsThatOfOneObject() {
        references.track(Tracker.Target.of(MAPS, key("a")), ONE);

        assertThat(observers(MAPS, key("a"))).containsExactly(ONE);
        assertThat(labelled(key("a"))).containsExactly(ONE);
        assertThat(observers(MAPS, key("b"))).isEmpty();
        assertThat(observers(MAPS, ObjectKey.of("other", "a"))).isEmpty();
        assertThat(observers(SECRETS, key("a"))).isEmpty();
        assertThat(observers(FOREIGN, key("a"))).isEmpty();
        assertThat(observers(NODES, ObjectKey.cluster("a"))).isEmpty();
    }

    @Test
    void objectsWithoutNamespaceAreFoundToo() {
        references.track(Tracker.Target.of(NODES, ObjectKey.cluster("a")), ONE);
        references.track(Tracker.Target.selecting(NODES, "", IS_WEB), TWO);

        assertThat(observers(NODES, ObjectKey.cluster("a"))).containsExactly(ONE);
        assertThat(references.observers(NODES, ObjectKey.cluster("b"), WEB)).containsExactly(TWO);
    }

    @Test
    void aSelectorOfANamespaceFindsThereByLabels() {
        references.track(Tracker.Target.selecting(MAPS, "default", IS_WEB), ONE);

        assertThat(labelled(key("any"))).containsExactly(ONE);
        assertThat(observers(MAPS, key("any"))).isEmpty();
        assertThat(labelled(ObjectKey.of("other", "any"))).isEmpty();
        assertThat(references.observers(SECRETS, key("any"), WEB)).isEmpty();
        assertThat(references.observers(FOREIGN, key("any"), WEB)).isEmpty();
    }

    @Test
    void aSelectorOfAllNamespacesFindsEverywhere() {
        references.track(Tracker.Target.selecting(MAPS, "", IS_WEB), ONE);
        references.track(Tracker.Target.selecting(SECRETS, "", LabelSelector.everything()), TWO);

        assertThat(labelled(key("any"))).containsExactly(ONE);
        assertThat(labelled(ObjectKey.of("other", "any"))).containsExactly(ONE);
        assertThat(observers(MAPS, key("any"))).isEmpty();
        assertThat(observers(SECRETS, key("any"))).containsExactly(TWO);
    }

    @Test
    void everyObserverIsFoundOnce() {
        references.track(Tracker.Target.of(MAPS, key("a")), ONE);
        references.track(Tracker.Target.selecting(MAPS, "default", IS_WEB), ONE);
        references.track(Tracker.Target.selecting(MAPS, "", LabelSelector.everything()), ONE);
        references.track(Tracker.Target.of(MAPS, key("a")), TWO);
        references.track(Tracker.Target.selecting(MAPS, "default", IS_WEB), TWO);

        assertThat(labelled(key("a"))).containsExactlyInAnyOrder(ONE, TWO);
        assertThat(observers(MAPS, key("b"))).containsExactly(ONE);
    }

    @Test
    void untrackedReferencesAreForgotten() {
        references.track(Tracker.Target.of(MAPS, key("a")), ONE);
        references.track(Tracker.Target.selecting(MAPS, "", IS_WEB), ONE);
        time.skip(LEASE);
        assertThat(labelled(key("a"))).containsExactly(ONE);

        time.skip(Duration.ofNanos(1));

        assertThat(labelled(key("a"))).isEmpty();
        assertThat(references.size()).isZero();
    }

    @Test
    void trackingAgainRenewsTheLeaseOfThatReferenceAlone() {
        references.track(Tracker.Target.of(MAPS, key("a")), ONE);
        references.track(Tracker.Target.of(MAPS, key("b")), ONE);
        references.track(Tracker.Target.of(MAPS, key("a")), TWO);
        time.skip(LEASE);
        references.track(Tracker.Target.of(MAPS, key("a")), ONE);
        time.skip(LEASE);

        assertThat(observers(MAPS, key("a"))).containsExactly(ONE);
        assertThat(observers(MAPS, key("b"))).isEmpty();
        assertThat(references.size()).isEqualTo(1);
    }

    @Test
    void expiredReferencesAreDroppedByTracking() {
        for (int i = 0; i < 100; i++) {
            references.track(Tracker.Target.of(MAPS, key("name" + i)), ONE);
        }
        time.skip(LEASE.plusNanos(1));

        references.track(Tracker.Target.of(MAPS, key("a")), TWO);

        assertThat(references.size()).isEqualTo(1);
    }

    @Test
    void leasesWithoutADurationNeverExpire() {
        References endless = references(Duration.ZERO);
        endless.track(Tracker.Target.of(MAPS, key("a")), ONE);
        time.skip(Duration.ofDays(10_000));

        assertThat(endless.observers(MAPS, key("a"), Map.of())).containsExactly(ONE);
    }

    @Test
    void aDeletedObserverIsForgotten() {
        references.track(Tracker.Target.of(MAPS, key("a")), ONE);
        references.track(Tracker.Target.selecting(MAPS, "", IS_WEB), ONE);
        references.track(Tracker.Target.of(MAPS, key("a")), TWO);

        references.forget(ONE);
        references.forget(key("unknown"));

        assertThat(labelled(key("a"))).containsExactly(TWO);
        assertThat(references.size()).isEqualTo(1);
    }

    @Test
    void aKindThatIsNotDeclaredIsRefused() {
        References few = new References("websites", List.of(MAPS), Informers.Namespaces.ALL, time, LEASE);

        assertThatThrownBy(() -> few.track(Tracker.Target.of(SECRETS, key("a")), ONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "controller websites does not track Secret, so changes of Secret default/a would not "
                                + "trigger default/one: declare it with Controller.tracks(Secret.class); it tracks [configmaps]");
        assertThatThrownBy(() -> few.track(Tracker.Target.selecting(FOREIGN, "", IS_WEB), ONE))
                .hasMessageStartingWith("controller websites does not track example.com/ConfigMap, ");
        assertThat(few.size()).isZero();
    }

    @Test
    void itFindsTheObserversOfAModel() {
        long seed = Long.getLong("references.seed", System.nanoTime());
        System.out.println("-Dreferences.seed=" + seed);
        RandomGenerator random = new SplittableRandom(seed);
        Map<ObjectKey, Map<Tracker.Target, Long>> model = new HashMap<>();
        for (int i = 0; i < 5_000; i++) {
            ObjectKey observer = key("observer" + random.nextInt(4));
            switch (random.nextInt(10)) {
                case 0 -> {
                    references.forget(observer);
                    model.remove(observer);
                }
                case 1, 2, 3 -> time.skip(LEASE.dividedBy(1 + random.nextInt(20)));
                default -> {
                    Tracker.Target tracked = tracked(random);
                    references.track(tracked, observer);
                    model.computeIfAbsent(observer, any -> new HashMap<>()).put(tracked, time.nanoTime());
                }
            }
            ObjectKey object = ObjectKey.of("ns" + random.nextInt(2), "name" + random.nextInt(3));
            Map<String, String> labels = random.nextBoolean() ? WEB : Map.of("app", "db");
            Set<ObjectKey> expected = new HashSet<>();
            model.forEach((key, leases) -> leases.forEach((tracked, at) -> {
                boolean meant = tracked.selector().isPresent()
                        ? tracked.selector().get().matches(labels)
                                && (tracked.namespace().isEmpty()
                                        || tracked.namespace().equals(object.namespace()))
                        : tracked.name().equals(object.name())
                                && tracked.namespace().equals(object.namespace());
                if (meant && time.nanoTime() - at <= LEASE.toNanos()) {
                    expected.add(key);
                }
            }));

            assertThat(references.observers(MAPS, object, labels))
                    .as("seed %d, step %d", seed, i)
                    .isEqualTo(expected);
        }
    }

    private static Tracker.Target tracked(RandomGenerator random) {
        String namespace = "ns" + random.nextInt(2);
        return switch (random.nextInt(4)) {
            case 0 -> Tracker.Target.selecting(MAPS, namespace, IS_WEB);
            case 1 -> Tracker.Target.selecting(MAPS, "", random.nextBoolean() ? IS_WEB : LabelSelector.everything());
            default -> Tracker.Target.of(MAPS, ObjectKey.of(namespace, "name" + random.nextInt(3)));
        };
    }
}
