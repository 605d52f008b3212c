package dev.evenkeel.reconcile.flow;

import static dev.evenkeel.reconcile.flow.Steps.FAILED;
import static dev.evenkeel.reconcile.flow.Steps.LATER;
import static dev.evenkeel.reconcile.flow.Steps.NO;
import static dev.evenkeel.reconcile.flow.Steps.SECRETS;
import static dev.evenkeel.reconcile.flow.Steps.SOON;
import static dev.evenkeel.reconcile.flow.Steps.all;
import static dev.evenkeel.reconcile.flow.Steps.bad;
import static dev.evenkeel.reconcile.flow.Steps.declared;
import static dev.evenkeel.reconcile.flow.Steps.owning;
import static dev.evenkeel.reconcile.flow.Steps.runs;
import static dev.evenkeel.reconcile.flow.Steps.say;
import static dev.evenkeel.reconcile.flow.Steps.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.controller.Controller.Dependencies.Relation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.reconcile.flow.Steps.Foreign;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class TryCatchTest {
    private static TryCatch.Catch<ConfigMap> catching(String text, Result instead) {
        return (reconciliation, map, outcome) -> {
            say(map, text + outcome.severity() + " ");
            return instead;
        };
    }

    @TestFactory
    Stream<DynamicTest> outcomes() {
        IllegalStateException other = new IllegalStateException("other");
        return all(
                runs("nothing to catch", () -> TryCatch.of(step("1", SOON)).build(), "1", SOON),
                runs(
                        "a failure is replaced",
                        () -> TryCatch.of(step("1 ", FAILED))
                                .catching(catching("caught ", LATER))
                                .build(),
                        "1 caught FAILED ",
                        LATER),
                runs(
                        "success may be, too",
                        () -> TryCatch.of(step("1 ", SOON))
                                .catching(catching("", FAILED))
                                .build(),
                        "1 DONE ",
                        FAILED),
                runs(
                        "afterwards comes afterwards, and its outcome is added",
                        () -> TryCatch.of(bad())
                                .catching((r, map, outcome) -> outcome)
                                .finallyDoing(step("2", LATER))
                                .build(),
                        "2",
                        FAILED.plus(LATER)),
                runs(
                        "its failure, too",
                        () -> TryCatch.of(step("1", SOON))
                                .finallyDoing(step("2", FAILED))
                                .build(),
                        "12",
                        SOON.plus(FAILED)),
                runs(
                        "also when the handler throws; and nothing is lost",
                        () -> TryCatch.of(step("1", SOON.plus(Result.quiet(other))))
                                .catching((r, map, outcome) -> {
                                    throw NO;
                                })
                                .finallyDoing(step("2", Result.done()))
                                .build(),
                        "12",
                        SOON.plus(Result.quiet(other)).plus(FAILED)));
    }

    @Test
    void bothPartsAreDeclared() {
        Part<ConfigMap> part =
                TryCatch.of(owning(step("1", SOON))).finallyDoing(new Foreign()).build();
        assertThat(declared(part, Relation.OWNS)).isEqualTo(List.of(SECRETS));
        assertThat(declared(part, Relation.TRACKS)).isEqualTo(List.of(SECRETS));
    }
}
