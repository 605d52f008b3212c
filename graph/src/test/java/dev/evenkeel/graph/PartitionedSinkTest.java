package dev.evenkeel.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Hosts that run jobs, which have groups of members: each host receives its jobs, and the groups that these have. */
class PartitionedSinkTest {
    /** A job: its hosts and its groups. */
    private record Job(Set<String> hosts, Set<Integer> groups) {}

    private sealed interface Message {}

    private record Full(int group, int value, Set<Integer> members) implements Message {}

    private record Change(int group, Set<Integer> added, Set<Integer> removed) implements Message {}

    private record NoGroup(int group) implements Message {}

    private record Run(int job, Set<Integer> groups) implements Message {}

    private record Stop(int job) implements Message {}

    private record Synced() implements Message {}

    private static final class Messages implements GroupMessages<Integer, Integer, Integer, Message> {
        @Override
        public Message full(Integer group, Integer value, Set<Integer> members) {
            return new Full(group, value, Set.copyOf(members));
        }

        @Override
        public Message delta(Integer group, Set<Integer> added, Set<Integer> removed) {
            return new Change(group, added, removed);
        }

        @Override
        public Message removal(Integer group) {
            return new NoGroup(group);
        }
    }

    private final Graph graph = Graph.create();
    private final Input<Integer, Job> jobs = graph.input("jobs");
    private final Input<Integer, Integer> values = graph.input("values");
    private final Input<Integer, Integer> numbers = graph.input("numbers");
    private final Relation<String, Integer> jobsOf = jobs.pairs((key, job) ->
            job.hosts().stream().map(host -> new Pair<>(host, key)).toList());
    private final Relation<String, Integer> groupsOf = jobs.pairs((key, job) -> job.hosts().stream()
            .flatMap(host -> job.groups().stream().map(group -> new Pair<>(host, group)))
            .toList());

    /** Several numbers give a group the same member. */
    private final Relation<Integer, Integer> members = numbers.pairs((key, number) -> Stream.of(2, 3, 5)
            .filter(group -> number % group == 0)
            .map(group -> new Pair<>(group, key % 5))
            .toList());

    private final PartitionedSink<String, Message> sink = graph.<String, Message>partitionedSink("hosts")
            .emit("group", groupsOf, values, members, new Messages())
            .emit("job", jobsOf, jobs.<Set<Integer>>map((key, job) -> job.groups()), Run::new, Stop::new)
            .after("group")
            .heldUntil(graph.inSync(jobs))
            .syncMessage(new Synced());

    /** The state that a host has received. */
    private static final class Received {
        final Map<Integer, Integer> values = new HashMap<>();
        final Map<Integer, Set<Integer>> groups = new HashMap<>();
        final Map<Integer, Set<Integer>> jobs = new HashMap<>();
        boolean synced;
        int messages;

        void apply(Message message) {
            messages++;
            switch (message) {
                case Full full -> {
                    assertThat(Integer.valueOf(full.value()).equals(values.put(full.group(), full.value())))
                            .isFalse();
                    groups.put(full.group(), new HashSet<>(full.members()));
                }
                case Change change -> {
                    Set<Integer> all = groups.get(change.group());
                    assertThat(change.added().size() + change.removed().size()).isPositive();
                    assertThat(all).containsAll(change.removed());
                    assertThat(all.stream().filter(change.added()::contains)).isEmpty();
                    all.addAll(change.added());
                    all.removeAll(change.removed());
                }
                case NoGroup group -> {
                    assertThat(groups.remove(group.group())).isNotNull();
                    values.remove(group.group());
                }
                case Run run ->
                    assertThat(run.groups().equals(jobs.put(run.job(), run.groups())))
                            .isFalse();
                case Stop stop -> assertThat(jobs.remove(stop.job())).isNotNull();
                case Synced unused -> {
                    assertThat(synced).isFalse();
                    synced = true;
                }
            }
        }
    }

    @RepeatedTest(20)
    void eachHostReceivesItsState() {
        long seed = Long.getLong("graph.seed", System.nanoTime());
        System.out.println("PartitionedSinkTest: -Dgraph.seed=" + seed);
        Random random = new Random(seed);
        List<String> hosts = List.of("a", "b", "c");
        List<String> names = new ArrayList<>();
        List<Cursor<Message>> cursors = new ArrayList<>();
        List<Received> received = new ArrayList<>();
        for (int step = 0; step < 150; step++) {
            if (step % 20 == 0) {
                String host = hosts.get(random.nextInt(3));
                names.add(host);
                cursors.add(sink.open(host));
                received.add(new Received());
            }
            if (step == 100) {
                cursors.removeFirst().close();
                received.removeFirst();
                names.removeFirst();
            }
            boolean sync = step == 30;
            graph.transact(tx -> {
                if (sync) {
                    tx.synced(jobs);
                }
                for (int i = random.nextInt(4); i >= 0; i--) {
                    int key = random.nextInt(8);
                    switch (random.nextInt(6)) {
                        case 0 -> tx.remove(jobs, key);
                        case 1 ->
                            tx.put(
                                    jobs,
                                    key,
                                    new Job(
                                            hosts.stream()
                                                    .filter(host -> random.nextBoolean())
                                                    .collect(Collectors.toSet()),
                                            Stream.of(2, 3, 5)
                                                    .filter(group -> random.nextBoolean())
                                                    .collect(Collectors.toSet())));
                        case 2 -> tx.remove(numbers, key);
                        case 3, 4 -> tx.put(numbers, key, 1 + random.nextInt(30));
                        default -> {
                            int group = List.of(2, 3, 5).get(random.nextInt(3));
                            if (random.nextInt(4) == 0) {
                                tx.remove(values, group);
                            } else {
                                tx.put(values, group, random.nextInt(3));
                            }
                        }
                    }
                }
            });
            graph.verify();
            for (int i = 0; i < cursors.size(); i++) {
                // the first polls each time, the others less and less often
                if (random.nextInt(3 * i + 1) == 0 || step == 149) {
                    cursors.get(i).poll().messages().forEach(received.get(i)::apply);
                    compare(names.get(i), received.get(i), step >= 30, "seed " + seed + ", step " + step);
                    assertThat(step < 30 || cursors.get(i).isCurrent()).isTrue();
                }
            }
        }
    }

    private void compare(String host, Received received, boolean synced, String where) {
        Map<Integer, Integer> expectedValues = new HashMap<>();
        Map<Integer, Set<Integer>> expectedGroups = new HashMap<>();
        Map<Integer, Set<Integer>> expectedJobs = new HashMap<>();
        jobs.toMap().forEach((key, job) -> {
            if (job.hosts().contains(host)) {
                if (synced) {
                    expectedJobs.put(key, job.groups());
                }
                for (Integer group : job.groups()) {
                    values.get(group).ifPresent(value -> {
                        expectedValues.put(group, value);
                        expectedGroups.put(
                                group,
                                members.toMap().keySet().stream()
                                        .filter(pair -> pair.left().equals(group))
                                        .map(Pair::right)
                                        .collect(Collectors.toSet()));
                    });
                }
            }
        });
        assertThat(received.jobs).as(where).isEqualTo(expectedJobs);
        assertThat(received.values).as(where).isEqualTo(expectedValues);
        assertThat(received.groups).as(where).isEqualTo(expectedGroups);
        assertThat(received.synced).as(where).isEqualTo(synced);
    }

    @Test
    void aChangeReachesTheHostsThatHaveItOnly() {
        Cursor<Message> a = sink.open("a");
        Cursor<Message> b = sink.open("b");
        graph.transact(tx -> tx.put(jobs, 1, new Job(Set.of("a"), Set.of(2)))
                .put(jobs, 2, new Job(Set.of("b"), Set.of(3)))
                .put(values, 2, 0)
                .put(values, 3, 0)
                .synced(jobs));
        assertThat(a.poll().messages()).containsExactly(new Full(2, 0, Set.of()), new Run(1, Set.of(2)), new Synced());
        assertThat(b.poll().messages()).containsExactly(new Full(3, 0, Set.of()), new Run(2, Set.of(3)), new Synced());

        graph.transact(tx -> tx.put(numbers, 1, 3));
        assertThat(a.poll().messages()).isEmpty();
        assertThat(b.poll().messages()).containsExactly(new Change(3, Set.of(1), Set.of()));

        graph.transact(tx -> tx.put(jobs, 2, new Job(Set.of("a"), Set.of(3))));
        assertThat(a.poll().messages()).containsExactly(new Full(3, 0, Set.of(1)), new Run(2, Set.of(3)));
        assertThat(b.poll().messages()).containsExactly(new Stop(2), new NoGroup(3));
    }

    @Test
    void aConsumerIsNotWokenByChangesOfOthers() throws Exception {
        Cursor<Message> waiting = sink.open("b");
        graph.transact(tx -> tx.put(jobs, 2, new Job(Set.of("b"), Set.of(3)))
                .put(values, 2, 0)
                .put(values, 3, 0));
        CompletableFuture<List<Message>> received = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                waiting.poll();
                received.complete(waiting.poll(Duration.ofMinutes(1)).messages());
            } catch (InterruptedException | RuntimeException e) {
                received.completeExceptionally(e);
            }
        });
        while (waiting.attempts() == 0) {
            Thread.onSpinWait();
        }
        for (int i = 0; i < 100; i++) {
            int number = 2 + 2 * i;
            graph.transact(tx -> tx.put(jobs, 1, new Job(Set.of("a"), number % 4 == 0 ? Set.of(2) : Set.of()))
                    .put(numbers, 1, number % 3 == 0 ? 2 : number));
        }
        assertThat(received).isNotDone();
        // the barrier of jobs opens, and with it comes what was held
        graph.transact(tx -> tx.synced(jobs));
        assertThat(received.get(1, TimeUnit.MINUTES)).containsExactly(new Run(2, Set.of(3)), new Synced());
        assertThat(waiting.attempts()).isLessThan(10);
    }

    @Test
    void closingEndsTheWait() throws Exception {
        Cursor<Message> waiting = sink.open("a");
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                waiting.poll(Duration.ofMinutes(1));
            } catch (InterruptedException | RuntimeException e) {
                failure.complete(e);
            }
        });
        while (waiting.attempts() == 0) {
            Thread.onSpinWait();
        }
        waiting.close();
        assertThat(failure.get(1, TimeUnit.MINUTES)).hasMessage("the cursor is closed: open another one");
    }

    @Test
    void aClosedConsumerOfAnEmptyPartitionLeavesNothing() {
        Cursor<Message> cursor = sink.open("unknown");
        assertThat(cursor.poll().isEmpty()).isTrue();
        cursor.close();
        assertThatThrownBy(cursor::poll).hasMessage("the cursor is closed: open another one");
        graph.transact(
                tx -> tx.put(jobs, 1, new Job(Set.of("unknown"), Set.of(2))).synced(jobs));
        assertThat(sink.open("unknown").poll().messages()).containsExactly(new Run(1, Set.of(2)), new Synced());
    }

    @Test
    void tablesOfAnotherGraphAreRefused() {
        Graph other = Graph.create();
        Input<Integer, Integer> foreign = other.input("foreign");
        assertThatThrownBy(() -> graph.<String, Message>partitionedSink("s")
                        .emit("p", groupsOf, foreign, (key, value) -> new Stop(key), Stop::new))
                .hasMessage("foreign is a table of another graph");
    }
}
