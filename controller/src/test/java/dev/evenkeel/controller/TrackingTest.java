package dev.evenkeel.controller;

import static dev.evenkeel.controller.Objects.configMap;
import static dev.evenkeel.controller.Objects.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.schedule.BatonScheduler;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Secrets whose annotations say which config maps they depend on, on the real engine and in virtual time. */
@Timeout(300)
class TrackingTest {
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);

    private final Engine engine = Engine.create();
    private final Client client = engine.client();
    private final BatonScheduler time = new BatonScheduler(1);
    private final List<String> calls = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final Manager manager = Manager.builder(client)
            .scheduler(time)
            .listener(event -> {
                if (event instanceof ControllerEvent.Reconciled reconciled) {
                    reconciled.failure().ifPresent(failures::add);
                }
            })
            .build();

    @AfterEach
    void stop() {
        Scheduler.Job job = time.execute("test", manager::close);
        for (int i = 0; i < 600 && !job.ended().isDone(); i++) {
            time.advance(Duration.ofMillis(100));
        }
        assertThat(job.ended()).isDone();
        engine.close();
    }

    private List<String> calls() {
        time.advance(Duration.ofMillis(50));
        List<String> seen = List.copyOf(calls);
        calls.clear();
        return seen;
    }

    private List<String> names() {
        return calls().stream()
                .map(call -> call.substring(0, call.indexOf(' ')))
                .toList();
    }

    private Controller<Secret> controller() {
        return Controller.of(Secret.class, this::reconcile).name("secrets").resyncInterval(Duration.ZERO);
    }

    private Result reconcile(Reconciliation<Secret> reconciliation) {
        String name = reconciliation.key().name();
        String seen = reconciliation
                .resource()
                .map(secret ->
                        read(reconciliation.tracker(), secret.getMetadata().getAnnotations()))
                .orElse("gone");
        calls.add(name + " " + seen + " " + reconciliation.causes());
        return Result.done();
    }

    private static String read(Tracker tracker, Map<String, String> annotations) {
        String name = annotations.getOrDefault("name", "");
        if (!name.isEmpty()) {
            Optional<ConfigMap> found = tracker.find(ConfigMap.class, key(name));
            return found.map(map -> map.getData().get("k")).orElse("missing");
        }
        String selector = annotations.getOrDefault("selector", "");
        ListOptions options = ListOptions.in("default").labels(LabelSelector.parse(selector));
        return selector.isEmpty()
                ? "nothing"
                : tracker.list(ConfigMap.class, options).items().size() + "";
    }

    private void secret(String name, String annotation, String value) {
        client.create(new SecretBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .addToAnnotations(annotation, value)
                .endMetadata()
                .build());
    }

    private static ConfigMap labelled(String name, String value, String app) {
        return new ConfigMapBuilder(configMap(name, value))
                .editMetadata()
                .addToLabels("app", app)
                .endMetadata()
                .build();
    }

    @Test
    void anObjectTrackedByNameTriggersItsObserversAlsoBeforeItExists() {
        secret("one", "name", "a");
        secret("two", "name", "a");
        secret("three", "name", "b");
        secret("four", "none", "");
        manager.add(controller().tracks(MAPS)).start();
        assertThat(names()).containsExactlyInAnyOrder("one", "two", "three", "four");

        client.create(configMap("a", "1"));
        assertThat(calls())
                .containsExactlyInAnyOrder(
                        "one 1 [tracked ConfigMap default/a added]", "two 1 [tracked ConfigMap default/a added]");
        client.update(configMap("a", "2"));
        assertThat(calls())
                .containsExactlyInAnyOrder(
                        "one 2 [tracked ConfigMap default/a updated]", "two 2 [tracked ConfigMap default/a updated]");
        client.delete(ConfigMap.class, key("a"));
        assertThat(calls())
                .containsExactlyInAnyOrder(
                        "one missing [tracked ConfigMap default/a deleted]",
                        "two missing [tracked ConfigMap default/a deleted]");
        client.create(configMap("c", "1"));
        assertThat(calls()).isEmpty();
        client.create(new ConfigMapBuilder(configMap("b", "1"))
                .editMetadata()
                .withNamespace("kube-system")
                .endMetadata()
                .build());
        assertThat(calls()).isEmpty();
    }

    @Test
    void aSelectorTriggersWhenAnObjectStartsAndStopsMatching() {
        secret("web", "selector", "app=web");
        secret("db", "selector", "app=db");
        manager.add(controller().tracks(MAPS)).start();
        assertThat(names()).containsExactlyInAnyOrder("web", "db");

        client.create(labelled("a", "1", "web"));
        assertThat(calls()).containsExactly("web 1 [tracked ConfigMap default/a added]");
        client.create(configMap("b", "1"));
        assertThat(calls()).isEmpty();

        // both must know: the one that has it no more, and the one that has it now
        client.update(labelled("a", "1", "db"));
        assertThat(calls())
                .containsExactlyInAnyOrder(
                        "web 0 [tracked ConfigMap default/a updated]", "db 1 [tracked ConfigMap default/a updated]");
        client.update(configMap("a", "1"));
        assertThat(names()).containsExactly("db");
        client.update(labelled("b", "1", "web"));
        assertThat(names()).containsExactly("web");
    }

    @Test
    void theCauseIsExplained() {
        secret("one", "name", "a");
        manager.add(controller().tracks(MAPS)).start();
        assertThat(names()).containsExactly("one");

        client.create(configMap("a", "1"));
        assertThat(names()).containsExactly("one");

        assertThat(manager.explain("secrets", key("one")))
                .asString()
                .contains("because of tracked ConfigMap default/a added");
    }

    @Test
    void metadataIsEnoughToBeWoken() {
        secret("one", "name", "a");
        secret("two", "selector", "app=web");
        manager.add(controller().tracks(MAPS.metadataOnly())).start();
        assertThat(names()).containsExactlyInAnyOrder("one", "two");

        client.create(labelled("a", "1", "web"));
        assertThat(calls())
                .containsExactlyInAnyOrder(
                        "one 1 [tracked ConfigMap default/a added]", "two 1 [tracked ConfigMap default/a added]");
    }

    @Test
    void anUntrackedObjectTriggersUntilItsLeaseIsOver() {
        secret("one", "name", "a");
        manager.add(controller().tracks(MAPS).resyncInterval(Duration.ofSeconds(2)))
                .start();
        assertThat(names()).containsExactly("one");
        Secret other = client.get(Secret.class, key("one"));
        other.getMetadata().setAnnotations(Map.of("name", "b"));
        client.update(other);
        assertThat(names()).contains("one");

        client.create(configMap("a", "1"));
        assertThat(calls()).anyMatch(call -> call.contains("tracked"));
        time.advance(Duration.ofMillis(4_100));
        assertThat(calls()).noneMatch(call -> call.contains("tracked"));
        client.update(configMap("a", "2"));
        assertThat(calls()).noneMatch(call -> call.contains("tracked"));
        client.create(configMap("b", "1"));
        assertThat(calls()).anyMatch(call -> call.contains("one 1 [tracked ConfigMap default/b added]"));
    }

    @Test
    void deletedObserversAreNotTriggered() {
        secret("one", "name", "a");
        manager.add(controller().tracks(MAPS)).start();
        assertThat(names()).containsExactly("one");
        client.delete(Secret.class, key("one"));
        assertThat(names()).containsExactly("one");

        client.create(configMap("a", "1"));

        assertThat(calls()).isEmpty();
    }

    @Test
    void trackingAKindThatIsNotDeclaredFailsWithAdvice() {
        secret("one", "name", "a");
        secret("two", "none", "");
        manager.add(controller()).start();

        assertThat(names()).containsExactly("two");
        assertThat(failures.getFirst())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("controller secrets does not track ConfigMap", "Controller.tracks(");
    }

    @Test
    void theGraphShowsTrackedKinds() {
        Controller<Secret> controller = controller().tracks(ConfigMap.class).tracks(MAPS);

        assertThat(controller.dependencies())
                .containsExactly(
                        new Controller.Dependencies.Edge(
                                "secrets", Controller.Dependencies.Relation.PRIMARY, "secrets", ""),
                        new Controller.Dependencies.Edge(
                                "secrets", Controller.Dependencies.Relation.TRACKS, "configmaps", ""));
        assertThat(new Controller.Dependencies(controller.dependencies()).mermaid())
                .contains("|\"tracked\"|");
    }

    @Test
    void eachCallHasAStashOfItsOwn() {
        Stash.Key<String> left = Stash.Key.of("left", String.class);
        List<Optional<String>> seen = new ArrayList<>();
        secret("one", "none", "");
        secret("two", "none", "");
        manager.add(Controller.of(Secret.class, reconciliation -> {
                    seen.add(reconciliation.stash().get(left));
                    reconciliation.stash().put(left, "behind");
                    seen.add(reconciliation.stash().get(left));
                    return Result.done();
                }))
                .start();
        time.advance(Duration.ofMillis(50));

        assertThat(seen)
                .containsExactly(Optional.empty(), Optional.of("behind"), Optional.empty(), Optional.of("behind"));
    }
}
