package dev.evenkeel.load.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.load.Effect;
import dev.evenkeel.load.Kinds;
import dev.evenkeel.load.Limits;
import dev.evenkeel.load.LoadPlan;
import dev.evenkeel.load.Operation;
import dev.evenkeel.load.Patterns;
import dev.evenkeel.load.Phase;
import dev.evenkeel.load.PodDelays;
import dev.evenkeel.load.Rate;
import dev.evenkeel.load.Stop;
import dev.evenkeel.load.World;
import dev.evenkeel.load.WorldState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlanReaderTest {
    private static final String WIDGETS = """
            name: widgets
            seed: 7
            world:
              hosts: 3
              namespaces: 2
              podsPerNamespace: 4
              namespaceLabels:
                team: [a, b]
              podLabels:
                app: {web: 3, db: 1}
                id: {prefix: id-, values: 100, skew: 1.5}
              definitions:
              - apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: widgets.example.com}
                spec:
                  group: example.com
                  scope: Namespaced
                  names: {kind: Widget, plural: widgets}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
              objects:
              - count: 5
                template: {apiVersion: example.com/v1, kind: Widget, metadata: {name: "w-${index}"}, spec: {size: "${index}"}}
            effects:
            - apiVersion: example.com/v1
              kind: Widget
              observedGeneration: true
            - apiVersion: v1
              kind: ConfigMap
              shown: {apiVersion: v1, kind: Secret, name: "copy-${name}", path: data.a}
            marker:
              rate: 2/s
              template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "m-${index}"}}
              output: ${name}
            phases:
            - {name: pods, pattern: pod-ring, pods: 4, rate: 10/s, cycles: 3, occupancy: true, bound: 1m}
            - {pattern: churn, count: 2, edits: 3, template: {apiVersion: example.com/v1, kind: Widget, metadata: {name: "x-${index}"}}, rate: {from: 1/s, to: 5/s, over: 10s}, duration: 20s}
            - {pattern: outage, time: 5s}
            - pattern: operations
              rate: {burst: 2, every: 500ms}
              operations:
              - create: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: ns-1}, data: {k: v}}
              - patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: ns-1}, data: {k: w}}
              - delete: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: ns-1}}
            limits: {leakPerCycle: 0.5%, visible: 2s, restingWrites: 3, resting: 10s, start: 1m}
            """;

    @Test
    void everyFieldIsRead() {
        LoadPlan plan = LoadPlan.parse(WIDGETS);
        assertThat(plan.name()).isEqualTo("widgets");
        assertThat(plan.seed()).isEqualTo(7);
        assertThat(plan.world().podLabels()).containsOnlyKeys("app", "id");
        WorldState state = new WorldState(plan.world());
        state.creation(new Random(1)).forEach(state::apply);
        assertThat(state.objects()).hasSize(1 + 3 + 2 + 8 + 10);
        assertThat(plan.effects().values())
                .containsExactly(
                        new Effect.ObservedGeneration(""),
                        Effect.Shown.named(Kinds.SECRET, "copy-${name}", "data.a", "data.a"));
        assertThat(plan.marker().orElseThrow().perSecond()).isEqualTo(2);
        assertThat(plan.phases()).hasSize(4);
        assertThat(plan.phases().get(0).rate()).isEqualTo(new Rate.Constant(10));
        assertThat(plan.phases().get(0).stop().cycles()).isEqualTo(3);
        assertThat(plan.phases().get(0).occupancy()).isTrue();
        assertThat(plan.phases().get(0).bound()).isEqualTo(Duration.ofMinutes(1));
        assertThat(plan.phases().get(1).name()).isEqualTo("churn");
        assertThat(plan.phases().get(1).rate()).isEqualTo(new Rate.Ramp(1, 5, Duration.ofSeconds(10)));
        assertThat(plan.phases().get(1).stop())
                .isEqualTo(new Stop(Integer.MAX_VALUE, Integer.MAX_VALUE, Duration.ofSeconds(20)));
        assertThat(plan.phases().get(2).stop()).isEqualTo(Stop.ONE_CYCLE);
        assertThat(plan.phases().get(3).rate()).isEqualTo(new Rate.Bursts(2, Duration.ofMillis(500)));
        assertThat(plan.phases().get(3).pattern().cycle(state, new Random(1)))
                .toIterable()
                .hasSize(3)
                .element(1)
                .isInstanceOf(Operation.Edit.class);
        assertThat(plan.limits())
                .isEqualTo(new Limits(
                        0.005,
                        Duration.ofSeconds(2),
                        3,
                        0.02,
                        2,
                        0,
                        0.2,
                        Duration.ofSeconds(10),
                        Duration.ofMinutes(1)));
    }

    @Test
    void theBuiltInPlanIsThatOfFelix() {
        LoadPlan plan = LoadPlan.parse(LoadPlan.k8sfv());
        assertThat(plan.world().hosts()).isEqualTo(World.k8sfv().hosts());
        assertThat(plan.phases().get(0).pattern()).isEqualTo(Patterns.rotateLabels("maturity"));
        assertThat(plan.phases().get(1).pattern()).isEqualTo(Patterns.policyChurn(10, 10));
        assertThat(plan.phases().getLast().occupancy()).isTrue();
        assertThat(plan.phases().getLast().stop().cycles()).isGreaterThanOrEqualTo(30);
        assertThat(LoadPlan.parse(LoadPlan.k8sfvQuick()).phases()).hasSameSizeAs(plan.phases());
    }

    @Test
    void workloadsGetAStatusIfTheyHaveATime() {
        assertThat(LoadPlan.parse("{name: a}").workloads()).isEmpty();
        assertThat(LoadPlan.parse("{name: a, workloads: 2s}").workloads()).contains(Duration.ofSeconds(2));
    }

    @Test
    void delaysOfPodsHaveDefaults() {
        assertThat(LoadPlan.parse("{name: a, podDelays: {start: 2s, ready: 0ms}}")
                        .podDelays())
                .isEqualTo(new PodDelays(
                        PodDelays.DEFAULT.schedule(), Duration.ofSeconds(2), Duration.ZERO, PodDelays.DEFAULT.stop()));
    }

    @Test
    void anEffectHasALabelInsteadOfAName() {
        String plan =
                "{name: a, effects: [{apiVersion: v1, kind: Secret, shown: {apiVersion: v1, kind: Pod, label: app%s}}]}";
        assertThat(LoadPlan.parse(plan.formatted("")).effects().values())
                .containsExactly(new Effect.Shown(Kinds.POD, "app", "${name}", "", ""));
        assertThat(LoadPlan.parse(plan.formatted(", value: 'x-${name}'"))
                        .effects()
                        .values())
                .containsExactly(new Effect.Shown(Kinds.POD, "app", "x-${name}", "", ""));
        assertThatThrownBy(() -> LoadPlan.parse(plan.formatted(", name: b")))
                .hasMessage("effects[0].shown.name: must not be set with label, which has a value instead");
    }

    @Test
    void sizesAreMultiplesOfTheWorld() {
        LoadPlan plan = LoadPlan.parse("""
                name: a
                sizes: [1, 100]
                world: {namespaces: 2}
                phases: [{pattern: recreate-namespaces, cost: true}]
                limits: {exponent: 0.5}
                """);
        assertThat(plan.sizes()).containsExactly(1, 100);
        assertThat(plan.phases().getFirst().cost()).isTrue();
        assertThat(plan.limits().exponent()).isEqualTo(0.5);
        assertThat(plan.times(100).world().namespaces()).isEqualTo(200);
    }

    @Test
    void worldAndPhasesCanBeReplaced() {
        LoadPlan plan = LoadPlan.parse(
                LoadPlan.k8sfvQuick(),
                Optional.of("{like: k8sfv, hosts: 7}"),
                List.of("drain-nodes", "{pattern: pod-ring, pods: 3, rate: 5/s}"));
        assertThat(plan.world().hosts()).isEqualTo(7);
        assertThat(plan.world().namespaces()).isEqualTo(20);
        assertThat(plan.phases()).extracting(Phase::name).containsExactly("drain-nodes", "pod-ring");
        assertThat(plan.marker()).isPresent();
        assertThatThrownBy(() -> LoadPlan.parse(LoadPlan.k8sfv(), Optional.empty(), List.of("{pattern: pod-ring}")))
                .hasMessage("phases[0].pods: is missing");
        assertThatThrownBy(() -> LoadPlan.parse(LoadPlan.k8sfv(), Optional.of("{"), List.of()))
                .hasMessageContaining("the world is not YAML");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rotate-labels, label: maturity",
                "policy-churn",
                "scale, pods: 10",
                "clear-addresses, pods: 3",
                "drain-nodes",
                "recreate-namespaces",
                "rolling-update, deployments: 2, replicas: 2",
                "cut-watches"
            })
    void patternsHaveTheirParameters(String pattern) {
        LoadPlan plan = LoadPlan.parse("{name: a, world: k8sfv, phases: [{pattern: " + pattern + "}]}");
        assertThat(plan.phases()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    []                                                     | the plan must be a mapping: []
                    {phases: []}                                           | name: is missing
                    {name: a, colour: red}                                 | colour: unknown field; known are
                    {name: a, world: k8s}                                  | world: must be k8sfv or a mapping: k8s
                    {name: a, world: {hosts: -1}}                          | world.hosts: must be a whole number
                    {name: a, world: {hosts: 0, podsPerNamespace: 1}}      | world.hosts must be positive if there are pods
                    {name: a, world: {pods: 1}}                            | world.pods: unknown field
                    {name: a, phases: [{pattern: x}]}                      | phases[0].pattern: 'x' is not a pattern; there are [churn
                    {name: a, phases: [{pattern: pod-ring}]}               | phases[0].pods: is missing
                    {name: a, phases: [{pattern: pod-ring, pods: 0}]}      | phases[0].pods must be positive: 0
                    {name: a, phases: [{pattern: outage, time: 5}]}        | phases[0].time: '5' is not a duration
                    {name: a, phases: [{pattern: drain-nodes, rate: 5}]}   | phases[0].rate: '5' is not a rate: use a number and /s
                    {name: a, phases: [{pattern: drain-nodes, rate: 0/s}]} | phases[0].the rate must be positive: 0.0
                    {name: a, phases: [{pattern: churn, template: {apiVersion: x/v1, kind: Y, metadata: {name: z}}}]} | x/v1 Y is not known: add its definition
                    {name: a, effects: [{apiVersion: v1, kind: Pod}]}      | effects[0].output: is missing: an effect is one of
                    {name: a, limits: {leakPerCycle: lots}}                | limits.leakPerCycle: must be a number, or a share
                    {name: a, sizes: [0]}                                  | sizes: must be positive integers: 0
                    {name: a, phases: [{pattern: drain-nodes, cost: true}]} | sizes must not be empty: a phase has cost: true
                    {name: a, phases: {}}                                  | phases: must be a list
                    {name: [a}                                             | the plan is not YAML
                    """)
    void errorsNameTheField(String yaml, String message) {
        assertThatThrownBy(() -> LoadPlan.parse(yaml))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
