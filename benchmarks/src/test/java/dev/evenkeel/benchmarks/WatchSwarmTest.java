package dev.evenkeel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WatchSwarmTest {
    @Test
    @DisplayName("Messages are counted once, however they are framed and wherever the bytes are cut")
    void countsMessages() {
        ByteBuffer stream = ByteBuffer.allocate(200_000);
        frame(stream, 0x81, 5); // a message
        frame(stream, 0x81, 0); // an empty one
        frame(stream, 0x89, 3); // a ping
        frame(stream, 0x01, 10); // the beginning of a message
        frame(stream, 0x80, 300); // its end
        frame(stream, 0x82, 70_000); // a binary message
        frame(stream, 0x88, 2); // the end
        byte[] bytes = new byte[stream.position()];
        stream.flip().get(bytes);
        for (int step : new int[] {1, 2, 3, 7, 1_000, bytes.length}) {
            WatchSwarm.Frames frames = new WatchSwarm.Frames();
            int count = 0;
            for (int i = 0; i < bytes.length; i += step) {
                count += frames.count(ByteBuffer.wrap(bytes, i, Math.min(step, bytes.length - i)));
            }
            assertThat(count).as("in steps of %s", step).isEqualTo(4);
        }
    }

    private static void frame(ByteBuffer stream, int first, int length) {
        stream.put((byte) first);
        if (length < 126) {
            stream.put((byte) length);
        } else if (length < 65_536) {
            stream.put((byte) 126).putShort((short) length);
        } else {
            stream.put((byte) 127).putLong(length);
        }
        stream.position(stream.position() + length);
    }
}
