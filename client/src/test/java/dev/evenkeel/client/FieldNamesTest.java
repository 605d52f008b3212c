package dev.evenkeel.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class FieldNamesTest {
    private static final int DOCUMENTS = 8_000;

    private static byte[] document(int number) {
        return """
                {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "b", "managedFields": [
                {"fieldsV1": {"f:metadata": {"f:ownerReferences": {"k:{\\"uid\\":\\"%d\\"}": {}}}}}]}}
                """.formatted(number).getBytes(StandardCharsets.UTF_8);
    }

    /** Names in the same place replace each other, and are right all the same. */
    @Test
    void returnsTheSameObjectForANameThatWasReadBefore() {
        byte[] json = "\"name\"".getBytes(StandardCharsets.UTF_8);
        String name = FieldNames.recent(json, 1, 5);

        assertThat(name).isEqualTo("name");
        assertThat(FieldNames.recent(json, 1, 5)).isSameAs(name);
        for (int i = 0; i < DOCUMENTS; i++) {
            byte[] other = ("other" + i).getBytes(StandardCharsets.UTF_8);
            String text = new String(other, StandardCharsets.UTF_8);
            assertThat(FieldNames.recent(other, 0, other.length)).isEqualTo(text);
        }
        byte[] prefix = "names".getBytes(StandardCharsets.UTF_8);
        assertThat(FieldNames.recent(prefix, 0, 5)).isEqualTo("names");
        assertThat(FieldNames.recent(json, 1, 5)).isEqualTo("name");
    }

    /** With Jackson's table of names it is 200 kB for each, when that is full. */
    @Test
    void documentsWithNamesOfTheirOwnCostNoMoreThanOthers() {
        assertThat(allocated(document -> Encoded.of(document).header())).isLessThan(40_000L);
        assertThat(allocated(document -> ModelCodec.decode(document, ConfigMap.class)))
                .isLessThan(40_000L);
    }

    /** Returns the bytes that are allocated for each of the last quarter of many documents. */
    private static long allocated(java.util.function.Consumer<byte[]> reader) {
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = 0;
        for (int i = 0; i < DOCUMENTS; i++) {
            if (i == DOCUMENTS / 4 * 3) {
                before = thread.getCurrentThreadAllocatedBytes();
            }
            reader.accept(document(i));
        }
        return (thread.getCurrentThreadAllocatedBytes() - before) / (DOCUMENTS / 4);
    }
}
