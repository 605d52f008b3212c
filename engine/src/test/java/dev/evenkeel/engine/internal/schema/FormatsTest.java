package dev.evenkeel.engine.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormatsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            date-time | 2020-01-01T00:00:00Z | 2020-01-01t23:59:59.5+01:00 || 2020-01-01 | 2020-01-01T24:00:00Z
            date | 2020-02-29 | 1999-12-31 || 2020-13-01 | 2021-02-29
            duration | 1h5m | 1.5s | 5 days | 5x | tomorrow
            ipv4 | 1.2.3.4 | 01.02.03.004 | ::ffff:1.2.3.4 | 1.2.3 | 256.1.1.1
            ipv6 | ::1 | 2001:db8::1 || 1.2.3.4 | 1::2::3
            cidr | 10.0.0.0/8 | fd00::/64 || 1.2.3.4 | 10.0.0.0/33
            uuid | 123e4567-e89b-12d3-a456-426614174000 | 123E4567E89B12D3A456426614174000 || x | 123e4567
            uuid4 | 123e4567-e89b-42d3-a456-426614174000 ||| 123e4567-e89b-12d3-a456-426614174000 | x
            byte | AAAA | Zm9vYg== || %% | AAA
            email | a@b.c | Jane <jane@example.com> || x | @b
            hostname | a | www.example.com | 1a.b-c.org | -a | a_b
            mac | 01:23:45:67:89:ab | 0123.4567.89ab || 01:23 | zz:zz:zz:zz:zz:zz
            uri | https://example.com/a?b=c | /path | mailto:x | :: | relative
            hexcolor | #fff | 00ff00 || #ggg | red
            rgbcolor | rgb(1,2,255) ||| rgb(1,2) | rgb(256,0,0)
            isbn | 0321751043 | 978-0321751041 || 0321751044 | x
            creditcard | 4111 1111 1111 1111 ||| 4111 1111 1111 1112 | x
            ssn | 123-45-6789 ||| 123 | 123456789
            bsonobjectid | 507f1f77bcf86cd799439011 ||| 507f | zzzf1f77bcf86cd799439011
            k8s-short-name | my-name ||| My-name | a.b
            k8s-long-name | a.b-c ||| a..b | A
            """)
    void text(String format, String good, String better, String best, String bad, String worse) {
        var check = Objects.requireNonNull(Formats.ofText(format));
        for (String value : new String[] {good, better, best}) {
            if (value != null) {
                assertThat(check.test(value)).as(format + " " + value).isTrue();
            }
        }
        assertThat(check.test(bad)).as(format + " " + bad).isFalse();
        assertThat(check.test(worse)).as(format + " " + worse).isFalse();
    }

    @Test
    void formatsBelongToTypes() {
        assertThat(Formats.isKnown("string", "date-time")).isTrue();
        assertThat(Formats.isKnown("integer", "int32")).isTrue();
        assertThat(Formats.isKnown("integer", "date")).isFalse();
        assertThat(Formats.isKnown("number", "double")).isTrue();
        assertThat(Formats.isKnown("object", "date")).isFalse();
        assertThat(Formats.isKnown("string", "made-up")).isFalse();
    }

    @Test
    void ignoredFormatsAreFoundAtAnyDepth() {
        List<String> unknown = new ArrayList<>();
        Formats.unknown(
                Definitions.tree("{'properties':{'a':{'type':'string','format':'x'},"
                        + "'b':{'items':{'type':'string','format':'date'}},'c':{'anyOf':[{'format':'y'}]}}}"),
                unknown);
        assertThat(unknown).containsExactly("x", "y");
    }
}
