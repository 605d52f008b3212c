package dev.evenkeel.client.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DnsNamesTest {
    @ParameterizedTest
    @ValueSource(strings = {"a", "0", "a-b", "a--b", "9z"})
    void labels(String text) {
        assertThat(DnsNames.isLabel(text)).isTrue();
        assertThat(DnsNames.isSubdomain(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.b", "a-b.c0", "1.2.3"})
    void subdomains(String text) {
        assertThat(DnsNames.isLabel(text)).isFalse();
        assertThat(DnsNames.isSubdomain(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "-", "a-", "-a", ".", "a.", ".a", "a..b", "a.-b", "a-.b", "A", "a_b", "a b", "ä", "Bad NS"})
    void neither(String text) {
        assertThat(DnsNames.isLabel(text)).isFalse();
        assertThat(DnsNames.isSubdomain(text)).isFalse();
    }

    @Test
    void lengths() {
        assertThat(DnsNames.isLabel("a".repeat(63))).isTrue();
        assertThat(DnsNames.isLabel("a".repeat(64))).isFalse();
        assertThat(DnsNames.isSubdomain("a".repeat(253))).isTrue();
        assertThat(DnsNames.isSubdomain("a".repeat(254))).isFalse();
    }
}
