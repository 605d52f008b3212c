package dev.evenkeel.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.ConnectionException;
import dev.evenkeel.client.ForwardingClient;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.load.junit.LoadTest;
import dev.evenkeel.load.result.LoadResult;
import dev.evenkeel.load.result.PhaseResult;
import dev.evenkeel.load.result.Verdict;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Loads in virtual time on a controller that copies ConfigMaps. */
class LoadSimulationTest {
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);

    private static Manager manager(Client client, Scheduler scheduler) {
        return Manager.builder(client).scheduler(scheduler).build();
    }

    private static AutoCloseable copies(Client client, Scheduler scheduler) {
        return manager(client, scheduler)
                .add(Controller.of(MAPS, LoadSimulationTest::copy)
                        .name("copies")
                        .owns(MAPS))
                .start();
    }

    private static Result copy(Reconciliation<ConfigMap> call) {
        return copy(call, true);
    }

    private static Result copy(Reconciliation<ConfigMap> call, boolean compares) {
        Optional<ConfigMap> wanted = call.resource()
                .filter(map -> map.getMetadata().getName().startsWith("spec-")
                        && map.getMetadata().getDeletionTimestamp() == null);
        if (wanted.isEmpty()) {
            return Result.done();
        }
        ConfigMap child = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(call.key().namespace())
                .withName("done-" + call.key().name().substring("spec-".length()))
                .endMetadata()
                .withData(wanted.get().getData())
                .build();
        OwnerReferences.control(wanted.get(), child);
        Optional<ConfigMap> present = call.cache(MAPS).find(ObjectKey.of(child));
        if (present.isEmpty()) {
            call.client().create(child);
        } else if (!compares || !present.get().getData().equals(child.getData())) {
            call.client()
                    .update(new ConfigMapBuilder(present.get())
                            .withData(child.getData())
                            .build());
        }
        return Result.done();
    }

    private static LoadPlan plan() throws IOException {
        return plan("copies.yaml");
    }

    private static LoadPlan plan(String name) throws IOException {
        try (InputStream text = Objects.requireNonNull(LoadSimulationTest.class.getResourceAsStream(name))) {
            return LoadPlan.parse(new String(text.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static Map<String, Verdict.Outcome> outcomes(LoadResult result) {
        return result.verdicts().stream().collect(java.util.stream.Collectors.toMap(Verdict::name, Verdict::outcome));
    }

    @LoadTest(
            plan = "copies.yaml",
            seeds = {1, 2, 3})
    void aControllerWithoutFaultsPasses(LoadSimulation load) throws InterruptedException {
        LoadResult result = load.check(LoadSimulationTest::copies);
        assertThat(result.phases()).extracting(PhaseResult::name).startsWith("start", "churn");
        PhaseResult churn = result.phases().get(1);
        // 5 in each of 3 namespaces: created and edited twice, in 3 cycles, and deleted in the last two
        assertThat(churn.operations()).isEqualTo(5 * 3 * (3 * 3 + 2));
        assertThat(churn.duration()).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(4));
        assertThat(churn.visible().count()).isEqualTo(churn.operations());
        assertThat(churn.requests()).containsKeys("create configmaps", "update configmaps");
        assertThat(outcomes(result)).doesNotContainValue(Verdict.Outcome.FAIL).containsKey("convergence");
    }

    @Test
    void theProgressHasTheLatencyAndTheTimeThatIsLeft() throws InterruptedException, IOException {
        List<Progress> steps = new ArrayList<>();
        LoadResult result = LoadSimulation.of(plan()).progress(steps::add).run(LoadSimulationTest::copies);

        Duration end =
                result.phases().get(1).start().plus(result.phases().get(1).duration());
        List<Progress> churn =
                steps.stream().filter(one -> one.step().equals("churn")).toList();
        assertThat(churn.getFirst().left()).isEmpty();
        assertThat(churn).filteredOn(one -> one.latency().isPresent()).isNotEmpty();
        assertThat(churn)
                .filteredOn(one -> one.left().isPresent())
                .isNotEmpty()
                .allSatisfy(one ->
                        assertThat(one.elapsed().plus(one.left().get())).isBetween(one.elapsed(), end.plusSeconds(5)));
    }

    @Test
    void thePausesBetweenMeasuredCyclesArePartOfTheirPhase() throws InterruptedException, IOException {
        // the plots marked the first seconds of a phase only
        LoadPlan plan = plan();
        List<Phase> measured =
                plan.phases().stream().map(phase -> phase.occupancy(true)).toList();
        PhaseResult churn = LoadSimulation.of(new LoadPlan(
                        plan.name(),
                        plan.seed(),
                        plan.sizes(),
                        plan.world(),
                        measured,
                        plan.effects(),
                        plan.marker(),
                        plan.podDelays(),
                        plan.workloads(),
                        plan.limits()))
                .run(LoadSimulationTest::copies)
                .phases()
                .get(1);
        // half a second of quiet after each of the first two cycles
        assertThat(churn.duration()).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(5));
    }

    /** Deployments, whose status is all that is visible. */
    private static final String DEPLOYMENTS = """
            name: deployments
            world: {namespaces: 2}
            %s
            effects:
            - {apiVersion: apps/v1, kind: Deployment, observedGeneration: true}
            phases:
            - pattern: churn
              count: 3
              edits: 1
              rate: 10/s
              bound: 5s
              template:
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: "d-${index}"}
                spec:
                  replicas: 2
                  selector: {matchLabels: {app: d}}
                  template:
                    metadata: {labels: {app: d}, annotations: {revision: "r${revision}"}}
                    spec: {containers: [{name: c, image: i}]}
            """;

    @Test
    void workloadsGetTheirStatusWhenThePlanSaysSo() throws InterruptedException {
        LoadResult ready = LoadSimulation.of(LoadPlan.parse(DEPLOYMENTS.formatted("workloads: 200ms")))
                .run(LoadSimulationTest::copies);
        PhaseResult churn = ready.phases().get(1);
        assertThat(churn.operations()).isEqualTo(3 * 2 * 2);
        assertThat(churn.visible().count()).isEqualTo(3 * 2 * 2);
        assertThat(outcomes(ready)).containsEntry("convergence", Verdict.Outcome.PASS);

        LoadResult without =
                LoadSimulation.of(LoadPlan.parse(DEPLOYMENTS.formatted(""))).run(LoadSimulationTest::copies);
        assertThat(outcomes(without)).containsEntry("convergence", Verdict.Outcome.FAIL);
    }

    @Test
    void equalSeedsGiveEqualResults() throws InterruptedException, IOException {
        LoadPlan plan = plan().seed(5);
        assertThat(LoadSimulation.of(plan).run(LoadSimulationTest::copies))
                .isEqualTo(LoadSimulation.of(plan).run(LoadSimulationTest::copies));
    }

    @Test
    void aControllerThatWritesAtRestFails() throws InterruptedException, IOException {
        LoadResult result = LoadSimulation.of(plan()).run((client, scheduler) -> {
            AutoCloseable copies = copies(client, scheduler);
            repeat(client, scheduler, 0);
            return copies;
        });
        assertThat(outcomes(result)).containsEntry("idle.writes", Verdict.Outcome.FAIL);
    }

    @Test
    void workThatNoEffectShowsIsNotThatOfTheRest() throws InterruptedException, IOException {
        // the last writes were counted as those of a controller that writes at rest
        LoadResult result = LoadSimulation.of(plan()).run((client, scheduler) -> {
            Map<ObjectKey, Long> seen = new ConcurrentHashMap<>();
            return manager(client, scheduler)
                    .add(Controller.of(MAPS, call -> copy(call, true))
                            .name("copies")
                            .owns(MAPS))
                    .add(Controller.of(MAPS, call -> late(call, seen, scheduler.nanoTime()))
                            .name("late"))
                    .start();
        });
        assertThat(outcomes(result)).containsEntry("idle.writes", Verdict.Outcome.PASS);
    }

    /** Annotates a copy 0.8 s after it was seen first. */
    private static Result late(Reconciliation<ConfigMap> call, Map<ObjectKey, Long> seen, long now) {
        Optional<ConfigMap> copy = call.resource()
                .filter(map -> map.getMetadata().getName().startsWith("done-"))
                .filter(map -> map.getMetadata().getAnnotations() == null
                        || map.getMetadata().getAnnotations().isEmpty());
        if (copy.isEmpty()) {
            return Result.done();
        }
        Duration left = Duration.ofMillis(800).minusNanos(now - seen.computeIfAbsent(call.key(), key -> now));
        if (left.isPositive()) {
            return Result.after(left);
        }
        call.client()
                .update(new ConfigMapBuilder(copy.get())
                        .editMetadata()
                        .addToAnnotations("late", "true")
                        .endMetadata()
                        .build());
        return Result.done();
    }

    private static void repeat(Client client, Scheduler scheduler, int number) {
        Scheduler.Timer unused = scheduler.schedule(Duration.ofSeconds(1), () -> {
            ConfigMap object = new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace("default")
                    .withName("heartbeat")
                    .endMetadata()
                    .addToData("number", Integer.toString(number))
                    .build();
            int next = number;
            try {
                ConfigMap written = number == 0 ? client.create(object) : client.update(object);
                assertThat(written).isNotNull();
                next++;
            } catch (ApiException | ConnectionException e) {
                // the outage, or it is there since the first start
                next = 1;
            }
            repeat(client, scheduler, next);
        });
    }

    @Test
    void aControllerThatWritesAllAgainAtItsStartFails() throws InterruptedException, IOException {
        LoadResult result = LoadSimulation.of(plan())
                .run((client, scheduler) -> manager(client, scheduler)
                        .add(Controller.of(MAPS, call -> copy(call, false)).name("copies"))
                        .start());
        assertThat(outcomes(result)).containsEntry("restart.writes", Verdict.Outcome.FAIL);
    }

    @Test
    void aControllerThatStopsWhenItsWatchIsCutDoesNotConverge() throws InterruptedException, IOException {
        LoadResult result = LoadSimulation.of(plan()).run((client, scheduler) -> {
            AtomicInteger watches = new AtomicInteger();
            Client counting = new ForwardingClient(client) {
                @Override
                protected <R> R read(Operation operation, Supplier<R> effect) {
                    if (operation.action() == Action.WATCH) {
                        watches.incrementAndGet();
                    }
                    return super.read(operation, effect);
                }
            };
            return manager(counting, scheduler)
                    .add(Controller.of(MAPS, call -> watches.get() > 1 ? Result.done() : copy(call, true))
                            .name("copies"))
                    .start();
        });
        assertThat(outcomes(result))
                .containsEntry("convergence", Verdict.Outcome.FAIL)
                .containsEntry("idle.writes", Verdict.Outcome.PASS)
                .containsEntry("restart.gets", Verdict.Outcome.PASS);
    }

    /** Copies one object each 50 ms, the first in an order. */
    private static AutoCloseable oneByOne(Client client, Scheduler scheduler, Comparator<ObjectKey> order) {
        Manager manager = manager(client, scheduler);
        Map<ObjectKey, Reconciliation<ConfigMap>> waiting = new ConcurrentHashMap<>();
        copyNext(scheduler, waiting, order);
        return manager.add(Controller.of(MAPS, call -> {
                            waiting.put(call.key(), call);
                            return Result.done();
                        })
                        .name("copies"))
                .start();
    }

    private static void copyNext(
            Scheduler scheduler, Map<ObjectKey, Reconciliation<ConfigMap>> waiting, Comparator<ObjectKey> order) {
        Scheduler.Timer unused = scheduler.schedule(Duration.ofMillis(50), () -> {
            waiting.keySet().stream()
                    .filter(key -> key.name().startsWith("spec-"))
                    .min(order)
                    .ifPresent(key -> {
                        try {
                            Result done = copy(Objects.requireNonNull(waiting.remove(key)));
                            assertThat(done).isEqualTo(Result.done());
                        } catch (ApiException e) {
                            // it is deleted by now
                        }
                    });
            copyNext(scheduler, waiting, order);
        });
    }

    private static Verdict fairness(Comparator<ObjectKey> order) throws InterruptedException, IOException {
        LoadResult result =
                LoadSimulation.of(plan("busy.yaml")).run((client, scheduler) -> oneByOne(client, scheduler, order));
        return result.verdicts().stream()
                .filter(verdict -> verdict.name().equals("fairness"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aControllerThatServesTheFirstNamespaceFirstIsUnfair() throws InterruptedException, IOException {
        // markers were deleted before their effects were visible, so the longest latencies were missing
        Verdict verdict = fairness(Comparator.naturalOrder());
        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.FAIL);
        assertThat(verdict.finding())
                .startsWith("In \"busy namespace\": While ns-1 was busy, 99 % of the operations in ns-2");
        assertThat(verdict.value()).isGreaterThan(1);
    }

    @Test
    void aControllerThatServesTheFirstNamespaceLastIsFairToTheOthers() throws InterruptedException, IOException {
        assertThat(fairness(Comparator.reverseOrder()).outcome()).isEqualTo(Verdict.Outcome.PASS);
    }

    @Test
    void aControllerThatMissesObjectsDoesNotConverge() throws InterruptedException, IOException {
        assertThatThrownBy(() -> LoadSimulation.of(plan())
                        .check((client, scheduler) -> manager(client, scheduler)
                                .add(Controller.of(
                                                MAPS,
                                                call -> call.key().namespace().equals("ns-2")
                                                        ? Result.done()
                                                        : copy(call, true))
                                        .name("copies"))
                                .start()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("plan copies, seed 1")
                .hasMessageContaining("convergence: ");
    }
}
