package dev.evenkeel.junit.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.server.internal.http.EventSink;
import dev.evenkeel.server.internal.resource.ApiCall;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TappedWatchTest {
    private final List<String> client = new ArrayList<>();
    private final TappedWatch watch = new TappedWatch(
            ApiCall.of(1, "GET", "/api/v1/configmaps", "watch=true", "", new byte[0])
                    .orElseThrow(),
            new EventSink() {
                @Override
                public void send(List<byte[]> events) {
                    events.forEach(event -> client.add(new String(event, StandardCharsets.UTF_8)));
                }

                @Override
                public void end() {
                    client.add("end");
                }

                @Override
                public void abort(Throwable why) {
                    client.add("abort");
                }

                @Override
                public boolean alive() {
                    return true;
                }
            });

    private void send(String event) throws IOException {
        watch.send(List.of(event.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void eventsThatWereHeldAreDelivered() throws IOException {
        send("a");
        watch.hold();
        send("b");
        assertThat(client).containsExactly("a");
        watch.release();
        send("c");
        assertThat(client).containsExactly("a", "b", "c");
    }

    /** Or the client would begin again where it was, and never learn that it must list. */
    @Test
    void anEndDoesNotOvertakeTheErrorBeforeIt() throws IOException {
        watch.hold();
        send("too old");
        watch.end();
        assertThat(client).isEmpty();
        assertThat(watch.hasEnded()).isTrue();
        watch.release();
        assertThat(client).containsExactly("too old", "end");
    }

    @Test
    void eventsThatWereHeldAreLostByACut() throws IOException {
        watch.hold();
        send("a");
        watch.cut();
        watch.release();
        assertThat(client).containsExactly("abort");
        assertThatThrownBy(() -> send("b")).isInstanceOf(IOException.class);
    }
}
