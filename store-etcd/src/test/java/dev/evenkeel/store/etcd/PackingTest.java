package dev.evenkeel.store.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PackingTest {
    /** Bytes that no compression makes smaller. */
    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(7).nextBytes(bytes);
        return bytes;
    }

    @Test
    void smallValuesStayAsTheyAre() {
        byte[] value = new byte[Packing.PLAIN];
        assertThat(Packing.packed(value)).isSameAs(value);
        assertThat(Packing.unpacked(value)).isSameAs(value);
        assertThat(Packing.unpacked(new byte[0])).isEmpty();
    }

    @Test
    void largeValuesComeBack() {
        byte[] value = Base64.getEncoder().encode(random(1_500_000));
        byte[] packed = Packing.packed(value);
        assertThat(packed).isEqualTo(Packing.packed(value.clone()));
        assertThat(Packing.unpacked(packed)).isEqualTo(value);
    }

    @Test
    void whatIsStoredInBase64NeedsLittleMoreThanItsBytes() {
        assertThat(Packing.packed(Base64.getEncoder().encode(random(1_500_000))))
                .hasSizeLessThan(1_530_000);
    }

    @Test
    void whatDoesNotShrinkStaysAsItIs() {
        byte[] value = random(Packing.PLAIN + 1);
        value[0] = '{';
        assertThat(Packing.packed(value)).isSameAs(value);
    }

    @Test
    void foreignBytesAreRefused() {
        byte[] packed = Packing.packed("x".repeat(2_000_000).getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> Packing.unpacked(Arrays.copyOf(packed, packed.length - 20)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Packing.unpacked(Packing.packed(new byte[(64 << 20) + 1])))
                .hasMessage("more than 67108864 bytes");
    }
}
