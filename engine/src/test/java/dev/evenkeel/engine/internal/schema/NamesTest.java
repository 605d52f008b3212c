package dev.evenkeel.engine.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
    private static final String SUBDOMAIN = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric "
            + "characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex "
            + "used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

    @ParameterizedTest
    @ValueSource(strings = {"a", "a.b", "a-b.c--d", "1", "example.com"})
    void subdomains(String name) {
        assertThat(Names.subdomain(name)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A", "a.", ".a", "-a", "a-", "a..b", "a-.b", "a.-b", "a_b", "ä"})
    void invalidSubdomains(String name) {
        assertThat(Names.subdomain(name)).containsExactly(SUBDOMAIN);
    }

    @Test
    void namesThatAreTooLong() {
        assertThat(Names.subdomain("a".repeat(253))).isEmpty();
        assertThat(Names.subdomain("a".repeat(254))).containsExactly("must be no more than 253 characters");
        assertThat(Names.label("a".repeat(63))).isEmpty();
        assertThat(Names.label("a".repeat(64))).containsExactly("must be no more than 63 characters");
        assertThat(Names.label1035("a".repeat(64))).containsExactly("must be no more than 63 characters");
        assertThat(Names.qualified("a".repeat(254) + "/b"))
                .containsExactly("prefix part must be no more than 253 bytes");
        assertThat(Names.labelValue("ä".repeat(32))).hasSize(2).contains("must be no more than 63 bytes");
    }

    @Test
    void labels() {
        assertThat(Names.label("a-1")).isEmpty();
        assertThat(Names.label("a.b")).containsExactly("must not contain dots");
        assertThat(Names.label("A").getFirst())
                .startsWith("a lowercase RFC 1123 label must")
                .contains("'my-name',  or '123-abc', ");
        assertThat(Names.label1035("1a").getFirst()).startsWith("a DNS-1035 label must");
        assertThat(Names.label1035("a1")).isEmpty();
    }

    @Test
    void qualifiedNames() {
        assertThat(Names.qualified("a")).isEmpty();
        assertThat(Names.qualified("example.com/A_b.c")).isEmpty();
        assertThat(Names.qualified("/a")).containsExactly("prefix part must be non-empty");
        assertThat(Names.qualified("a/")).first().isEqualTo("name part must be non-empty");
        assertThat(Names.qualified("a/b/c").getFirst()).startsWith("a valid label key must consist");
        assertThat(Names.qualified("Bad/a").getFirst()).startsWith("prefix part a lowercase RFC 1123");
        assertThat(Names.qualified("a b").getFirst()).startsWith("name part must consist");
        assertThat(Names.labelValue("")).isEmpty();
        assertThat(Names.labelValue("-").getFirst()).startsWith("a valid label must be an empty string");
    }

    @Test
    void pathSegments() {
        assertThat(Names.pathSegment("system:a")).isEmpty();
        assertThat(Names.pathSegment("..")).containsExactly("may not be '..'");
        assertThat(Names.pathSegment("a/b%")).containsExactly("may not contain '/'", "may not contain '%'");
    }

    @Test
    void aPrefixMayEndWithADash() {
        assertThat(Names.checkPrefix(ResourceType.Names.SUBDOMAIN, "a-")).isEmpty();
        assertThat(Names.checkPrefix(ResourceType.Names.SUBDOMAIN, "Abc-")).isNotEmpty();
        assertThat(Names.checkPrefix(ResourceType.Names.PATH_SEGMENT, "..")).isEmpty();
    }

    /** All strings of up to five characters of these kinds, compared with upstream's regular expressions. */
    @Test
    void labelsAndSubdomainsAreThoseOfTheRegularExpressions() {
        String label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
        List<String> names = new ArrayList<>(List.of(""));
        for (int from = 0, length = 1; length <= 5; length++) {
            int to = names.size();
            for (String name : names.subList(from, to).toArray(String[]::new)) {
                for (char c : new char[] {'a', '1', '-', '.', 'A'}) {
                    names.add(name + c);
                }
            }
            from = to;
        }
        for (String name : names) {
            assertThat(Names.label(name).isEmpty()).as(name).isEqualTo(name.matches(label));
            assertThat(Names.subdomain(name).isEmpty()).as(name).isEqualTo(name.matches(label + "(\\." + label + ")*"));
            assertThat(Names.label1035(name).isEmpty()).as(name).isEqualTo(name.matches("[a-z]([-a-z0-9]*[a-z0-9])?"));
        }
    }
}
