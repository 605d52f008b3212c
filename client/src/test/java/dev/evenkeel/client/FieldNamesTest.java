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

    /** With a table of names it is 200 kB for each, when that is full. */
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
