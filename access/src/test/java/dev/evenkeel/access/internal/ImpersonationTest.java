package dev.evenkeel.access.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.access.PolicyRule;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import dev.evenkeel.engine.spi.Authorizer.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Constrained impersonation: the questions asked, and the refusals that upstream adds to those of the older way. */
class ImpersonationTest {
    private static final Attributes LIST =
            Attributes.ofResource(User.of("jane"), "list", "", "v1", "pods", "", "default", "");

    /** Allows what is listed, as {@code VERB RESOURCE/SUBRESOURCE NAME}, and records what was asked. */
    private record Listed(Set<String> allowed, List<String> asked) implements Permissions {
        Listed(String... allowed) {
            this(Set.of(allowed), new ArrayList<>());
        }

        @Override
        public Decision authorize(Attributes attributes) {
            String question = attributes.verb() + " " + attributes.resource()
                    + (attributes.subresource().isEmpty() ? "" : "/" + attributes.subresource()) + " "
                    + attributes.name();
            asked.add(question.strip());
            return allowed.contains(question.strip()) ? Decision.allow("") : Decision.deny("");
        }

        @Override
        public Rules rules(User user, String namespace) {
            return new Rules(List.of(), List.of());
        }

        @Override
        public Optional<List<PolicyRule>> rules(RoleRef role) {
            return Optional.empty();
        }
    }

    private static User act(Permissions permissions, Map<String, List<String>> headers) {
        return new Impersonation()
                .act(
                        new Impersonation.Headers() {
                            @Override
                            public Iterable<String> names() {
                                return headers.keySet();
                            }

                            @Override
                            public List<String> values(String name) {
                                return headers.getOrDefault(name, List.of());
                            }
                        },
                        LIST,
                        permissions);
    }

    @Test
    void manyGroupsAreOneQuestion() {
        Listed permissions = new Listed(
                "impersonate-on:user-info:list pods",
                "impersonate:user-info users bob",
                "impersonate:user-info groups *");
        User user = act(
                permissions,
                Map.of("Impersonate-User", List.of("bob"), "Impersonate-Group", List.of("a", "b", "c", "d")));
        assertThat(user.groups()).containsExactly("a", "b", "c", "d", "system:authenticated");
        assertThat(permissions.asked()).last().isEqualTo("impersonate:user-info groups *");
    }

    @Test
    void fewGroupsAreAskedForEach() {
        Listed permissions = new Listed(
                "impersonate-on:user-info:list pods",
                "impersonate:user-info users bob",
                "impersonate:user-info groups *");
        assertThatThrownBy(() ->
                        act(permissions, Map.of("Impersonate-User", List.of("bob"), "Impersonate-Group", List.of("a"))))
                .isInstanceOf(ForbiddenException.class)
                .hasMessageContaining("groups.authentication.k8s.io \"a\" is forbidden");
    }

    @Test
    void keysOfExtraInformationNeedADomain() {
        Listed permissions = new Listed("impersonate-on:user-info:list pods", "impersonate:user-info users bob");
        assertThatThrownBy(() -> act(
                        permissions,
                        Map.of("Impersonate-User", List.of("bob"), "Impersonate-Extra-Scopes", List.of("view"))))
                .hasMessageEndingWith("impersonating an invalid key in extra is not allowed: extra.key: Invalid value: "
                        + "\"scopes\": must be a domain-prefixed path (such as \"acme.io/foo\")");
        assertThatThrownBy(() -> act(
                        permissions,
                        Map.of("Impersonate-User", List.of("bob"), "Impersonate-Extra-a.b%2fc", List.of(""))))
                .hasMessageEndingWith("impersonating the empty string value in extra is not allowed");
    }
}
