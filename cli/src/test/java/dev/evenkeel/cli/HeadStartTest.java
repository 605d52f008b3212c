package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeadStartTest {
    @Test
    void aServerHasOne() throws Exception {
        Thread started = HeadStart.of("server", "--port", "0").orElseThrow();
        assertThat(started.isDaemon()).isTrue();
        started.join();
    }

    @Test
    void otherCommandsHaveNone() {
        assertThat(HeadStart.of()).isEmpty();
        assertThat(HeadStart.of("demo", "server")).isEmpty();
    }
}
