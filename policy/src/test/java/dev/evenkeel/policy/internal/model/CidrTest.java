package dev.evenkeel.policy.internal.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CidrTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.0.0.0/8",
        "10.1.2.3/8, 10.0.0.0/8",
        "0.0.0.0/0, 0.0.0.0/0",
        "255.255.255.255/32, 255.255.255.255/32",
        "fd00::1/8, fd00::/8",
        "::/0, ::/0",
        "::1/128, ::1/128",
        "1:0:0:2:0:0:0:3/128, 1:0:0:2::3/128",
        "1:0:2:3:4:5:6:7/128, 1:0:2:3:4:5:6:7/128",
        "2001:DB8::/32, 2001:db8::/32",
        "::ffff:10.0.0.1/128, 10.0.0.1/32",
        "64:ff9b::192.0.2.33/128, 64:ff9b::c000:221/128",
        "1:2:3:4:5:6:7::/128, 1:2:3:4:5:6:7:0/128",
    })
    void blocks(String text, String canonical) {
        if (text.startsWith("::ffff")) {
            // the prefix counts the bits of the family that the address belongs to
            assertThat(Cidr.address(text.substring(0, text.indexOf('/')))).hasToString(canonical);
        } else {
            assertThat(Cidr.parse(text)).hasToString(canonical).isEqualTo(Cidr.parse(canonical));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/8",
                "10.0.0.0",
                "10.0.0/8",
                "10.0.0.0.0/8",
                "10.0.0.256/8",
                "010.0.0.0/8",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/08",
                "10.0.0.0/",
                "10.0.0.0/8/8",
                " 10.0.0.0/8",
                "host/8",
                "fd00::/129",
                "fd00:/8",
                ":::/8",
                "1::2::3/128",
                "1:2:3:4:5:6:7/128",
                "1:2:3:4:5:6:7:8:9/128",
                "12345::/16",
                "fe80::1%eth0/64",
                "::1.2.3/128",
                "١٠.0.0.0/8",
            })
    void refused(String text) {
        assertThatThrownBy(() -> Cidr.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not");
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.1.0.0/16, true",
        "10.1.0.0/16, 10.0.0.0/8, false",
        "10.0.0.0/8, 11.0.0.0/8, false",
        "10.0.0.0/8, 10.0.0.0/8, true",
        "0.0.0.0/0, 192.0.2.1/32, true",
        "0.0.0.0/0, fd00::1/128, false",
        "::/0, fd00::1/128, true",
        "::/0, 192.0.2.1/32, false",
        "fd00::/64, fd00::ffff/128, true",
        "fd00::/64, fd00:0:0:1::/128, false",
    })
    void contains(String block, String other, boolean contains) {
        assertThat(Cidr.parse(block).contains(Cidr.parse(other))).isEqualTo(contains);
    }

    @Test
    void sortedByFamilyAndAddress() {
        List<String> sorted = List.of("0.0.0.0/0", "10.0.0.0/8", "10.0.0.0/16", "200.0.0.0/8", "::/0", "fd00::/8");
        assertThat(sorted.reversed().stream().map(Cidr::parse).sorted().map(Cidr::toString))
                .containsExactlyElementsOf(sorted);
    }

    @Test
    void textIsTheOneThatJavaReads() throws UnknownHostException {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 2_000; i++) {
            Cidr address = new Cidr(random.nextLong() & random.nextLong(), sparse(random), 128);
            assertThat(Cidr.address(address.addressText())).isEqualTo(address);
            byte[] bytes = InetAddress.getByName(address.addressText()).getAddress();
            assertThat(bytes).hasSize(address.isIpv4() ? 4 : 16);
            if (!address.isIpv4()) {
                assertThat(java.nio.ByteBuffer.wrap(bytes).getLong(8)).isEqualTo(address.low());
            }
        }
    }

    private static long sparse(SplittableRandom random) {
        return random.nextLong() & -1L << 16 * random.nextInt(4);
    }
}
