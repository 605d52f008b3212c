package dev.evenkeel.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;

/**
 * Consumers of random changes, which poll at random times: all references of each prefix of the messages resolve, no
 * message repeats what was sent, and the messages add up to the state.
 */
class SinkLawsTest {
    private sealed interface Message {}

    private record Group(int key, int value, Set<Integer> members) implements Message {}

    private record Change(int key, Set<Integer> added, Set<Integer> removed) implements Message {}

    private record NoGroup(int key) implements Message {}

    private record User(int key, Set<Integer> groups) implements Message {}

    private record NoUser(int key) implements Message {}

    private static final class Messages implements GroupMessages<Integer, Integer, Integer, Message> {
        @Override
        public Message full(Integer group, Integer value, Set<Integer> members) {
            return new Group(group, value, Set.copyOf(members));
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

    /** The state that a consumer has received. */
    private static final class Received {
        final Map<Integer, Integer> values = new HashMap<>();
        final Map<Integer, Set<Integer>> groups = new HashMap<>();
        final Map<Integer, Set<Integer>> users = new HashMap<>();

        void apply(Message message) {
            switch (message) {
                case Group group -> {
                    assertThat(Objects.equals(values.put(group.key(), group.value()), group.value()))
                            .isFalse();
                    groups.put(group.key(), new HashSet<>(group.members()));
                }
                case Change change -> {
                    Set<Integer> members = groups.get(change.key());
                    assertThat(change.added().size() + change.removed().size()).isPositive();
                    assertThat(members).containsAll(change.removed());
                    assertThat(members.stream().filter(change.added()::contains))
                            .isEmpty();
                    members.addAll(change.added());
                    members.removeAll(change.removed());
                }
                case NoGroup group -> {
                    assertThat(groups.remove(group.key())).isNotNull();
                    values.remove(group.key());
                }
                case User user ->
                    assertThat(users.put(user.key(), user.groups())).isNotEqualTo(user.groups());
                case NoUser user -> assertThat(users.remove(user.key())).isNotNull();
            }
            users.values().forEach(used -> assertThat(groups.keySet()).containsAll(used));
        }
    }

    @RepeatedTest(20)
    void messagesResolveAndAddUp() {
        long seed = Long.getLong("graph.seed", System.nanoTime());
        System.out.println("SinkLawsTest: -Dgraph.seed=" + seed);
        Random random = new Random(seed);
        Graph graph = Graph.create();
        Input<Integer, Set<Integer>> users = graph.input("users");
        Input<Integer, Integer> members = graph.input("members");
        Input<Integer, Integer> values = graph.input("values");
        Table<Integer, Integer> groups =
                users.flatMap((key, used) -> used).rights().leftJoin(values, (count, value) -> value, count -> -1);
        // several rows have the same member
        Relation<Integer, Integer> content = members.pairs((key, number) -> Stream.of(2, 3, 5, 7)
                .filter(group -> number % group == 0)
                .map(group -> new Pair<>(group, key % 6))
                .toList());
        Sink<Message> sink = graph.<Message>sink("out")
                .emit("group", groups, content, new Messages())
                .emit("user", users, User::new, NoUser::new)
                .after("group");
        List<Cursor<Message>> cursors = new ArrayList<>();
        List<Received> received = new ArrayList<>();
        for (int step = 0; step < 150; step++) {
            if (step % 40 == 0) {
                cursors.add(sink.open());
                received.add(new Received());
            }
            graph.transact(tx -> {
                for (int i = random.nextInt(4); i >= 0; i--) {
                    int key = random.nextInt(10);
                    switch (random.nextInt(6)) {
                        case 0 -> tx.remove(users, key);
                        case 1 ->
                            tx.put(
                                    users,
                                    key,
                                    Stream.of(2, 3, 5, 7)
                                            .filter(group -> random.nextBoolean())
                                            .collect(Collectors.toSet()));
                        case 2 -> tx.remove(members, key);
                        case 3, 4 -> tx.put(members, key, 1 + random.nextInt(60));
                        default -> tx.put(values, 2 + random.nextInt(6), random.nextInt(3));
                    }
                }
            });
            graph.verify();
            for (int i = 0; i < cursors.size(); i++) {
                // the first polls each time, the others less and less often
                if (random.nextInt(3 * i + 1) == 0 || step == 149) {
                    cursors.get(i).poll().messages().forEach(received.get(i)::apply);
                    assertThat(received.get(i).users)
                            .as("seed %d, step %d", seed, step)
                            .isEqualTo(users.toMap());
                    assertThat(received.get(i).values).isEqualTo(groups.toMap());
                    Map<Integer, Set<Integer>> expected = new HashMap<>();
                    groups.toMap().keySet().forEach(group -> expected.put(group, new HashSet<>()));
                    content.toMap().keySet().stream()
                            .filter(pair -> expected.containsKey(pair.left()))
                            .forEach(pair -> expected.get(pair.left()).add(pair.right()));
                    assertThat(received.get(i).groups)
                            .as("seed %d, step %d", seed, step)
                            .isEqualTo(expected);
                    assertThat(cursors.get(i).isCurrent()).isTrue();
                }
            }
        }
    }
}
