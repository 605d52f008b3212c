package dev.evenkeel.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.policy.PolicyCase.Pair;
import dev.evenkeel.policy.PolicyCase.Probe;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The cases of {@code cases.yaml}: the expected matrices, the oracle, and the calculation agree. */
class PolicyCasesTest {
    @TestFactory
    Stream<DynamicTest> oracle() {
        return PolicyCase.all().stream()
                .map(policyCase -> DynamicTest.dynamicTest(policyCase.name(), () -> {
                    Oracle oracle = new Oracle(policyCase.world());
                    check(
                            policyCase,
                            (probe, pair) -> oracle.allows(
                                    pair.fromAddress(probe), pair.toAddress(probe), probe.protocol(), probe.number()));
                }));
    }

    @TestFactory
    Stream<DynamicTest> explanation() {
        return PolicyCase.all().stream()
                .map(policyCase -> DynamicTest.dynamicTest(policyCase.name(), () -> {
                    PolicyExplainer explainer =
                            PolicyExplainer.of(policyCase.world().objects());
                    assertThat(explainer.problems()).isEmpty();
                    check(
                            policyCase,
                            (probe, pair) -> explainer
                                    .explain(
                                            pair.fromAddress(probe),
                                            pair.toAddress(probe),
                                            probe.protocol(),
                                            probe.number())
                                    .allowed());
                }));
    }

    private static void check(PolicyCase policyCase, BiPredicate<Probe, Pair> verdict) {
        policyCase.matrices().forEach((probe, expected) -> {
            Map<Pair, Boolean> actual = new LinkedHashMap<>();
            expected.keySet().forEach(pair -> actual.put(pair, verdict.test(probe, pair)));
            assertThat(PolicyCase.text(actual)).as(probe.toString()).isEqualTo(PolicyCase.text(expected));
        });
    }

    @Test
    void eachCaseHasItsOwnName() {
        List<String> names = PolicyCase.all().stream().map(PolicyCase::name).toList();
        assertThat(names).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(60);
    }
}
