package dev.evenkeel.engine.internal.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.FieldError;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NamespacePolicyTest {
    private static NamespacePolicy of(String... labels) {
        Map<String, String> map = new HashMap<>();
        for (int i = 0; i < labels.length; i += 2) {
            map.put("pod-security.kubernetes.io/" + labels[i], labels[i + 1]);
        }
        return NamespacePolicy.of(map);
    }

    private static String policy(String... labels) {
        NamespacePolicy policy = of(labels);
        return policy.enforce() + " " + policy.audit() + " " + policy.warn();
    }

    @Test
    void aNamespaceWithoutLabelsAllowsAll() {
        assertThat(policy()).isEqualTo("privileged:latest privileged:latest privileged:latest");
        assertThat(of().isPrivileged()).isTrue();
        assertThat(of("enforce", "privileged", "warn-version", "v1.3").isPrivileged())
                .isTrue();
        assertThat(of("warn-version", "x").isPrivileged()).isFalse();
        assertThat(of("enforce", "x").isSilent()).isFalse();
        assertThat(of("enforce", "baseline", "warn", "privileged").isSilent()).isTrue();
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

    @Test
    void labelsThatNameNoStandardAreErrorsInTheOrderOfTheModes() {
        assertThat(of("warn", "x", "audit-version", "1.3", "enforce", "", "enforce-version", "v1.99999999999999999999")
                        .errors())
                .extracting(FieldError::text)
                .containsExactly(
                        "metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: \"\": must be one of"
                                + " privileged, baseline, restricted",
                        "metadata.labels[pod-security.kubernetes.io/enforce-version]: Invalid value:"
                                + " \"v1.99999999999999999999\": must be \"latest\" or \"v1.x\"",
                        "metadata.labels[pod-security.kubernetes.io/audit-version]: Invalid value: \"1.3\": must be"
                                + " \"latest\" or \"v1.x\"",
                        "metadata.labels[pod-security.kubernetes.io/warn]: Invalid value: \"x\": must be one of"
                                + " privileged, baseline, restricted");
    }
}
