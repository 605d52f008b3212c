package dev.evenkeel.engine.internal.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.write.Leadership;
import dev.evenkeel.engine.spi.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SerialQueueTest {
    private final List<String> ran = new ArrayList<>();
    private final SerialQueue queue = new SerialQueue(Runnable::run);

    @Test
    void aTaskThatTheStoreRefusedRunsAgainAfterACommit() {
        boolean[] full = {true};
        queue.add(() -> {
            ran.add("first");
            if (full[0]) {
                throw Refusal.notWritten(new StoreException("the disk is full", null));
            }
        });
        queue.add(() -> ran.add("second"));
        queue.retry();
        assertThat(ran).containsExactly("first", "second", "first");
        full[0] = false;
        queue.retry();
        queue.retry();
        assertThat(ran).containsExactly("first", "second", "first", "first");
    }

    @Test
    void aTaskThatFailedOtherwiseIsDropped() {
        queue.add(() -> {
            ran.add("first");
            throw new IllegalStateException("as this test wants");
        });
        queue.retry();
        assertThat(ran).containsExactly("first");
    }

    @Test
    void aTaskOfAnEngineThatDoesNotLeadIsDropped() {
        queue.add(() -> {
            ran.add("first");
            throw new Leadership.NotLeaderException();
        });
        queue.add(() -> ran.add("second"));
        queue.retry();
        assertThat(ran).containsExactly("first", "second");
    }
}
