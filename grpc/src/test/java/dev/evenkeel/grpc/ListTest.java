package dev.evenkeel.grpc;

import static dev.evenkeel.grpc.Fixture.ALBUM;
import static dev.evenkeel.grpc.Fixture.ARTIST;
import static dev.evenkeel.grpc.Fixture.ARTIST_V2;
import static dev.evenkeel.grpc.Fixture.LABEL;
import static dev.evenkeel.grpc.Fixture.artist;
import static dev.evenkeel.grpc.Fixture.id;
import static dev.evenkeel.grpc.Fixture.refused;
import static dev.evenkeel.grpc.Fixture.tenancy;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.Code;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.store.MemoryStore;
import dev.evenkeel.grpc.resource.v1.DeleteRequest;
import dev.evenkeel.grpc.resource.v1.ID;
import dev.evenkeel.grpc.resource.v1.ListRequest;
import dev.evenkeel.grpc.resource.v1.ListResponse;
import dev.evenkeel.grpc.resource.v1.Resource;
import dev.evenkeel.grpc.resource.v1.Tenancy;
import dev.evenkeel.grpc.resource.v1.Type;
import dev.evenkeel.grpc.resource.v1.WatchEvent;
import dev.evenkeel.grpc.resource.v1.WatchListRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Lists: the matrix of consul.md 3.3, pages, prefixes, tokens. */
class ListTest {
    private final Fixture fixture = Fixture.start().withDemo("default", "billing");

    @AfterEach
    void stop() {
        fixture.close();
    }

    private static ID of(Type type, String partition, String namespace, String name) {
        return id(type, partition, namespace, name);
    }

    /** Writes the seed of 3.3, and returns it. */
    private List<Resource> seed() {
        fixture.withNamespace("default", "other").withNamespace("billing", "payments");
        List<Resource> seed = new ArrayList<>();
        for (ID id : List.of(
                of(ARTIST, "default", "default", "admin"),
                of(ARTIST, "default", "default", "api"),
                of(ARTIST_V2, "default", "default", "web"),
                of(ARTIST, "billing", "payments", "api"),
                of(ALBUM, "default", "default", "admin"),
                of(ARTIST, "default", "other", "autoscaler"))) {
            seed.add(fixture.write(Resource.newBuilder().setId(id).build()));
        }
        return seed;
    }

    private ListRequest.Builder request(Type type, String partition, String namespace, String prefix) {
        return ListRequest.newBuilder()
                .setType(type)
                .setTenancy(tenancy(partition, namespace))
                .setNamePrefix(prefix);
    }

    private static List<String> uids(List<Resource> resources) {
        return resources.stream().map(one -> one.getId().getUid()).toList();
    }

    private record Row(String name, String partition, String namespace, String prefix, List<Integer> expected) {}

    private static final List<Row> MATRIX = List.of(
            new Row("simple 1", "default", "default", "", List.of(0, 1, 2)),
            new Row("simple 2", "billing", "payments", "", List.of(3)),
            new Row("fixed + prefix", "default", "default", "a", List.of(0, 1)),
            new Row("wildcard", "*", "*", "", List.of(0, 1, 2, 3, 5)),
            new Row("fixed partition", "default", "*", "", List.of(0, 1, 2, 5)),
            new Row("fixed namespace", "*", "default", "", List.of(0, 1, 2)),
            new Row("wildcard + prefix", "*", "*", "a", List.of(0, 1, 3, 5)),
            new Row("the whole name", "default", "default", "api", List.of(1)),
            new Row("nothing", "default", "default", "b", List.of()),
            new Row("behind everything", "default", "default", "zz", List.of()),
            new Row("an unknown namespace", "default", "none", "", List.of()),
            new Row("an unknown partition", "none", "default", "", List.of()),
            new Row("defaults", "", "", "", List.of(0, 1, 2)));

    @TestFactory
    Stream<DynamicTest> listAndWatchMatrix() {
        List<Resource> seed = seed();
        return MATRIX.stream()
                .flatMap(row -> Stream.of(
                        DynamicTest.dynamicTest("list: " + row.name(), () -> {
                            ListResponse all =
                                    fixture.stub.list(request(ARTIST, row.partition(), row.namespace(), row.prefix())
                                            .build());
                            assertThat(uids(all.getResourcesList()))
                                    .containsExactlyInAnyOrderElementsOf(expected(row, seed));
                            assertThat(all.getResourcesList())
                                    .allSatisfy(one ->
                                            assertThat(one.getId().getType()).isEqualTo(ARTIST));
                            assertThat(all.getNextPageToken()).isEmpty();
                        }),
                        DynamicTest.dynamicTest("pages of one: " + row.name(), () -> {
                            List<Resource> pages = new ArrayList<>();
                            ListRequest.Builder next = request(ARTIST, row.partition(), row.namespace(), row.prefix())
                                    .setPageSize(1);
                            do {
                                ListResponse page = fixture.stub.list(next.build());
                                assertThat(page.getResourcesCount()).isLessThanOrEqualTo(1);
                                pages.addAll(page.getResourcesList());
                                next.setPageToken(page.getNextPageToken());
                            } while (!next.getPageToken().isEmpty());
                            assertThat(uids(pages)).containsExactlyInAnyOrderElementsOf(expected(row, seed));
                        }),
                        DynamicTest.dynamicTest("watch: " + row.name(), () -> {
                            if (row.partition().equals("none")) {
                                return; // a watch by an administrator creates the partition
                            }
                            var events = fixture.stub.watchList(WatchListRequest.newBuilder()
                                    .setType(ARTIST)
                                    .setTenancy(tenancy(row.partition(), row.namespace()))
                                    .setNamePrefix(row.prefix())
                                    .build());
                            List<Resource> snapshot = new ArrayList<>();
                            for (WatchEvent event = events.next(); !event.hasEndOfSnapshot(); event = events.next()) {
                                snapshot.add(event.getUpsert().getResource());
                            }
                            assertThat(uids(snapshot)).containsExactlyInAnyOrderElementsOf(expected(row, seed));
                        })));
    }

    private static List<String> expected(Row row, List<Resource> seed) {
        return row.expected().stream()
                .map(index -> seed.get(index).getId().getUid())
                .toList();
    }

    @Test
    void scopeIsEnforcedByListAndWatchList() {
        ListRequest list = request(LABEL, "default", "default", "").build();
        assertThat(refused(() -> fixture.stub.list(list), Code.INVALID_ARGUMENT).message())
                .isEqualTo(
                        "partition scoped resource demo.example.com.v1.RecordLabel cannot have a namespace. got: default");
        WatchListRequest watch = WatchListRequest.newBuilder()
                .setType(LABEL)
                .setTenancy(list.getTenancy())
                .build();
        assertThat(refused(() -> fixture.stub.watchList(watch).hasNext(), Code.INVALID_ARGUMENT)
                        .fields())
                .containsExactly("tenancy.namespace");
        fixture.write(Resource.newBuilder().setId(id(LABEL, "verve")).build());
        assertThat(fixture.stub.list(request(LABEL, "*", "*", "").build()).getResourcesList())
                .hasSize(1);
    }

    @Test
    void wrongRequestsNameTheField() {
        record Wrong(ListRequest.Builder request, String field) {}
        for (Wrong wrong : List.of(
                new Wrong(request(ARTIST, "No", "default", ""), "tenancy.partition"),
                new Wrong(request(ARTIST, "default", "No", ""), "tenancy.namespace"),
                new Wrong(request(ARTIST, "default", "default", "Foo"), "name_prefix"),
                new Wrong(request(ARTIST, "default", "default", "a\0"), "name_prefix"),
                new Wrong(
                        request(
                                Type.newBuilder()
                                        .setGroupVersion("v1")
                                        .setKind("No")
                                        .build(),
                                "",
                                "",
                                ""),
                        "type"),
                new Wrong(request(ARTIST, "", "", "").setPageSize(-1), "page_size"),
                new Wrong(request(ARTIST, "", "", "").setVersion("x"), "version"),
                new Wrong(request(ARTIST, "", "", "").setLabelSelector("a in ("), "label_selector"),
                new Wrong(request(ARTIST, "", "", "").setPageToken("x"), "page_token"))) {
            assertThat(refused(() -> fixture.stub.list(wrong.request().build()), Code.INVALID_ARGUMENT)
                            .fields())
                    .containsExactly(wrong.field());
        }
    }

    @Test
    void pagesAreOfOneRevisionWhateverIsWrittenMeanwhile() {
        for (int i = 0; i < 5; i++) {
            fixture.write(artist("a" + i));
        }
        ListRequest.Builder request = request(ARTIST, "", "", "").setPageSize(2);
        ListResponse first = fixture.stub.list(request.build());
        fixture.stub.delete(DeleteRequest.newBuilder().setId(id(ARTIST, "a3")).build());
        fixture.write(artist("a2x"));
        ListResponse second =
                fixture.stub.list(request.setPageToken(first.getNextPageToken()).build());
        ListResponse third = fixture.stub.list(
                request.setPageToken(second.getNextPageToken()).build());
        assertThat(Stream.of(first, second, third)
                        .flatMap(page -> page.getResourcesList().stream())
                        .map(one -> one.getId().getName()))
                .containsExactly("a0", "a1", "a2", "a3", "a4");
        assertThat(second.getVersion()).isEqualTo(first.getVersion());
        assertThat(third.getNextPageToken()).isEmpty();
        ListResponse then = fixture.stub.list(
                request(ARTIST, "", "", "").setVersion(first.getVersion()).build());
        assertThat(then.getResourcesCount()).isEqualTo(5);
        assertThat(fixture.stub.list(request(ARTIST, "", "", "").build()).getResourcesList())
                .extracting(one -> one.getId().getName())
                .containsExactly("a0", "a1", "a2", "a2x", "a4");
    }

    @Test
    void aTokenIsGoodForItsOwnRequestOnly() {
        for (int i = 0; i < 3; i++) {
            fixture.write(artist("a" + i));
        }
        String token = fixture.stub
                .list(request(ARTIST, "", "", "").setPageSize(1).build())
                .getNextPageToken();
        for (ListRequest.Builder other : List.of(
                request(ARTIST_V2, "", "", ""),
                request(ARTIST, "billing", "", ""),
                request(ARTIST, "", "", "a"),
                request(ARTIST, "", "", "").setLabelSelector("a=b"))) {
            assertThat(refused(() -> fixture.stub.list(other.setPageToken(token).build()), Code.INVALID_ARGUMENT)
                            .fields())
                    .containsExactly("page_token");
        }
        String forged = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8)
                        .replace("\"p\":\"default\"", "\"p\":\"billing\"")
                        .getBytes(StandardCharsets.UTF_8));
        // a token leads nowhere else than where the request does
        assertThat(fixture.stub
                        .list(request(ARTIST, "", "", "")
                                .setPageSize(1)
                                .setPageToken(forged)
                                .build())
                        .getResourcesList())
                .allSatisfy(one ->
                        assertThat(one.getId().getTenancy().getPartition()).isEqualTo("default"));
    }

    @Test
    void aPageThatWasCompactedIsOutOfRange() {
        MemoryStore.Window window = new MemoryStore.Window(2, Duration.ofMinutes(5));
        Engine engine = Engine.builder().executor(Runnable::run).window(window).build();
        try (Fixture own =
                Fixture.start(engine, builder -> builder.authentication(false)).withDemo()) {
            for (int i = 0; i < 3; i++) {
                own.write(artist("a" + i));
            }
            ListRequest.Builder request = request(ARTIST, "", "", "").setPageSize(1);
            request.setPageToken(own.stub.list(request.build()).getNextPageToken());
            for (int i = 0; i < 5; i++) {
                own.write(artist("b" + i));
            }
            assertThat(refused(() -> own.stub.list(request.build()), Code.OUT_OF_RANGE)
                            .reason())
                    .isEqualTo("Expired");
        }
    }

    @Test
    void labelsSelect() {
        fixture.write(artist("a").toBuilder().putLabels("tier", "gold").build());
        fixture.write(artist("b").toBuilder().putLabels("tier", "tin").build());
        assertThat(fixture.stub
                        .list(request(ARTIST, "", "", "")
                                .setLabelSelector("tier in (gold, silver)")
                                .build())
                        .getResourcesList())
                .extracting(one -> one.getId().getName())
                .containsExactly("a");
    }

    @Test
    void aLargeListNeedsPages() {
        Engine engine = Engine.builder().executor(Runnable::run).build();
        try (Fixture own = Fixture.start(
                        engine,
                        builder ->
                                builder.authentication(false).limits(GrpcServer.Limits.DEFAULT.bytes(1 << 20, 1_000)))
                .withDemo()) {
            for (int i = 0; i < 20; i++) {
                own.write(artist("a" + i));
            }
            ListRequest.Builder request = request(ARTIST, "", "", "");
            assertThat(refused(() -> own.stub.list(request.build()), Code.RESOURCE_EXHAUSTED)
                            .message())
                    .endsWith("set page_size");
            int resources = 0;
            int pages = 0;
            request.setPageSize(15);
            do {
                ListResponse page = own.stub.list(request.build());
                resources += page.getResourcesCount();
                pages++;
                request.setPageToken(page.getNextPageToken());
            } while (!request.getPageToken().isEmpty());
            assertThat(resources).isEqualTo(20);
            assertThat(pages).isGreaterThan(2);
        }
    }

    @Test
    void anAbsentTenancyIsThatOfTheDefaults() {
        Resource written = fixture.write(artist("a"));
        ListRequest request = ListRequest.newBuilder().setType(ARTIST).build();
        assertThat(fixture.stub.list(request).getResourcesList()).containsExactly(written);
        assertThat(fixture.stub
                        .list(request.toBuilder()
                                .setTenancy(Tenancy.getDefaultInstance())
                                .build())
                        .getResourcesList())
                .containsExactly(written);
    }
}
