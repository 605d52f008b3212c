package dev.evenkeel.testing.convergence;

import dev.evenkeel.testing.object.Given;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Right reconcilers pass: each finding here is a false alarm. */
class RightReconcilersTest {
    private static final Map<String, Convergence<?>> RIGHT = Map.of(
            "a child with a name that follows from its owner's",
            Gardening.inCluster(Gardening.child()),
            "children whose names the server makes",
            Gardening.inCluster(Gardening.generatedChildren()),
            "a child that is called after its content",
            Gardening.inCluster(Gardening.renamedChild()),
            "something outside",
            Gardening.onFarm(Gardening::field),
            "an entry among others'",
            Gardening.inCluster(Gardening.entered()).given(Given.of(Gardening.REGISTER)),
            "a child whose name is taken",
            Gardening.inCluster(Gardening.child()).foreign(Given.of(WrongReconcilers.foreign())));

    @TestFactory
    Stream<DynamicTest> right() {
        return RIGHT.entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(
                        entry.getKey(), () -> entry.getValue().schedules(500).assertConverges()));
    }
}
