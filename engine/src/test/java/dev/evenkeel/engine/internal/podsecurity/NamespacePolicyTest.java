package dev.evenkeel.engine.internal.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NamespacePolicyTest {
    private static String policy(String... labels) {
        Map<String, String> map = new HashMap<>();
        for (int i = 0; i < labels.length; i += 2) {
            map.put("pod-security.kubernetes.io/" + labels[i], labels[i + 1]);
        }
        return NamespacePolicy.of(map)
                .map(policy -> policy.enforce() + " " + policy.audit() + " " + policy.warn())
                .orElseThrow();
    }

    @Test
    void aNamespaceWithoutLabelsHasNone() {
        assertThat(NamespacePolicy.of(Map.of("a", "b"))).isEmpty();
    }

    @Test
    void eachModeHasItsStandard() {
        assertThat(policy("enforce", "baseline", "audit", "restricted", "audit-version", "v1.30", "warn", "privileged"))
                .isEqualTo("baseline:latest restricted:v1.30 privileged:latest");
    }

    @Test
    void warningsFollowEnforcement() {
        assertThat(policy("enforce", "baseline", "enforce-version", "v1.30"))
                .isEqualTo("baseline:v1.30 privileged:latest baseline:v1.30");
        assertThat(policy("enforce", "baseline", "enforce-version", "v1.30", "warn-version", "latest"))
                .isEqualTo("baseline:v1.30 privileged:latest baseline:latest");
    }

    @Test
    void onlyEnforcementIsStrictAboutLevelsThatDoNotExist() {
        assertThat(policy("enforce", "x", "enforce-version", "x", "audit", "x", "warn", "x"))
                .isEqualTo("restricted:latest privileged:latest privileged:latest");
        assertThat(policy("enforce", "x")).isEqualTo("restricted:latest privileged:latest privileged:latest");
    }
}
