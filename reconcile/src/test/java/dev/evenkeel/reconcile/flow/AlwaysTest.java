package dev.evenkeel.reconcile.flow;

import static dev.evenkeel.reconcile.flow.Steps.FAILED;
import static dev.evenkeel.reconcile.flow.Steps.LATER;
import static dev.evenkeel.reconcile.flow.Steps.SECRETS;
import static dev.evenkeel.reconcile.flow.Steps.SOON;
import static dev.evenkeel.reconcile.flow.Steps.all;
import static dev.evenkeel.reconcile.flow.Steps.bad;
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

class AlwaysTest {
    @TestFactory
    Stream<DynamicTest> parts() {
        IllegalStateException other = new IllegalStateException("other");
        return all(
                runs("none is done", () -> Always.of(), "", Result.done()),
                runs(
                        "all run, and the earliest appointment counts",
                        () -> Always.of(step("1", LATER), step("2", SOON)),
                        "12",
                        SOON),
                runs(
                        "also after a failure, and nothing of it is lost",
                        () -> Always.of(
                                step("1", FAILED), step("2", LATER), step("3", Result.quiet(other)), step("4", SOON)),
                        "1234",
                        FAILED.plus(Result.quiet(other)).plus(SOON)),
                runs(
                        "and after a halt",
                        () -> Always.of(step("1", Result.halted()), step("2", SOON)),
                        "12",
                        Result.halted().plus(SOON)),
                runs("one that throws has failed", () -> Always.of(bad(), step("2", SOON)), "2", FAILED.plus(SOON)));
    }

    @Test
    void itsPartsAreDeclaredAlsoThoseOfAnotherMakeD2D10() {
        Part<ConfigMap> part = Always.of(owning(step("1", SOON)), new Foreign());
        assertThat(declared(part, Relation.OWNS)).isEqualTo(List.of(SECRETS));
        assertThat(declared(part, Relation.TRACKS)).isEqualTo(List.of(SECRETS));
    }
}
