package dev.evenkeel.testing.convergence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.testing.object.Given;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SetUpWarningsTest {
    private static final String ONE = "there is one object of gardens.test.evenkeel.dev";
    private static final String UNCHANGED = "users change nothing";
    private static final String NO_INVARIANT = "there is no invariant";
    private static final String OUTSIDE = "the state of the external system is the same all the time";

    private static List<String> warnings(Convergence<?> convergence) {
        return convergence.schedules(5).check().warnings().stream()
                .map(warning -> warning.substring(0, warning.indexOf(':')))
                .toList();
    }

    @Test
    void aSmallSetUpHasWarningsWithWhatAddsToIt() {
        Convergence<?> small = Beds.eden(Gardening.child());

        assertThat(warnings(small)).containsExactly(ONE, UNCHANGED, NO_INVARIANT);
        assertThat(small.schedules(5).check())
                .asString()
                .startsWith("converges: 6 schedules")
                .contains(
                        "\n    warning: there is one object of gardens.test.evenkeel.dev: equal names of children, and"
                                + " harm to others by its deletion, are not seen. Add another one with given(...)\n")
                .contains("\n    warning: users change nothing: ");
    }

    /** Those that are left in the end do not show whether one that is deleted harms others. */
    @Test
    void severalObjectsOfWhichNoneIsDeletedAloneAreReported() {
        Convergence<?> three = Beds.eden(Gardening.child())
                .given(Given.of(Garden.of("rosary", "roses", 1)), Given.of(Garden.of("park", "trees", 1)))
                .edit(
                        "deletes two gardens",
                        client -> Stream.of("rosary", "park")
                                .map(Beds::key)
                                .filter(key -> client.find(Garden.class, key).isPresent())
                                .forEach(key -> client.delete(Garden.class, key)))
                .always("nothing", client -> true);

        assertThat(warnings(three))
                .containsExactly("edits delete several objects of gardens.test.evenkeel.dev, so that none is deleted"
                        + " while all others stay");
    }

    @Test
    void warningsAreNotFailures() {
        Convergence<?> small = Beds.eden(Gardening.child());

        small.schedules(5).assertConverges();
        assertThat(small.schedules(5).check().converges()).isTrue();
    }

    @Test
    void aWholeSetUpHasNone() {
        Convergence<?> whole = Beds.pears(Beds.eden(Gardening.child()))
                .given(Given.of(Garden.of("rosary", "roses", 1)))
                .always("nothing", client -> true);

        assertThat(warnings(whole)).isEmpty();
        assertThat(whole.schedules(5).check()).asString().doesNotContain("warning");
    }

    @Test
    void anExternalSystemWithoutAComparisonIsReported() {
        Convergence<?> compared = Gardening.onFarm(Gardening::field);
        Convergence<?> constant = Gardening.cluster(Convergence.outside(clock -> new Farm(), farm -> "a farm")
                .controller(farm -> Gardening.controller(Gardening.field(farm))));
        Convergence<?> none = Gardening.cluster(Convergence.outside(clock -> new Farm(), farm -> "")
                .controller(farm -> Gardening.controller(Gardening.field(farm))));

        assertThat(warnings(compared)).doesNotContain(OUTSIDE);
        assertThat(warnings(constant)).contains(OUTSIDE);
        assertThat(warnings(none)).contains(OUTSIDE);
        assertThat(warnings(Gardening.inCluster(Gardening.child()))).doesNotContain(OUTSIDE);
    }

    /** What fails is to be corrected first; its report does not grow. */
    @Test
    void aRunThatFailsWithoutFaultsHasNone() {
        Convergence.Report report = Beds.eden(reconciliation -> {
                    throw new IllegalStateException("no spade");
                })
                .check();

        assertThat(report.converges()).isFalse();
        assertThat(report.warnings()).isEmpty();
    }
}
