package dev.evenkeel.check.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.check.internal.run.RunLog.Entry;
import dev.evenkeel.check.internal.run.RunLog.Lane;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunLogTest {
    private static List<Entry> entries(int count) {
        RunLog log = new RunLog();
        for (int i = 1; i <= count; i++) {
            log.add(Lane.READ, 1, "request " + i);
        }
        return log.entries();
    }

    @Test
    void hasAllEntries() {
        assertThat(entries(5_000)).hasSize(5_000).extracting(Entry::text).endsWith("request 5000");
    }

    /** What a process does last tells why it does not settle. */
    @Test
    void ofTooManyEntriesHasTheFirstAndTheLast() {
        assertThat(entries(6_234))
                .hasSize(5_001)
                .extracting(Entry::text)
                .startsWith("request 1")
                .containsSequence("request 4000", "1234 entries are left out", "request 5235")
                .endsWith("request 6234");
    }
}
