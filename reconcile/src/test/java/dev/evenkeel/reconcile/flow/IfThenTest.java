package dev.evenkeel.reconcile.flow;

import static dev.evenkeel.reconcile.flow.Steps.FAILED;
import static dev.evenkeel.reconcile.flow.Steps.LATER;
import static dev.evenkeel.reconcile.flow.Steps.NO;
import static dev.evenkeel.reconcile.flow.Steps.SECRETS;
import static dev.evenkeel.reconcile.flow.Steps.SOON;
import static dev.evenkeel.reconcile.flow.Steps.all;
import static dev.evenkeel.reconcile.flow.Steps.declared;
import static dev.evenkeel.reconcile.flow.Steps.owning;
import static dev.evenkeel.reconcile.flow.Steps.runs;
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

class IfThenTest {
    @TestFactory
    Stream<DynamicTest> branches() {
        return all(
                runs("then", () -> IfThen.of((r, map) -> true, step("1", SOON), step("2", LATER)), "1", SOON),
                runs("else", () -> IfThen.of((r, map) -> false, step("1", SOON), step("2", LATER)), "2", LATER),
                runs("no else", () -> IfThen.of((r, map) -> false, step("1", SOON)), "", Result.done()),
                runs("only then", () -> IfThen.of((r, map) -> true, step("1", FAILED)), "1", FAILED),
                runs(
                        "a condition that throws is a failure, and no branch runs",
                        () -> IfThen.of(
                                (r, map) -> {
                                    throw NO;
                                },
                                step("1", SOON),
                                step("2", LATER)),
                        "",
                        FAILED));
    }

    @Test
    void bothBranchesAreDeclared() {
        Part<ConfigMap> part = IfThen.of((r, map) -> true, owning(step("1", SOON)), new Foreign());
        assertThat(declared(part, Relation.OWNS)).isEqualTo(List.of(SECRETS));
        assertThat(declared(part, Relation.TRACKS)).isEqualTo(List.of(SECRETS));
        assertThat(part.description().slots())
                .extracting(Part.Description.Slot::name)
                .containsExactly("then", "else");
    }
}
