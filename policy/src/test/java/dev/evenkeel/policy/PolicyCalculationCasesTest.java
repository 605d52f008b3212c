package dev.evenkeel.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.policy.PolicyCase.Pair;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The cases of {@code cases.yaml}: the messages to the hosts give the expected matrices. */
class PolicyCalculationCasesTest {
    private static final List<String> HOSTS = List.of("n1", "n2");

    @TestFactory
    Stream<DynamicTest> messages() {
        return PolicyCase.all().stream()
                .map(policyCase -> DynamicTest.dynamicTest(policyCase.name(), () -> check(policyCase)));
    }

    private static void check(PolicyCase policyCase) {
        PolicyCalculation all = filled(PolicyCalculation.forAllHosts(), policyCase.world());
        assertThat(all.problems()).isEmpty();
        List<MessageEvaluator> evaluators = HOSTS.stream()
                .map(host -> {
                    HostState state =
                            new HostState().apply(all.open(host).poll().messages());
                    PolicyCalculation one = filled(PolicyCalculation.forHost(host), policyCase.world());
                    HostState alone =
                            new HostState().apply(one.open(host).poll().messages());
                    assertThat(alone).hasToString(state.toString());
                    return new MessageEvaluator(state);
                })
                .toList();
        policyCase.matrices().forEach((probe, expected) -> {
            Map<Pair, Boolean> actual = new LinkedHashMap<>();
            expected.keySet().forEach(pair -> {
                MessageEvaluator.Packet packet = new MessageEvaluator.Packet(
                        pair.fromAddress(probe), 49_152, pair.toAddress(probe), probe.number(), probe.protocol());
                actual.put(pair, evaluators.stream().allMatch(host -> host.allows(packet)));
            });
            assertThat(PolicyCase.text(actual)).as(probe.toString()).isEqualTo(PolicyCase.text(expected));
        });
    }

    private static PolicyCalculation filled(PolicyCalculation calculation, World world) {
        calculation.transact(tx -> {
            world.objects().forEach(tx::put);
            PolicyCalculation.kinds().forEach(tx::synced);
        });
        calculation.verify();
        return calculation;
    }
}
