package dev.evenkeel.server.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.read.WatchEvent;
import dev.evenkeel.engine.internal.read.WatchStream;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.server.internal.http.EventSink;
import dev.evenkeel.server.internal.http.Query;
import dev.evenkeel.server.internal.http.Representation;
import dev.evenkeel.server.internal.resource.ResponseRenderer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class WatchPumpTest {
    private static final Pattern REVISION = Pattern.compile("\"resourceVersion\":\"(\\d+)\"");

    private final Engine engine = Engine.create();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    private volatile long rest;

    @AfterEach
    void stop() {
        threads.close();
        timer.shutdownNow();
        engine.close();
    }

    /** Bookmarks stand for events: they need no store, and carry a number to check the order by. */
    private static final class Numbers implements WatchStream {
        final Queue<WatchEvent> queue = new ConcurrentLinkedQueue<>();
        final AtomicInteger polling = new AtomicInteger();
        volatile boolean closed;

        @Override
        public List<WatchEvent> poll(int max) {
            assertThat(polling.incrementAndGet()).as("threads that poll").isOne();
            List<WatchEvent> found = new ArrayList<>();
            while (found.size() < Math.min(max, 7)) {
                WatchEvent next = queue.poll();
                if (next == null) {
                    break;
                }
                found.add(next);
            }
            polling.decrementAndGet();
            return found;
        }

        @Override
        public List<WatchEvent> take(int max) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<WatchEvent> take(int max, Duration wait) {
            throw new UnsupportedOperationException();
        }

        @Override
        public WatchEvent.Bookmark bookmark() {
            return new WatchEvent.Bookmark(-1, false);
        }

        @Override
        public boolean closed() {
            return closed;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** Collects what arrives. */
    private static final class Collector implements EventSink {
        final List<Long> revisions = Collections.synchronizedList(new ArrayList<>());
        final AtomicInteger ends = new AtomicInteger();
        final AtomicInteger aborts = new AtomicInteger();
        volatile boolean broken;

        @Override
        public void send(List<byte[]> events) throws IOException {
            if (broken) {
                throw new IOException("gone");
            }
            for (byte[] event : events) {
                Matcher matcher = REVISION.matcher(new String(event, StandardCharsets.UTF_8));
                assertThat(matcher.find()).isTrue();
                revisions.add(Long.parseLong(matcher.group(1)));
            }
        }

        @Override
        public void end() {
            ends.incrementAndGet();
        }

        @Override
        public void abort(Throwable why) {
            aborts.incrementAndGet();
        }

        @Override
        public boolean alive() {
            return !broken;
        }
    }

    private WatchPump pump(Collector sink, Duration timeout, AtomicLong sent, CountDownLatch finished) {
        ResourceApi partition = ResourceApi.of(engine.partition("default"));
        Target target = partition.types().resource("", "v1", "configmaps").orElseThrow();
        EventEncoder encoder =
                new EventEncoder(target, new ResponseRenderer(partition, target, Representation.JSON, Query.parse("")));
        return new WatchPump(
                encoder,
                sink,
                threads,
                timer,
                timeout,
                Duration.ZERO,
                Duration.ofSeconds(30),
                () -> rest,
                sent::addAndGet,
                ended -> finished.countDown());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1_000_000})
    void noSignalIsLostAndOrderIsKept(long restNanos) throws Exception {
        rest = restNanos;
        int events = 20_000;
        Numbers stream = new Numbers();
        Collector sink = new Collector();
        AtomicLong sent = new AtomicLong();
        CountDownLatch finished = new CountDownLatch(1);
        WatchPump pump = pump(sink, Duration.ofMinutes(5), sent, finished);
        pump.start(stream);
        for (int i = 1; i <= events; i++) {
            stream.queue.add(new WatchEvent.Bookmark(i, false));
            if (i % 3 == 0) {
                threads.execute(pump::signal);
            }
            pump.signal();
        }
        while (sent.get() < events) {
            Thread.onSpinWait();
        }
        assertThat(sink.revisions).hasSize(events).isSorted();
        pump.stop();
        finished.await();
        assertThat(sink.ends).hasValue(1);
        assertThat(stream.closed).isTrue();
    }

    @Test
    void aBrokenConnectionEndsTheWatchOnce() throws Exception {
        Numbers stream = new Numbers();
        Collector sink = new Collector();
        CountDownLatch finished = new CountDownLatch(1);
        WatchPump pump = pump(sink, Duration.ofMinutes(5), new AtomicLong(), finished);
        pump.start(stream);
        sink.broken = true;
        stream.queue.add(new WatchEvent.Bookmark(1, false));
        pump.signal();
        finished.await();
        pump.signal();
        pump.stop();
        assertThat(sink.ends).hasValue(0);
        assertThat(sink.aborts).hasValue(1);
        assertThat(stream.closed).isTrue();
    }

    @Test
    void availableEventsAreSentBeforeTheEnd() throws Exception {
        Numbers stream = new Numbers();
        for (int i = 1; i <= 100; i++) {
            stream.queue.add(new WatchEvent.Bookmark(i, false));
        }
        Collector sink = new Collector();
        CountDownLatch finished = new CountDownLatch(1);
        pump(sink, Duration.ZERO, new AtomicLong(), finished).start(stream);
        finished.await();
        assertThat(sink.revisions).hasSize(100);
        assertThat(sink.ends).hasValue(1);
    }
}
