package dev.evenkeel.controller.cache;

import static dev.evenkeel.controller.cache.ScriptedServer.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.Watch;
import dev.evenkeel.simulation.VirtualScheduler;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Requests to the server and the handling of its responses, as transcripts. */
class ReflectorTest {
    private static final Kind<ConfigMap> MAPS = Kind.of(ConfigMap.class);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualScheduler scheduler = new VirtualScheduler(1);
    private final ScriptedServer server = new ScriptedServer();
    private InformerOptions options = InformerOptions.DEFAULT;
    private final List<String> told = new ArrayList<>();

    private Informer<ConfigMap> informer() {
        Informer<ConfigMap> informer = new Informer<>(server, MAPS, ListOptions.ALL, scheduler, options);
        informer.handle("told", change -> told.add(change.getClass().getSimpleName() + " " + change.object()));
        return informer;
    }

    private Informer<ConfigMap> started() {
        Informer<ConfigMap> informer = informer();
        informer.start();
        scheduler.run();
        return informer;
    }

    private static List<String> content(Informer<ConfigMap> informer) {
        return informer.cache().stream()
                .map(object -> object.key().name() + "@" + object.resourceVersion())
                .toList();
    }

    private static boolean synced(Informer<ConfigMap> informer) {
        return informer.synced().isDone();
    }

    private void pass(Duration time) {
        scheduler.advance(time);
    }

    // ---- list, then watch

    @Test
    @DisplayName("39. Stopped before it is started: it sends no request, and has ended")
    void stopBeforeStart() {
        Informer<ConfigMap> informer = informer();
        informer.close();
        informer.start();
        pass(Duration.ofMinutes(10));
        assertThat(server.asked).isEmpty();
        assertThat(informer.ended()).isDone();
    }

    @Test
    @DisplayName("One list, one watch from its version; started twice is started once; stopped, nothing is left")
    void listsAndWatches() {
        server.list("10", object("a", "5"));
        Informer<ConfigMap> informer = started();
        informer.start();
        server.watch().added("b", "11").modified("a", "12").deleted("b", "13");
        scheduler.run();
        assertThat(server.asked).containsExactly("list 0", "watch 10");
        assertThat(content(informer)).containsExactly("a@12");
        assertThat(synced(informer)).isTrue();
        informer.close();
        scheduler.run();
        assertThat(informer.ended()).isDone();
        assertThat(server.watch().closed()).isTrue();
        assertThat(scheduler.readers()).isZero();
        assertThat(scheduler.timers()).isZero();
    }

    @Test
    @DisplayName("40. java.md §3 row 19: an object that cannot be read is dropped and counted, the others continue")
    void unreadable() {
        Encoded bad = ScriptedServer.json("{\"metadata\":{\"namespace\":\"default\",\"name\":\"bad\"");
        Encoded table = ScriptedServer.json("{\"kind\":\"Table\",\"metadata\":{},\"rows\":[]}");
        server.list("10", object("a", "5"), bad, object("c", "6"));
        Informer<ConfigMap> informer = started();
        assertThat(synced(informer)).isTrue();
        assertThat(content(informer)).containsExactly("a@5", "c@6");
        server.watch()
                .event(Watch.Type.MODIFIED, bad, "11")
                .event(Watch.Type.ADDED, table, "12")
                .added("d", "13");
        server.watch().end();
        pass(Duration.ofSeconds(5));
        assertThat(content(informer)).containsExactly("a@5", "c@6", "d@13");
        assertThat(informer.problems()).isEqualTo(3);
        assertThat(server.asked).containsExactly("list 0", "watch 10", "watch 13");
    }

    @Test
    @DisplayName(
            "40. An object whose fields do not fit its class is kept: only decoding it fails, with object and field")
    void doesNotFit() {
        Encoded odd = ScriptedServer.json("{\"metadata\":{\"namespace\":\"default\",\"name\":\"odd\",\"uid\":\"u\","
                + "\"resourceVersion\":\"7\"},\"data\":[1]}");
        server.list("10", object("a", "5"), odd);
        Informer<ConfigMap> informer = started();
        informer.cache().index(Index.of("data", object -> object.getData().keySet().stream()));
        assertThat(content(informer)).containsExactly("a@5", "odd@7");
        assertThat(informer.problems()).isEqualTo(1);
        assertThatThrownBy(() -> informer.cache().find(ObjectKey.of("default", "odd")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("default/odd")
                .hasMessageContaining("data");
        assertThat(informer.cache().find(ObjectKey.of("default", "a"))).isPresent();
    }

    @Test
    @DisplayName("41. Versions are remembered in the order of their arrival: 10, 55, 32, so from 32 on; bookmarks too")
    void orderOfArrival() {
        server.list("1");
        started();
        server.watch().added("a", "10").added("b", "55").added("c", "32").end();
        pass(SECOND);
        server.watch().bookmark("70").end();
        pass(SECOND);
        assertThat(server.asked).containsExactly("list 0", "watch 1", "watch 32", "watch 70");
    }

    @Test
    @DisplayName("42. Connection refused on four watches: one list, five watches")
    void refusedConnections() {
        server.list("10");
        for (int i = 0; i < 4; i++) {
            server.watchFails(ScriptedServer.refusedConnection());
        }
        started();
        pass(Duration.ofMinutes(1));
        assertThat(server.asked).containsExactly("list 0", "watch 10", "watch 10", "watch 10", "watch 10", "watch 10");
    }

    @Test
    @DisplayName("43. Too many requests: the same watch again, after the delay that the server requires")
    void tooMany() {
        server.list("10");
        started();
        server.watch().added("a", "11").fail(ScriptedServer.tooMany());
        server.watchFails(ScriptedServer.tooMany(20));
        scheduler.run();
        assertThat(server.asked).containsExactly("list 0", "watch 10");
        pass(Duration.ofSeconds(2));
        assertThat(server.asked).containsExactly("list 0", "watch 10", "watch 11");
        pass(Duration.ofSeconds(17));
        assertThat(server.asked).hasSize(3);
        pass(Duration.ofSeconds(4));
        assertThat(server.asked).containsExactly("list 0", "watch 10", "watch 11", "watch 11");
    }

    @Test
    @DisplayName("44. Errors of the server: three times the same watch, then a list; an event resets the count")
    void serverErrors() {
        server.list("10");
        Informer<ConfigMap> informer = started();
        for (int i = 0; i < 2; i++) {
            server.watch().fail(ScriptedServer.internal());
            pass(Duration.ofMinutes(1));
        }
        server.watch().added("a", "11");
        for (int i = 0; i < 3; i++) {
            server.watch().fail(ScriptedServer.internal());
            pass(Duration.ofMinutes(1));
        }
        server.list("20").watch().fail(ScriptedServer.internal());
        pass(Duration.ofMinutes(1));
        assertThat(server.asked)
                .containsExactly(
                        "list 0",
                        "watch 10",
                        "watch 10",
                        "watch 10",
                        "watch 11",
                        "watch 11",
                        "watch 11",
                        "list 11",
                        "watch 20");
        assertThat(informer.figures().relists()).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "45. Ten objects in pages of four: three requests; the version is in the first, the token in the others")
    void pages() {
        options = options.pageSize(4);
        server.page("10", "p1", four(0)).page("10", "p2", four(4)).list("10", object("n8", "1"), object("n9", "1"));
        Informer<ConfigMap> informer = started();
        assertThat(server.asked).containsExactly("list 0", "list +p1", "list +p2", "watch 10");
        assertThat(server.lists).extracting(ListOptions::limit).containsExactly(4L, 4L, 4L);
        assertThat(server.lists).extracting(ListOptions::resourceVersion).containsExactly("0", "", "");
        assertThat(informer.cache().size()).isEqualTo(10);
    }

    private static Encoded[] four(int from) {
        return Stream.of(0, 1, 2, 3).map(i -> object("n" + (from + i), "1")).toArray(Encoded[]::new);
    }

    @Test
    @DisplayName("46. The watch's version expired: list at it, and if that is refused too, of the present: 0, 10, \"\"")
    void expired() {
        server.list("10", object("a", "5")).list("10", object("a", "5")).list("30", object("b", "30"));
        Informer<ConfigMap> informer = started();
        server.watch().fail(ScriptedServer.expired());
        pass(Duration.ofSeconds(3));
        server.watch().fail(ScriptedServer.expired());
        pass(Duration.ofSeconds(5));
        assertThat(server.asked).containsExactly("list 0", "watch 10", "list 10", "watch 10", "list ", "watch 30");
        assertThat(content(informer)).containsExactly("b@30");
    }

    @Test
    @DisplayName("46. The list at the last version expired too: the present state, at once")
    void expiredTwice() {
        server.list("10").listFails(ScriptedServer.expired()).list("30");
        started();
        server.watch().fail(ScriptedServer.expired());
        pass(Duration.ofSeconds(2));
        assertThat(server.asked).containsExactly("list 0", "watch 10", "list 10", "list ", "watch 30");
    }

    @Test
    @DisplayName(
            "47. The second page expired: the present state, from its first page; outdated results of the first attempt are removed")
    void secondPageExpired() {
        server.page("10", "p1", object("a", "5"), object("b", "6"))
                .listFails(ScriptedServer.expired())
                .list("20", object("b", "6"), object("c", "7"));
        Informer<ConfigMap> informer = started();
        assertThat(server.asked).containsExactly("list 0", "list +p1", "list ", "watch 20");
        assertThat(content(informer)).containsExactly("b@6", "c@7");
        assertThat(told)
                .containsExactly("Added default/a@5", "Added default/b@6", "Added default/c@7", "Deleted default/a@5");
    }

    @Test
    @DisplayName("Continue tokens that expire each time: pages, pages of the present state, then all in one answer")
    void eachContinueTokenExpires() {
        ScriptedServer.Answer expires = list -> {
            if (!list.continueToken().isEmpty()) {
                throw ScriptedServer.expired();
            }
            return list.limit() > 0
                    ? new Listing<>(List.of(object("a", "5")), "10", "p1")
                    : new Listing<>(List.of(object("a", "5"), object("b", "6")), "10", "");
        };
        for (int i = 0; i < 100; i++) {
            server.answer(expires);
        }
        Informer<ConfigMap> informer = started();
        assertThat(server.asked).containsExactly("list 0", "list +p1", "list ", "list +p1", "list ", "watch 10");
        assertThat(server.lists).extracting(ListOptions::limit).containsExactly(500L, 500L, 500L, 500L, 0L);
        assertThat(content(informer)).containsExactly("a@5", "b@6");
        assertThat(synced(informer)).isTrue();

        // a later list is in pages again
        server.watch().fail(ScriptedServer.expired());
        pass(Duration.ofSeconds(3));
        assertThat(server.lists.get(5).limit()).isEqualTo(500);
        assertThat(synced(informer)).isTrue();
    }

    @Test
    @DisplayName("A continue token that expires although no limit was set: the same list again, later and later")
    void wholeListExpires() {
        for (int i = 0; i < 100; i++) {
            server.page("10", "p1", object("a", "5")).listFails(ScriptedServer.expired());
        }
        Informer<ConfigMap> informer = started();
        assertThat(server.asked).containsExactly("list 0", "list +p1", "list ", "list +p1", "list ", "list +p1");
        pass(Duration.ofMinutes(1));
        assertThat(server.asked).hasSizeBetween(12, 18);
        assertThat(synced(informer)).isFalse();
        assertThat(informer.figures().failures()).isPositive();
    }

    @Test
    @DisplayName("48. A version the server does not have yet: the present state, each time: 0, 20, \"\", 30, \"\"")
    void tooLarge() {
        server.list("20")
                .listFails(ScriptedServer.tooLarge())
                .list("30")
                .listFails(ScriptedServer.tooLarge())
                .list("40");
        started();
        server.watch().fail(ScriptedServer.expired());
        pass(Duration.ofSeconds(5));
        server.watch().fail(ScriptedServer.expired());
        pass(Duration.ofSeconds(10));
        assertThat(server.asked)
                .containsExactly("list 0", "watch 20", "list 20", "list ", "watch 30", "list 30", "list ", "watch 40");
    }

    @Test
    @DisplayName(
            "A watch from a version the server does not have yet: a list decides, instead of the same watch indefinitely")
    void watchTooLarge() {
        server.list("20").list("20");
        server.watchFails(ScriptedServer.tooLarge());
        started();
        pass(Duration.ofSeconds(5));
        assertThat(server.asked).containsExactly("list 0", "watch 20", "list 20", "watch 20");
    }

    @Test
    @DisplayName(
            "50. An unreadable event: a list, and if that is as old, one of the present; deleted objects are removed")
    void corrupt() {
        ApiException corrupt = ApiException.of(Status.of(500, "StoreReadError", "data are corrupt"));
        server.list("10", object("a", "5"), object("b", "6"))
                .list("10", object("a", "5"))
                .list("12", object("a", "5"));
        Informer<ConfigMap> informer = started();
        server.watch().fail(corrupt);
        pass(Duration.ofSeconds(3));
        assertThat(content(informer)).containsExactly("a@5");
        server.watch().fail(corrupt);
        pass(Duration.ofSeconds(5));
        assertThat(server.asked).containsExactly("list 0", "watch 10", "list 10", "watch 10", "list ", "watch 12");
    }

    // ---- streaming

    private Informer<ConfigMap> streaming() {
        options = options.mode(InformerOptions.Mode.STREAM);
        return started();
    }

    @Test
    @DisplayName("51. Streaming: the bookmark with the annotation \"false\", or with none, does not end the list")
    void streamed() {
        Informer<ConfigMap> informer = streaming();
        server.watch().added("a", "5").initialEventsEnd("9", "false").bookmark("9");
        scheduler.run();
        assertThat(synced(informer)).isFalse();
        server.watch().initialEventsEnd("10", "true").added("b", "11");
        scheduler.run();
        assertThat(synced(informer)).isTrue();
        assertThat(content(informer)).containsExactly("a@5", "b@11");
        assertThat(server.asked).containsExactly("stream 0");
        assertThat(server.watch().options().sendInitialEvents()).isTrue();
    }

    @Test
    @DisplayName(
            "51. Streaming: closed before the bookmark: not synced; its objects are kept, and the next stream corrects them")
    void streamCut() {
        Informer<ConfigMap> informer = streaming();
        server.watch().added("a", "5").added("b", "6").end();
        pass(Duration.ofMillis(1500));
        assertThat(synced(informer)).isFalse();
        assertThat(informer.figures().synced()).isFalse();
        pass(SECOND);
        server.watch().added("b", "6").added("c", "7").initialEventsEnd("10", "true");
        scheduler.run();
        assertThat(synced(informer)).isTrue();
        assertThat(content(informer)).containsExactly("b@6", "c@7");
        assertThat(server.asked).containsExactly("stream 0", "stream 0");
    }

    @Test
    @DisplayName("52. Streaming: changes and deletions before the bookmark count; deleted objects are absent")
    void streamChanges() {
        Informer<ConfigMap> informer = streaming();
        server.watch()
                .added("a", "5")
                .added("b", "6")
                .modified("a", "7")
                .deleted("b", "8")
                .initialEventsEnd("10", "true");
        scheduler.run();
        assertThat(content(informer)).containsExactly("a@7");
        assertThat(told).first().isEqualTo("Added default/a@5");
        assertThat(told).endsWith("Updated default/a@7", "Deleted default/b@8");
    }

    @Test
    @DisplayName("53. Streaming: broken after the bookmark: an ordinary watch from the last version")
    void streamBroken() {
        streaming();
        server.watch().initialEventsEnd("10", "true").added("a", "12").fail(ScriptedServer.refusedConnection());
        pass(Duration.ofSeconds(2));
        server.watch().fail(ScriptedServer.expired());
        pass(Duration.ofSeconds(5));
        assertThat(server.asked).containsExactly("stream 0", "watch 12", "stream 12");
    }

    @Test
    @DisplayName("54. Streaming refused: pages, from then on; a busy server is not a reason")
    void streamRefused() {
        options = options.mode(InformerOptions.Mode.STREAM);
        server.watchFails(ScriptedServer.tooMany());
        server.watchFails(ApiException.of(Status.of(422, "Invalid", "sendInitialEvents is forbidden")));
        server.list("10").list("10");
        Informer<ConfigMap> informer = started();
        pass(Duration.ofSeconds(10));
        server.watch().fail(ScriptedServer.expired());
        pass(Duration.ofSeconds(10));
        assertThat(server.asked).containsExactly("stream 0", "stream 0", "list 0", "watch 10", "list 10", "watch 10");
        assertThat(synced(informer)).isTrue();
    }

    // ---- time

    @Test
    @DisplayName("Delays after failures: 0.8 s, doubled up to 30 s, each with up to as much again at random")
    void delays() {
        List<Duration> asked = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            server.answer(o -> {
                asked.add(Duration.ofNanos(scheduler.nanoTime()));
                throw ScriptedServer.refusedConnection();
            });
        }
        server.list("10");
        started();
        while (server.opened.isEmpty()) {
            pass(SECOND);
        }
        double expected = 0.8;
        double jitter = 0;
        for (int i = 1; i < asked.size(); i++) {
            double seconds = asked.get(i).minus(asked.get(i - 1)).toMillis() / 1000.0;
            assertThat(seconds).as("delay %s", i).isBetween(expected - 0.002, 2 * expected + 0.002);
            jitter = Math.max(jitter, seconds / expected);
            expected = Math.min(30, 2 * expected);
        }
        assertThat(jitter).isGreaterThan(1.1);
        assertThat(server.asked).hasSize(14);
    }

    @Test
    @DisplayName("A watch that ran two minutes resets the delays; one that ran one does not")
    void delaysAreReset() {
        options = options.silence(Duration.ofMinutes(30));
        server.list("10");
        for (int i = 0; i < 6; i++) {
            server.watchFails(ScriptedServer.refusedConnection());
        }
        started();
        pass(Duration.ofMinutes(3));
        assertThat(server.opened).hasSize(1);
        pass(Duration.ofMinutes(1).minusSeconds(59)); // it is up for a while, at most
        server.watch().fail(ScriptedServer.refusedConnection());
        pass(Duration.ofSeconds(5));
        assertThat(server.opened.size()).isBetween(1, 2);
        pass(Duration.ofMinutes(4));
        assertThat(server.opened).hasSize(2);
        server.watch().fail(ScriptedServer.refusedConnection());
        pass(Duration.ofMillis(1700));
        assertThat(server.opened).hasSize(3);
    }

    @Test
    @DisplayName("A watch that ends at once without a word is not repeated as fast as possible")
    void briefWatches() {
        server.list("10");
        started();
        for (int i = 0; i < 5; i++) {
            server.watch().end();
            scheduler.run();
        }
        assertThat(server.opened).hasSize(1);
        pass(Duration.ofSeconds(2));
        assertThat(server.opened).hasSize(2);
    }

    @Test
    @DisplayName("Pain 20, watch silently dead (fabric8 #6379): a silent watch is abandoned and restarted")
    void silent() {
        server.list("10");
        Informer<ConfigMap> informer = started();
        ScriptedServer.Opened<?> dead = server.watch();
        pass(Duration.ofSeconds(100));
        dead.bookmark("20");
        pass(Duration.ofSeconds(149));
        assertThat(informer.figures().quiet()).isEqualTo(Duration.ofSeconds(149));
        assertThat(server.opened).hasSize(1);
        pass(Duration.ofSeconds(2));
        assertThat(server.asked).containsExactly("list 0", "watch 10", "watch 20");
        assertThat(dead.closed()).isTrue();
        server.watch().added("a", "21");
        scheduler.run();
        assertThat(content(informer)).containsExactly("a@21");
    }

    @Test
    @DisplayName("Pain 20: a list that is never answered is noticed, interrupted, and requested again")
    void hangingList() {
        boolean[] interrupted = {false};
        server.answer(o -> {
                    interrupted[0] = scheduler.hang(Duration.ofMinutes(2));
                    throw new IllegalStateException("interrupted");
                })
                .list("10", object("a", "5"));
        Informer<ConfigMap> informer = started();
        assertThat(interrupted[0]).isTrue();
        assertThat(scheduler.nanoTime()).isEqualTo(Duration.ofSeconds(70).toNanos());
        pass(Duration.ofSeconds(2));
        assertThat(server.asked).containsExactly("list 0", "list 0", "watch 10");
        assertThat(synced(informer)).isTrue();
        assertThat(informer.figures().failures()).isEqualTo(1);
    }

    @Test
    @DisplayName("The late answer to an abandoned list is ignored")
    void lateAnswer() {
        server.answer(o -> {
                    boolean unused = scheduler.hang(Duration.ofMinutes(1)) && scheduler.hang(Duration.ZERO);
                    scheduler.advance(Duration.ofMinutes(2)); // meanwhile the next list and its watch
                    return new Listing<>(List.of(object("old", "1")), "1", "");
                })
                .list("10", object("a", "5"));
        Informer<ConfigMap> informer = started();
        assertThat(content(informer)).containsExactly("a@5");
        assertThat(synced(informer)).isTrue();
        server.watch().added("b", "11");
        server.watch().end();
        pass(SECOND);
        assertThat(content(informer)).containsExactly("a@5", "b@11");
        assertThat(server.asked).startsWith("list 0", "list 0", "watch 10").endsWith("watch 11");
        informer.close();
        scheduler.run();
        assertThat(informer.ended()).isDone();
    }

    @Test
    @DisplayName("A late event of an abandoned watch does not undo one of the next")
    void overtakenEvent() {
        server.list("10", object("a", "5"));
        Informer<ConfigMap> informer = started();
        boolean[] first = {true};
        informer.cache().index(Index.ofCached("slow", object -> {
            if (object.resourceVersion().equals("11") && first[0]) {
                first[0] = false;
                // this takes so long that the watch is given up; the next one tells the same, and more
                scheduler.advance(Duration.ofMinutes(3));
                server.watch().modified("a", "11").modified("a", "12");
                scheduler.advance(SECOND);
            }
            return Stream.of("x");
        }));
        server.watch().modified("a", "11");
        scheduler.run();
        assertThat(content(informer)).containsExactly("a@12");
        server.watch().end();
        pass(Duration.ofSeconds(3));
        assertThat(server.asked).endsWith("watch 12");
    }

    @Test
    @DisplayName("Watches have a timeout of five to ten minutes; lists after the first are in pages too")
    void watchTimeout() {
        server.list("10");
        started();
        for (int i = 0; i < 20; i++) {
            assertThat(server.watch().options().timeout()).isBetween(Duration.ofMinutes(5), Duration.ofMinutes(10));
            pass(Duration.ofSeconds(2));
            server.watch().end();
            scheduler.run();
        }
        assertThat(server.opened).hasSize(21);
        assertThat(server.opened.stream()
                        .map(watch -> watch.options().timeout())
                        .distinct()
                        .count())
                .isGreaterThan(10);
        server.list("10").watch().fail(ScriptedServer.expired());
        pass(Duration.ofSeconds(3));
        assertThat(server.lists.getLast().resourceVersion()).isEqualTo("10");
        assertThat(server.lists.getLast().limit()).isEqualTo(500);
    }

    @Test
    @DisplayName("Stopped while it waits after a failure, and while a list hangs: no further request is sent")
    void stopped() {
        server.listFails(ScriptedServer.refusedConnection());
        Informer<ConfigMap> informer = started();
        informer.close();
        pass(Duration.ofMinutes(10));
        assertThat(server.asked).hasSize(1);
        assertThat(informer.ended()).isDone();

        server.answer(o -> {
            scheduler.execute("stop", () -> {}); // something else to do meanwhile
            boolean interrupted = scheduler.hang(SECOND);
            throw new IllegalStateException("interrupted: " + interrupted);
        });
        Informer<ConfigMap> other = informer();
        scheduler.schedule(Duration.ofMillis(10), other::close);
        other.start();
        pass(Duration.ofMinutes(10));
        assertThat(server.asked).hasSize(2);
        assertThat(other.ended()).isDone();
        assertThat(scheduler.timers()).isZero();
    }

    /** A value that cannot be compared with another. */
    private record Odd(String text) implements Comparable<Odd> {
        @Override
        public int compareTo(Odd other) {
            if (equals(other)) {
                return 0;
            }
            throw new IllegalStateException("compared");
        }
    }

    @Test
    @DisplayName("Wedged: any exception while a list or an event is stored is a failure, and retried")
    void storingFails() {
        server.answer(o -> {
                    throw new StackOverflowError("list");
                })
                .list("10", object("a", "5"));
        Informer<ConfigMap> informer = started();
        pass(Duration.ofSeconds(2));
        assertThat(server.asked).containsExactly("list 0", "list 0", "watch 10");
        informer.cache().index(Index.ofCached("odd", object -> Stream.of(new Odd(object.resourceVersion()))));
        server.watch().added("b", "11");
        pass(Duration.ofSeconds(4));
        assertThat(server.asked).containsExactly("list 0", "list 0", "watch 10", "watch 10");
        assertThat(content(informer)).containsExactly("a@5");
        assertThat(informer.figures().failures()).isEqualTo(2);
        informer.close();
        scheduler.run();
        assertThat(informer.ended()).isDone();
    }

    // ---- wider projections

    @Test
    @DisplayName("Fields requested during the first list: listed again at once, and synced only then")
    void widenedWhileListing() {
        options = options.pageSize(1);
        List<Informer<ConfigMap>> made = new ArrayList<>();
        server.answer(o -> {
                    made.getFirst().widen(Projection.of("data"));
                    return new Listing<>(List.of(object("a", "5")), "10", "");
                })
                .list("10", object("a", "5"));
        Informer<ConfigMap> informer = new Informer<>(
                server, MAPS, ListOptions.ALL, scheduler, options.projection(Projection.of("binaryData")));
        made.add(informer);
        informer.start();
        scheduler.run();
        assertThat(server.asked).containsExactly("list 0", "list ", "watch 10");
        assertThat(synced(informer)).isTrue();
        assertThat(informer.cache()
                        .find(ObjectKey.of("default", "a"))
                        .orElseThrow()
                        .getData())
                .containsEntry("version", "5");
    }

    @Test
    @DisplayName("Fields requested later: listed again, the watch is abandoned; synced is that of the new list")
    void widened() {
        server.list("10", object("a", "5"));
        Informer<ConfigMap> informer = new Informer<>(
                server,
                MAPS,
                ListOptions.ALL,
                scheduler,
                InformerOptions.DEFAULT.projection(Projection.of("binaryData")));
        informer.start();
        scheduler.run();
        assertThat(informer.cache()
                        .find(ObjectKey.of("default", "a"))
                        .orElseThrow()
                        .getData())
                .isEmpty();
        informer.widen(Projection.of("binaryData")); // has it
        scheduler.run();
        assertThat(server.opened).hasSize(1);
        server.list("10", object("a", "5"));
        informer.widen(Projection.of("data"));
        assertThat(synced(informer)).isFalse();
        scheduler.run();
        assertThat(synced(informer)).isTrue();
        assertThat(server.opened.getFirst().closed()).isTrue();
        assertThat(server.asked).containsExactly("list 0", "watch 10", "list ", "watch 10");
        assertThat(informer.cache()
                        .find(ObjectKey.of("default", "a"))
                        .orElseThrow()
                        .getData())
                .containsEntry("version", "5");
    }
}
