package dev.evenkeel.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StatusTest {
    @Test
    void aCodeHasTheReasonThatClientsSuppose() {
        assertThat(Status.reasonOf(404)).isEqualTo("NotFound");
        assertThat(Status.reasonOf(406)).isEqualTo("NotAcceptable");
        assertThat(Status.reasonOf(410)).isEqualTo("Expired");
        assertThat(Status.reasonOf(504)).isEqualTo("Timeout");
        assertThat(Status.reasonOf(502)).isEqualTo("InternalError");
        assertThat(Status.reasonOf(418)).isEmpty();
    }
}
