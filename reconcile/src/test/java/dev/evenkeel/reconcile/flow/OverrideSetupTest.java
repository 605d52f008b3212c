package dev.evenkeel.reconcile.flow;

import static dev.evenkeel.reconcile.flow.Steps.SECRETS;
import static dev.evenkeel.reconcile.flow.Steps.SOON;
import static dev.evenkeel.reconcile.flow.Steps.all;
import static dev.evenkeel.reconcile.flow.Steps.declared;
import static dev.evenkeel.reconcile.flow.Steps.owning;
import static dev.evenkeel.reconcile.flow.Steps.runs;
import static dev.evenkeel.reconcile.flow.Steps.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.Controller.Dependencies.Relation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.reconcile.flow.Steps.Foreign;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class OverrideSetupTest {
    @TestFactory
    Stream<DynamicTest> parts() {
        return all(
                runs("the part runs", () -> OverrideSetup.of(step("1", SOON)), "1", SOON),
                runs(
                        "needs alone do nothing",
                        () -> OverrideSetup.of(new Part.Requirement.Tracks<>(SECRETS)),
                        "",
                        Result.done()));
    }

    @Test
    void itsOwnNeedsAreDeclaredAndThoseOfItsPartAreNot() {
        Part<ConfigMap> part = OverrideSetup.of(
                Sequence.of(owning(step("1", SOON)), new Foreign()),
                new Part.Requirement.Tracks<>(Kind.of(ConfigMap.class)));
        assertThat(declared(part, Relation.OWNS)).isEqualTo(List.of());
        assertThat(declared(part, Relation.READS)).isEqualTo(List.of());
        assertThat(declared(part, Relation.TRACKS)).isEqualTo(List.of(Kind.of(ConfigMap.class)));
    }

    @Test
    void callsOfItsPartStayAllowed() {
        assertThat(OverrideSetup.of(Sequence.of(owning(step("1", SOON)), new Foreign()))
                        .description()
                        .allNeeds())
                .containsExactly(
                        new Part.Requirement.May(SECRETS, "", Part.Requirement.READING),
                        new Part.Requirement.May(SECRETS, "", Set.of("create")));
    }

    @Test
    void withNothingItIsOfNoUse() {
        assertThatIllegalStateException()
                .isThrownBy(() -> OverrideSetup.of())
                .withMessageContaining("must define at least one of part or needs");
    }
}
