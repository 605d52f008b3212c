package dev.evenkeel.engine.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.engine.internal.syntax.Quantity;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QuantityTest {
    @Test
    void textIsCanonical() {
        Map.ofEntries(
                        Map.entry("1000m", "1"),
                        Map.entry("0.5", "500m"),
                        Map.entry("1.5Gi", "1536Mi"),
                        Map.entry("0.5Gi", "512Mi"),
                        Map.entry("1024Ki", "1Mi"),
                        Map.entry("100Mi", "100Mi"),
                        Map.entry("1000", "1k"),
                        Map.entry("1500", "1500"),
                        Map.entry("1000000", "1M"),
                        Map.entry("0", "0"),
                        Map.entry("0Gi", "0"),
                        Map.entry("+2", "+2"),
                        Map.entry("-2", "-2"),
                        Map.entry("1e3", "1e3"),
                        Map.entry("1E3", "1E3"),
                        Map.entry("1.5e3", "1500"),
                        Map.entry("1.5e10", "1.5e10"),
                        Map.entry("007Mi", "007Mi"),
                        Map.entry("12e6", "12e6"),
                        Map.entry("0.0000000001", "1n"),
                        Map.entry("10Ei", "9223372036854775807"),
                        Map.entry("512Ki", "512Ki"),
                        Map.entry("0.5Ki", "512"),
                        Map.entry("1.", "1."),
                        Map.entry(".5", "500m"),
                        Map.entry("100u", "100u"),
                        Map.entry("-", "0"),
                        Map.entry(".", "0"),
                        Map.entry("1.0005Ki", "1024512m"),
                        Map.entry("1E", "1E"),
                        Map.entry("1e400", "10e399"),
                        Map.entry("12.5e400", "12.5e400"),
                        Map.entry("12.5e401", "1250e399"),
                        Map.entry("1e399", "1e399"),
                        Map.entry("1e-400", "1e-9"),
                        Map.entry("-1e2000", "-100e1998"),
                        Map.entry("1e1999998", "1e1999998"),
                        Map.entry("0e400", "0"),
                        Map.entry("2e4294967299", "2e4294967299"))
                .forEach((written, canonical) ->
                        assertThat(Quantity.parse(written).text()).as(written).isEqualTo(canonical));
    }

    @Test
    void invalidQuantitiesAreRefusedInUpstreamsWords() {
        for (String text : new String[] {"", "abc", "1.2.3", "1 Gi", "1x", "2020-01-01"}) {
            assertThatThrownBy(() -> Quantity.parse(text)).as(text).hasMessage(Quantity.FORMAT_ERROR);
        }
        assertThatThrownBy(() -> Quantity.parse("1mm")).hasMessage(Quantity.SUFFIX_ERROR);
        assertThatThrownBy(() -> Quantity.parse("1e99999999999999999999")).hasMessage(Quantity.SUFFIX_ERROR);
    }

    @Test
    void quantitiesCompareByValue() {
        assertThat(Quantity.parse("1Gi")).isGreaterThan(Quantity.parse("1G"));
        assertThat(Quantity.parse("1000m")).isEqualTo(Quantity.parse("1"));
    }
}
