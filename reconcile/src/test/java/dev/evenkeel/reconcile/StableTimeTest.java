package dev.evenkeel.reconcile;

import static dev.evenkeel.testing.call.Calls.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.Result;
import dev.evenkeel.reconcile.condition.ConditionSet;
import dev.evenkeel.reconcile.flow.Sequence;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.testing.ReconcilerTests;
import dev.evenkeel.testing.TestCluster;
import dev.evenkeel.testing.call.RecordedCall.Verb;
import dev.evenkeel.testing.diff.Normalization;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Times of one reconciliation, with a clock that moves at every read. */
class StableTimeTest {
    private static final ConditionSet CONDITIONS = ConditionSet.living("Built", "Served");

    private static Part<Thing> marks(String condition) {
        return Part.of(Part.Description.of("Marks").name(condition), (reconciliation, thing) -> {
            Instant before = reconciliation.clock().instant();
            var unused = reconciliation.client().find(Kind.of(Thing.class), reconciliation.key());
            assertThat(reconciliation.clock().instant()).isAfter(before);
            CONDITIONS.manage(reconciliation, thing).markTrue(condition, "Done");
            reconciliation.logger().warn("marked");
            return Result.done();
        });
    }

    private static ResourceReconciler<Thing> root() {
        return ResourceReconciler.of(Thing.class)
                .name("Thing")
                .conditions(CONDITIONS)
                .reconciler(Sequence.of(marks("Built"), marks("Served")))
                .build();
    }

    @TestFactory
    Stream<DynamicTest> timesOfOneReconciliation() {
        return ReconcilerTests.of(() -> root().controller())
                .definitions(Thing.DEFINITION)
                .test(
                        "conditions have the time at which it began",
                        t -> t.given(Thing.NEW)
                                .react(on(Verb.GET).delays(Duration.ofSeconds(5)))
                                .expectStatusUpdate(Thing.SEEN
                                        .condition("Built")
                                        .isTrue("Done", "")
                                        .condition("Ready")
                                        .isTrue("Ready", "")
                                        .condition("Served")
                                        .isTrue("Done", ""))
                                .expectEvent(Thing.NEW, "Normal", "StatusUpdated", "Updated status")
                                .verify(run -> {
                                    assertThat(run.cluster().clock().instant())
                                            .isEqualTo(TestCluster.NOW.plusSeconds(10));
                                    List<Condition> conditions = run.cluster()
                                            .client()
                                            .get(Thing.class, Thing.NEW.key())
                                            .getStatus()
                                            .getConditions();
                                    assertThat(conditions)
                                            .hasSize(3)
                                            .extracting(Condition::getLastTransitionTime)
                                            .containsOnly(TestCluster.NOW.toString());
                                })
                                .comparingStatus(
                                        Normalization.status().ignoring("status.conditions[*].observedGeneration"))
                                .expectLog("WARN", "marked key=default/a part=Thing/Sequence/Built")
                                .expectLog("WARN", "marked key=default/a part=Thing/Sequence/Served"))
                .stream();
    }
}
