package dev.evenkeel.controller.cache;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * All orders, within bounds, in which writes of this process and of others, their answers, events and lists can come.
 *
 * <p>Each order is tried from its beginning: a list of choices says which of the possible steps is taken, and is counted
 * up like a number. {@code -Devenkeel.interleavings=1} allows one more own write in each world, which takes minutes.
 */
class ReplicaInterleavingsTest {
    private static final int MORE = Integer.getInteger("evenkeel.interleavings", 0);

    private static final Cache.Entry.Source<ConfigMap> SOURCE =
            new Cache.Entry.Source<>(ConfigMap.class, Projection.everything());
    private static final Map<String, Cache.Entry<ConfigMap>> OBJECTS = new HashMap<>();

    /** The possible events, and the number of each. */
    private enum World {
        WRITES(1, 1, false, 2, 2, List.of()),
        MANY_OWN_WRITES(1, 1, false, 3, 1, List.of()),
        RELIST(1, 1, false, 2, 1, List.of(Kind.LIST)),
        /** After 410: the list is none older than what was told, and may not know the own writes. */
        OLD_RELIST(1, 1, false, 2, 1, List.of(Kind.OLD_LIST)),
        STREAMED_RELIST(1, 1, false, 2, 1, List.of(Kind.STREAM)),
        TWO_RELISTS(1, 1, false, 1, 1, List.of(Kind.OLD_LIST, Kind.LIST)),
        /** A streamed list that breaks before its end, and the one after it. */
        BROKEN_STREAM(1, 1, false, 1, 1, List.of(Kind.BROKEN_STREAM, Kind.STREAM)),
        /** Writes of two threads overlap, and are answered in any order. */
        TWO_WRITERS(1, 2, false, 2, 2, List.of()),
        TWO_WRITERS_MORE(1, 2, false, 3, 0, List.of()),
        TWO_WRITERS_RELIST(1, 2, false, 2, 0, List.of(Kind.OLD_LIST)),
        TWO_KEYS(2, 1, false, 2, 1, List.of()),
        TWO_KEYS_RELIST(2, 1, false, 1, 1, List.of(Kind.OLD_LIST)),
        SELECTING(1, 1, true, 2, 1, List.of()),
        SELECTING_OTHERS(1, 1, true, 1, 3, List.of()),
        SELECTING_RELIST(1, 1, true, 1, 1, List.of(Kind.OLD_LIST)),
        SELECTING_TWO_WRITERS(1, 2, true, 3, 0, List.of());

        final int keys;
        final int writers;
        final boolean selecting;
        final int own;
        final int others;
        final List<Kind> lists;

        World(int keys, int writers, boolean selecting, int own, int others, List<Kind> lists) {
            this.keys = keys;
            this.writers = writers;
            this.selecting = selecting;
            this.own = own + MORE;
            this.others = others;
            this.lists = lists;
        }
    }

    private enum Kind {
        CREATE,
        UPDATE,
        /** An update that changes whether the object is selected. */
        FLIP,
        DELETE,
        ANSWER,
        READ,
        READ_ANSWER,
        EVENT,
        LIST,
        OLD_LIST,
        STREAM,
        BROKEN_STREAM,
        LIST_ITEM,
        /** An event between the initial ones and their end. */
        LIST_EVENT,
        LIST_END
    }

    /**
     * A step.
     *
     * @param writer of a write; -1 for another process
     * @param at version of a list
     */
    private record Step(Kind kind, int key, int writer, int at) {
        static Step of(Kind kind) {
            return new Step(kind, 0, -1, 0);
        }

        @Override
        public String toString() {
            return switch (kind) {
                case CREATE, UPDATE, FLIP, DELETE -> (writer < 0 ? "other " : "own" + writer + " ") + kind + " " + key;
                case ANSWER, READ, READ_ANSWER -> "own" + writer + " " + kind;
                case LIST, OLD_LIST, STREAM, BROKEN_STREAM -> kind + " at " + at;
                default -> kind.toString();
            };
        }
    }

    /** A key at a version; uid 0 when absent. */
    private record State(int key, int uid, int version, boolean selected) {
        boolean shown() {
            return uid != 0 && selected;
        }

        boolean same(State other) {
            return shown() ? equals(other) : !other.shown();
        }
    }

    private static ObjectKey key(int key) {
        return ObjectKey.of("default", "k" + key);
    }

    private static Cache.Entry<ConfigMap> object(State state) {
        return object(state, state.version());
    }

    private static Cache.Entry<ConfigMap> object(State state, int version) {
        String text = "{\"metadata\":{\"namespace\":\"default\",\"name\":\"k" + state.key() + "\",\"uid\":\"u"
                + state.uid() + "\",\"resourceVersion\":\"" + version + "\",\"labels\":{\"s\":\""
                + (state.selected() ? 1 : 0) + "\"}}}";
        return OBJECTS.computeIfAbsent(text, t -> SOURCE.read(Encoded.of(t.getBytes(StandardCharsets.UTF_8))));
    }

    /** A write of this process on its way. */
    private static final class Write {
        Kind kind = Kind.UPDATE;
        State before;
        State written;
        String uidBefore = "";
        boolean mustRead;
        int readAt;
    }

    /** A run: the server, what is on its way, and the replica. */
    private static final class Run {
        final World world;
        final Object lock = new Object();
        final Cache<ConfigMap> cache = new Cache<>(lock, (key, e) -> {}, Informers.Namespaces.ALL);
        final Replica<ConfigMap> replica;

        /** At i: what version i + 1 made of its key. */
        final List<State> log = new ArrayList<>();

        final State[] told;
        final int[] answered;
        final Write[] writes;
        int uids;
        int position;
        int own;
        int others;
        int lists;

        // the list on its way
        int listAt;
        int listKey;
        boolean streamed;
        boolean breaks;
        boolean mustList;

        Run(World world, boolean present) {
            this.world = world;
            replica = new Replica<>(
                    cache,
                    lock,
                    world.selecting ? ListOptions.ALL.labels(LabelSelector.parse("s=1")) : ListOptions.ALL,
                    this::moved);
            told = new State[world.keys];
            answered = new int[world.keys];
            writes = new Write[world.writers];
            for (int key = 0; key < world.keys; key++) {
                log.add(present ? new State(key, ++uids, key + 1, true) : new State(key, 0, key + 1, false));
                told[key] = new State(key, 0, 0, false);
            }
            replica.listBegins(0, true);
            for (State state : List.copyOf(log)) {
                if (state.shown()) {
                    replica.listed(0, object(state));
                }
            }
            position = log.size();
            replica.listEnds(0, "" + position);
        }

        State at(int key, int version) {
            for (int i = version; i > 0; i--) {
                if (log.get(i - 1).key() == key) {
                    return log.get(i - 1);
                }
            }
            throw new IllegalStateException("version " + version + " is before the key");
        }

        State now(int key) {
            return at(key, log.size());
        }

        void moved(
                Cache.Entry<ConfigMap> before,
                Cache.Entry<ConfigMap> last,
                Cache.Entry<ConfigMap> after,
                boolean i,
                boolean u) {
            int key = (after == null ? before : after).key().name().charAt(1) - '0';
            State from = state(key, before);
            if (!from.same(told[key])) {
                throw new AssertionError("told from " + from + ", last told was " + told[key]);
            }
            State to = state(key, after);
            if (from.same(to)) {
                throw new AssertionError(to + " is told twice");
            }
            if (last != null && before != null && !last.uid().equals(before.uid())) {
                throw new AssertionError("last state of " + before + " is said to be " + last);
            }
            told[key] = to;
        }

        static State state(int key, Cache.Entry<ConfigMap> object) {
            return object == null
                    ? new State(key, 0, 0, false)
                    : new State(
                            key,
                            Integer.parseInt(object.uid().substring(1)),
                            (int) object.version(),
                            object.labels().get("s").equals("1"));
        }

        List<Step> enabled() {
            List<Step> steps = new ArrayList<>();
            for (int w = 0; w < writes.length; w++) {
                if (writes[w] != null) {
                    Kind next =
                            !writes[w].mustRead ? Kind.ANSWER : writes[w].readAt == 0 ? Kind.READ : Kind.READ_ANSWER;
                    steps.add(new Step(next, 0, w, 0));
                } else if (own < world.own) {
                    writes(steps, w);
                    if (w + 1 < writes.length && writes[w + 1] == null) {
                        break; // which of idle writers it is makes no difference
                    }
                }
            }
            if (others < world.others) {
                writes(steps, -1);
            }
            if (listAt == 0) {
                if (position < log.size() && !mustList) {
                    steps.add(Step.of(Kind.EVENT));
                }
                if (lists < world.lists.size()) {
                    Kind kind = world.lists.get(lists);
                    int oldest = kind == Kind.OLD_LIST ? position : log.size();
                    for (int at = oldest; at <= log.size(); at++) {
                        steps.add(new Step(kind, 0, -1, at));
                    }
                }
            } else if (listKey < world.keys) {
                steps.add(Step.of(Kind.LIST_ITEM));
                if (breaks) {
                    steps.add(Step.of(Kind.LIST_END));
                }
            } else {
                steps.add(Step.of(Kind.LIST_END));
                if (streamed && listAt < log.size()) {
                    steps.add(Step.of(Kind.LIST_EVENT));
                }
            }
            return steps;
        }

        private void writes(List<Step> steps, int writer) {
            for (int key = 0; key < world.keys; key++) {
                if (now(key).uid() == 0) {
                    steps.add(new Step(Kind.CREATE, key, writer, 0));
                    continue;
                }
                steps.add(new Step(Kind.UPDATE, key, writer, 0));
                steps.add(new Step(Kind.DELETE, key, writer, 0));
                if (world.selecting) {
                    steps.add(new Step(Kind.FLIP, key, writer, 0));
                }
            }
        }

        void commit(Step step) {
            int version = log.size() + 1;
            State before = now(step.key());
            log.add(
                    switch (step.kind()) {
                        case CREATE -> new State(step.key(), ++uids, version, true);
                        case UPDATE -> new State(step.key(), before.uid(), version, before.selected());
                        case FLIP -> new State(step.key(), before.uid(), version, !before.selected());
                        default -> new State(step.key(), 0, version, false);
                    });
        }

        void take(Step step) {
            switch (step.kind()) {
                case CREATE, UPDATE, FLIP, DELETE -> {
                    if (step.writer() < 0) {
                        others++;
                        commit(step);
                    } else {
                        own++;
                        Write write = new Write();
                        write.kind = step.kind();
                        write.uidBefore = replica.uid(key(step.key()));
                        write.before = now(step.key());
                        commit(step);
                        write.written = log.getLast();
                        writes[step.writer()] = write;
                    }
                }
                case ANSWER -> {
                    Write write = writes[step.writer()];
                    if (write.kind != Kind.DELETE) {
                        replica.written(object(write.written));
                        done(step.writer());
                    } else if (replica.gone(key(write.written.key()), write.uidBefore, "u" + write.before.uid())
                            == Replica.Verdict.READ) {
                        write.mustRead = true;
                    } else {
                        done(step.writer());
                    }
                }
                case READ -> writes[step.writer()].readAt = log.size();
                case READ_ANSWER -> {
                    Write write = writes[step.writer()];
                    State read = at(write.written.key(), write.readAt);
                    if (read.uid() != 0) {
                        replica.written(object(read));
                    } else {
                        replica.absent(key(read.key()), "" + write.readAt);
                    }
                    done(step.writer());
                }
                case EVENT -> {
                    State event = log.get(position);
                    State before = at(event.key(), position);
                    position++;
                    if (event.shown()) {
                        replica.changed(0, object(event), "" + position);
                    } else if (before.shown()) {
                        State last = event.uid() == 0 ? before : event;
                        replica.deleted(0, key(event.key()), "u" + before.uid(), object(last, position), "" + position);
                    }
                }
                case LIST, OLD_LIST, STREAM, BROKEN_STREAM -> {
                    lists++;
                    listAt = step.at();
                    listKey = 0;
                    streamed = step.kind() == Kind.STREAM;
                    breaks = step.kind() == Kind.BROKEN_STREAM;
                    replica.listBegins(0, step.kind() == Kind.LIST);
                }
                case LIST_ITEM -> {
                    State listed = at(listKey++, listAt);
                    if (listed.shown()) {
                        replica.listed(0, object(listed));
                    }
                }
                case LIST_EVENT -> {
                    State event = log.get(listAt);
                    State before = at(event.key(), listAt);
                    listAt++;
                    if (event.shown()) {
                        replica.listed(0, object(event));
                    } else if (before.shown()) {
                        State last = event.uid() == 0 ? before : event;
                        replica.unlisted(0, key(event.key()), "u" + before.uid(), object(last, listAt), listAt);
                    }
                }
                case LIST_END -> {
                    if (!breaks) {
                        replica.listEnds(0, "" + listAt);
                        position = listAt;
                    }
                    mustList = breaks; // the next thing that is told is another list
                    listAt = 0;
                }
            }
            check();
        }

        void done(int writer) {
            State written = writes[writer].written;
            answered[written.key()] = Math.max(answered[written.key()], written.version());
            writes[writer] = null;
        }

        void check() {
            boolean caughtUp = listAt == 0
                    && !mustList
                    && position == log.size()
                    && Collections.frequency(java.util.Arrays.asList(writes), null) == writes.length;
            for (int key = 0; key < world.keys; key++) {
                State shown = state(key, cache.snapshot().get(key(key)).orElse(null));
                if (!shown.same(told[key])) {
                    throw new AssertionError("shown is " + shown + ", told " + told[key]);
                }
                // was it so at the version of the last answered write, or later?
                boolean fresh = false;
                for (int at = Math.max(answered[key], key + 1); at <= log.size(); at++) {
                    fresh |= shown.same(at(key, at));
                }
                if (!fresh) {
                    throw new AssertionError(
                            shown + " is older than the answered write at " + answered[key] + ": " + log);
                }
                if (caughtUp && !shown.same(now(key))) {
                    throw new AssertionError("caught up with " + log + ", but shown is " + shown);
                }
            }
        }

        void end() {
            replica.reached(0, "" + log.size()); // a bookmark: of what is not selected there are no events
            check();
            if (replica.ahead() != 0) {
                throw new AssertionError("caught up with " + log + ", but something is pinned");
            }
        }
    }

    private static long explore(World world, boolean present) {
        long orders = 0;
        List<Integer> choices = new ArrayList<>();
        List<Integer> possible = new ArrayList<>();
        while (true) {
            Run run = new Run(world, present);
            List<Step> path = new ArrayList<>();
            try {
                while (true) {
                    List<Step> steps = run.enabled();
                    if (steps.isEmpty()) {
                        break;
                    }
                    int at = path.size();
                    if (at == choices.size()) {
                        choices.add(0);
                        possible.add(steps.size());
                    }
                    Step step = steps.get(choices.get(at));
                    path.add(step);
                    run.take(step);
                }
                run.end();
            } catch (AssertionError e) {
                throw new AssertionError(
                        world + (present ? ", present: " : ", absent: ") + path + ": " + e.getMessage(), e);
            }
            orders++;
            while (!choices.isEmpty() && choices.getLast() + 1 == possible.getLast()) {
                choices.removeLast();
                possible.removeLast();
            }
            if (choices.isEmpty()) {
                return orders;
            }
            choices.set(choices.size() - 1, choices.getLast() + 1);
        }
    }

    @ParameterizedTest
    @EnumSource(World.class)
    void noStaleReadsNoDuplicateReportsAndTheCacheConverges(World world) {
        long began = System.nanoTime();
        long orders = explore(world, true) + explore(world, false);
        System.out.println("ReplicaInterleavingsTest " + world + ": " + orders + " orders in "
                + (System.nanoTime() - began) / 1_000_000 + " ms");
        assertTrue(orders > 10);
    }
}
