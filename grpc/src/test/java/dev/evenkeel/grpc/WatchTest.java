package dev.evenkeel.grpc;

import static dev.evenkeel.grpc.Fixture.ARTIST;
import static dev.evenkeel.grpc.Fixture.ARTIST_V2;
import static dev.evenkeel.grpc.Fixture.artist;
import static dev.evenkeel.grpc.Fixture.id;
import static dev.evenkeel.grpc.Fixture.refused;
import static dev.evenkeel.grpc.Fixture.spec;
import static dev.evenkeel.grpc.Fixture.tenancy;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.Code;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.store.MemoryStore;
import dev.evenkeel.grpc.resource.v1.DeleteRequest;
import dev.evenkeel.grpc.resource.v1.Resource;
import dev.evenkeel.grpc.resource.v1.WatchEvent;
import dev.evenkeel.grpc.resource.v1.WatchListRequest;
import dev.evenkeel.store.sqlite.SqliteOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Watches: consul.md 2.7, and what its 3.3 does not cover. */
class WatchTest {
    private static final WatchListRequest ARTISTS =
            WatchListRequest.newBuilder().setType(ARTIST).build();

    private final Fixture fixture = Fixture.start().withDemo();

    @AfterEach
    void stop() {
        fixture.close();
    }

    private Watcher watch(WatchListRequest request) {
        return fixture.keep(new Watcher(fixture.channel(""), request, Integer.MAX_VALUE));
    }

    private static WatchListRequest from(WatchEvent event) {
        return ARTISTS.toBuilder().setResumeToken(event.getResumeToken()).build();
    }

    private void delete(String name) {
        fixture.stub.delete(DeleteRequest.newBuilder().setId(id(ARTIST, name)).build());
    }

    private static String text(WatchEvent event) {
        return switch (event.getEventCase()) {
            case UPSERT -> "+" + event.getUpsert().getResource().getId().getName();
            case DELETE -> "-" + event.getDelete().getResource().getId().getName();
            default -> event.getEventCase().name();
        };
    }

    /** 3.3: after each event a read returns that resource, with its version. */
    @Test
    void followingEvents() {
        Watcher watcher = watch(ARTISTS);
        assertThat(watcher.snapshot()).isEmpty();
        for (String name : List.of("a", "b", "c")) {
            Resource written = fixture.write(artist(name));
            assertThat(watcher.event().getUpsert().getResource()).isEqualTo(written);
            assertThat(fixture.read(written.getId())).isEqualTo(written);
        }
        Resource last = fixture.read(id(ARTIST, "b"));
        delete("b");
        Resource deleted = watcher.event().getDelete().getResource();
        assertThat(deleted.toBuilder().setVersion(last.getVersion()).build()).isEqualTo(last);
        assertThat(deleted.getVersion()).isNotEqualTo(last.getVersion());
        refused(() -> fixture.read(last.getId()), Code.NOT_FOUND);
        // a write that changes nothing is not an event
        fixture.write(artist("a"));
        fixture.write(artist("d"));
        assertThat(text(watcher.event())).isEqualTo("+d");
    }

    @Test
    void aNewIncarnationIsADeleteAndAnUpsert() {
        Watcher watcher = watch(ARTISTS);
        watcher.snapshot();
        Resource first = fixture.write(artist("a"));
        delete("a");
        Resource second = fixture.write(artist("a"));
        assertThat(watcher.event().getUpsert().getResource()).isEqualTo(first);
        assertThat(watcher.event().getDelete().getResource().getId()).isEqualTo(first.getId());
        assertThat(watcher.event().getUpsert().getResource()).isEqualTo(second);
    }

    @Test
    void aWatcherOfOneVersionSeesWritesOfAnother() {
        Watcher watcher = watch(ARTISTS);
        watcher.snapshot();
        fixture.write(Resource.newBuilder().setId(id(ARTIST_V2, "a")).build());
        assertThat(watcher.event().getUpsert().getResource().getId().getType()).isEqualTo(ARTIST);
        fixture.write(Resource.newBuilder()
                .setId(id(ARTIST_V2, "a"))
                .setData(spec("name", "x"))
                .build());
        assertThat(text(watcher.event())).isEqualTo("+a");
        delete("a");
        assertThat(text(watcher.event())).isEqualTo("-a");
    }

    @Test
    void aChangedPrefixOrLabelLimitsTheWatch() {
        Watcher prefixed = watch(ARTISTS.toBuilder().setNamePrefix("b").build());
        Watcher labelled = watch(ARTISTS.toBuilder().setLabelSelector("on=yes").build());
        prefixed.snapshot();
        labelled.snapshot();
        Resource on =
                fixture.write(artist("a").toBuilder().putLabels("on", "yes").build());
        fixture.write(artist("b"));
        assertThat(text(prefixed.event())).isEqualTo("+b");
        assertThat(text(labelled.event())).isEqualTo("+a");
        fixture.write(on.toBuilder().clearLabels().build());
        assertThat(text(labelled.event())).isEqualTo("-a");
    }

    /** Nothing is lost, repeated or reordered where the snapshot ends, while others write. */
    @Test
    void theSeamBetweenSnapshotAndChangesHasNoDuplicatesAndNoGaps() throws Exception {
        try (ExecutorService writers = Executors.newFixedThreadPool(3)) {
            for (int w = 0; w < 3; w++) {
                int writer = w;
                writers.submit(() -> {
                    for (int i = 0; i < 60; i++) {
                        fixture.write(artist("w" + writer + "-" + i % 7).toBuilder()
                                .setData(spec("members", i))
                                .build());
                        if (i % 5 == 4) {
                            delete("w" + writer + "-" + i % 7);
                        }
                    }
                });
            }
            List<Watcher> watchers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                watchers.add(watch(ARTISTS));
            }
            writers.shutdown();
            assertThat(writers.awaitTermination(30, java.util.concurrent.TimeUnit.SECONDS))
                    .isTrue();
            Resource end = fixture.write(artist("end"));
            Map<String, Resource> expected = fixture
                    .stub
                    .list(dev.evenkeel.grpc.resource.v1.ListRequest.newBuilder()
                            .setType(ARTIST)
                            .build())
                    .getResourcesList()
                    .stream()
                    .collect(Collectors.toMap(one -> one.getId().getName(), one -> one));
            List<List<String>> orders = new ArrayList<>();
            for (Watcher watcher : watchers) {
                Map<String, Resource> state = new HashMap<>();
                List<String> order = new ArrayList<>();
                long last = 0;
                boolean live = false;
                while (true) {
                    WatchEvent event = watcher.event();
                    if (event.hasEndOfSnapshot()) {
                        live = true;
                        continue;
                    }
                    Resource resource = event.hasUpsert()
                            ? event.getUpsert().getResource()
                            : event.getDelete().getResource();
                    if (live) {
                        long version = Long.parseLong(resource.getVersion());
                        assertThat(version).isGreaterThan(last);
                        last = version;
                        order.add(text(event) + "@" + version);
                    }
                    if (event.hasUpsert()) {
                        state.put(resource.getId().getName(), resource);
                    } else {
                        assertThat(state.remove(resource.getId().getName()))
                                .as("deleted, and not known: %s", resource)
                                .isNotNull();
                    }
                    if (resource.equals(end)) {
                        break;
                    }
                }
                assertThat(state).isEqualTo(expected);
                orders.add(order);
            }
            List<String> longest = orders.stream()
                    .max(java.util.Comparator.comparingInt(List::size))
                    .orElseThrow();
            assertThat(orders).allSatisfy(order -> assertThat(longest).endsWith(order.toArray(String[]::new)));
        }
    }

    @Test
    void aWatchContinuesAfterEveryEvent() {
        IntStream.range(0, 3).forEach(i -> fixture.write(artist("s" + i)));
        Watcher whole = watch(ARTISTS);
        List<WatchEvent> events = new ArrayList<>(whole.snapshot());
        assertThat(events).extracting(WatchTest::text).containsExactly("+s0", "+s1", "+s2");
        fixture.write(artist("later"));
        delete("s1");
        events.add(whole.event());
        events.add(whole.event());
        // after an event of the snapshot: the rest of that snapshot, its end, and everything since
        Watcher afterFirst = watch(from(events.getFirst()));
        assertThat(afterFirst.snapshot()).extracting(WatchTest::text).containsExactly("+s1", "+s2");
        assertThat(List.of(afterFirst.event(), afterFirst.event()))
                .extracting(WatchTest::text)
                .containsExactly("+later", "-s1");
        // after a change: the changes since, without another snapshot
        Watcher afterChange = watch(from(events.get(3)));
        assertThat(text(afterChange.event())).isEqualTo("-s1");
        Watcher atEnd = watch(from(events.get(4)));
        fixture.write(artist("next"));
        assertThat(text(atEnd.event())).isEqualTo("+next");
        // interrupted again and again
        WatchEvent last = events.getFirst();
        List<String> seen = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Watcher piece = watch(from(last));
            last = piece.event();
            seen.add(text(last));
            piece.close();
        }
        assertThat(seen).containsExactly("+s1", "+s2", "END_OF_SNAPSHOT", "+later", "-s1", "+next");
    }

    @Test
    void aTokenOfAnotherRequestIsRefused() {
        Watcher watcher = watch(ARTISTS);
        WatchEvent end = watcher.event();
        for (WatchListRequest other : List.of(
                from(end).toBuilder().setType(ARTIST_V2).build(),
                from(end).toBuilder().setNamePrefix("a").build(),
                from(end).toBuilder().setTenancy(tenancy("*", "*")).build(),
                ARTISTS.toBuilder().setResumeToken("no token").build(),
                ARTISTS.toBuilder().setResumeToken("e30").build())) {
            assertThat(refused(() -> fixture.stub.watchList(other).hasNext(), Code.INVALID_ARGUMENT)
                            .fields())
                    .containsExactly("resume_token");
        }
    }

    @Test
    void aWatchOfAllPartitionsSeesNewOnes() {
        Fixture own = fixture.keep(Fixture.start(
                Engine.builder().executor(Runnable::run).build(),
                builder -> builder.authentication(false)
                        .limits(GrpcServer.Limits.DEFAULT.watches(
                                Duration.ofSeconds(30), Duration.ofMinutes(1), Duration.ofMillis(20)))));
        own.withDemo("default", "b");
        Watcher watcher = own.keep(new Watcher(
                own.channel(""),
                ARTISTS.toBuilder().setTenancy(tenancy("*", "*")).build(),
                Integer.MAX_VALUE));
        watcher.snapshot();
        own.write(artist("x").toBuilder().setId(id(ARTIST, "b", "", "x")).build());
        assertThat(text(watcher.event())).isEqualTo("+x");
        Fixture.define(own.engine, "c");
        own.write(artist("y1").toBuilder().setId(id(ARTIST, "c", "", "y1")).build());
        own.write(artist("y2").toBuilder().setId(id(ARTIST, "c", "", "y2")).build());
        assertThat(text(watcher.event())).isEqualTo("+y1");
        WatchEvent joined = watcher.event();
        assertThat(text(joined)).isEqualTo("+y2");
        assertThat(joined.getUpsert().getResource().getId().getTenancy()).isEqualTo(tenancy("c", "default"));
        own.write(artist("z"));
        assertThat(text(watcher.event())).isEqualTo("+z");
        Watcher resumed = own.keep(new Watcher(
                own.channel(""),
                ARTISTS.toBuilder()
                        .setTenancy(tenancy("*", "*"))
                        .setResumeToken(joined.getResumeToken())
                        .build(),
                Integer.MAX_VALUE));
        assertThat(text(resumed.event())).isEqualTo("+z");
    }

    @Test
    void aWatchResumesAfterARestartOfADurableStore(@TempDir Path directory) {
        WatchEvent last;
        try (Fixture before = durable(directory)) {
            before.withDemo();
            before.write(artist("a"));
            Watcher watcher = before.keep(new Watcher(before.channel(""), ARTISTS, Integer.MAX_VALUE));
            watcher.snapshot();
            before.write(artist("b"));
            last = watcher.event();
            before.write(artist("c"));
        }
        try (Fixture after = durable(directory)) {
            Watcher watcher = after.keep(new Watcher(after.channel(""), from(last), Integer.MAX_VALUE));
            assertThat(text(watcher.event())).isEqualTo("+c");
            after.write(artist("d"));
            assertThat(text(watcher.event())).isEqualTo("+d");
        }
    }

    private static Fixture durable(Path directory) {
        Engine engine = Engine.builder()
                .executor(Runnable::run)
                .store(SqliteOptions.in(directory))
                .build();
        return Fixture.start(engine, builder -> builder.authentication(false));
    }

    @Test
    void aWatchThatFellBehindIsOutOfRange() {
        MemoryStore.Window window = new MemoryStore.Window(2, Duration.ofMinutes(5));
        Engine engine = Engine.builder().executor(Runnable::run).window(window).build();
        Fixture own = fixture.keep(Fixture.start(engine, builder -> builder.authentication(false)));
        own.withDemo();
        own.write(artist("a"));
        Watcher watcher = own.keep(new Watcher(own.channel(""), ARTISTS, Integer.MAX_VALUE));
        WatchEvent first = watcher.event();
        for (int i = 0; i < 5; i++) {
            own.write(artist("b" + i));
        }
        assertThat(refused(() -> own.stub.watchList(from(first)).next(), Code.OUT_OF_RANGE)
                        .reason())
                .isEqualTo("Expired");
    }

    @Test
    void bookmarksMoveTheTokenOfAnIdleWatch() {
        Fixture own = fixture.keep(Fixture.start(
                Engine.builder().executor(Runnable::run).build(),
                builder -> builder.authentication(false)
                        .limits(GrpcServer.Limits.DEFAULT.watches(
                                Duration.ofSeconds(30), Duration.ofMillis(20), Duration.ofMinutes(1)))));
        own.withDemo();
        Watcher watcher = own.keep(new Watcher(own.channel(""), ARTISTS, Integer.MAX_VALUE));
        WatchEvent end = watcher.event();
        own.write(Resource.newBuilder().setId(id(Fixture.LABEL, "elsewhere")).build());
        WatchEvent bookmark = watcher.event();
        assertThat(bookmark.hasBookmark()).isTrue();
        assertThat(bookmark.getResumeToken()).isNotEqualTo(end.getResumeToken());
    }

    @Test
    void aSlowReaderIsDisconnectedWithAReason() {
        Fixture own = fixture.keep(Fixture.start(
                Engine.builder().executor(Runnable::run).build(),
                builder -> builder.authentication(false)
                        .limits(GrpcServer.Limits.DEFAULT.watches(
                                Duration.ofMillis(100), Duration.ofMinutes(1), Duration.ofMinutes(1)))));
        own.withDemo();
        String large = "x".repeat(200_000); // together more than the flow control window of a connection
        for (int i = 0; i < 30; i++) {
            own.write(artist("a" + i).toBuilder().putMetadata("large", large).build());
        }
        Watcher watcher = own.keep(new Watcher(own.channel(""), ARTISTS, 1));
        String first = text(watcher.event());
        assertThat(first).isEqualTo("+a0");
        List<String> rest = new ArrayList<>();
        Fixture.Refusal refusal = refused(
                () -> {
                    // takes the rest only after the server has given up, which bounds what it kept
                    own.awaitWatches(0);
                    watcher.request(100);
                    watcher.end().forEach(event -> rest.add(text(event)));
                },
                Code.RESOURCE_EXHAUSTED);
        assertThat(refusal.reason()).isEqualTo("SLOW_READER");
        assertThat(refusal.message()).contains("continue with the resume_token");
    }

    @Test
    void theEndOfTheServerEndsWatches() {
        Engine engine = Engine.builder().executor(Runnable::run).build();
        Fixture own =
                Fixture.start(engine, builder -> builder.authentication(false)).withDemo();
        Watcher watcher = new Watcher(own.channel(""), ARTISTS, Integer.MAX_VALUE);
        watcher.snapshot();
        own.server.close();
        assertThat(refused(watcher::end, Code.UNAVAILABLE).message()).contains("the server is stopping");
        own.close();
    }

    @Test
    void tooManyWatchesAreRefused() {
        Fixture own = fixture.keep(Fixture.start(
                Engine.builder().executor(Runnable::run).build(),
                builder -> builder.authentication(false).limits(GrpcServer.Limits.DEFAULT.concurrent(10, 2))));
        own.withDemo();
        List<Watcher> watchers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Watcher watcher = own.keep(new Watcher(own.channel(""), ARTISTS, Integer.MAX_VALUE));
            watcher.snapshot();
            watchers.add(watcher);
        }
        assertThat(refused(() -> own.stub.watchList(ARTISTS).hasNext(), Code.RESOURCE_EXHAUSTED)
                        .reason())
                .isEqualTo("TOO_MANY_WATCHES");
        watchers.getFirst().close();
        own.awaitWatches(1);
        own.keep(new Watcher(own.channel(""), ARTISTS, Integer.MAX_VALUE)).snapshot();
    }
}
