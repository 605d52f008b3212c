package dev.evenkeel.testing.convergence;

import dev.evenkeel.testing.object.Given;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Right reconcilers pass: each finding here is a false alarm. */
class RightReconcilersTest {
    private static final Map<String, Convergence<?>> RIGHT = new LinkedHashMap<>();

    static {
        RIGHT.put(
                "children with names that follow from their owners'",
                Gardening.two(Gardening.inCluster(Gardening.child())));
        RIGHT.put("children whose names the server makes", Gardening.inCluster(Gardening.generatedChildren()));
        RIGHT.put("a child that is called after its content", Gardening.inCluster(Gardening.renamedChild()));
        RIGHT.put("something outside", Gardening.onFarm(Gardening::field));
        RIGHT.put(
                "an entry among others'",
                Gardening.inCluster(Gardening.entered()).given(Given.of(Gardening.REGISTER)));
        RIGHT.put(
                "a child whose name is taken",
                Gardening.inCluster(Gardening.child()).foreign(Given.of(WrongReconcilers.foreign())));
        RIGHT.put("two calls of an external system", Gardening.onFields(Gardening::fenced));
        RIGHT.put("times that are kept with what they are of", Gardening.inCluster(Gardening.timed()));
        RIGHT.put("a time that has to pass", Gardening.inCluster(Gardening.rested()));
        RIGHT.put("two objects with something outside", Gardening.two(Gardening.onFarm(Gardening::field)));
        RIGHT.put("a child that may be denied", Gardening.inCluster(Gardening.reported()));
        RIGHT.put(
                "two objects with children that are deleted by name",
                Gardening.two(Gardening.byLabel(Gardening.deletedByName())));
        RIGHT.put(
                "a definition with two versions",
                Gardening.inCluster(Gardening.living((reconciliation, garden) ->
                                Gardening.ensureChild(reconciliation, garden, Gardening.childName(garden))))
                        .definitions(Gardening.DEFINITION));
        RIGHT.put(
                "a version that deletes what the previous one has left",
                Gardening.inCluster(Gardening.upgraded()).previous(nothing -> Gardening.controller(Gardening.child())));
    }

    @TestFactory
    Stream<DynamicTest> right() {
        return RIGHT.entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(
                        entry.getKey(), () -> entry.getValue().assertConverges()));
    }

    /** The clock of the process has been set back, so the time that it waits for comes two hours later than expected. */
    @Test
    void aReconcilerThatWaitsForATimeMayWaitLongerAfterAJump() {
        Gardening.inCluster(Gardening.rested()).replay("jump by -7200 s after write 1");
    }

    /** Its watch cannot be resumed, so the cache lists again after a pause; meanwhile each write causes an event. */
    @Test
    void aReconcilerThatIsFasterThanTheCacheOfItsOwnersSettles() {
        String garden = "gardens.test.evenkeel.dev default/eden";

        Gardening.inCluster(Gardening.renamedChild())
                .replay(
                        "jump by 7200 s after write 0; restart behind gardens.test.evenkeel.dev by 2 after write 3; delete "
                                + garden + " before write 3");
    }
}
