package dev.evenkeel.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SinkTest {
    private final Graph graph = Graph.create();
    private final Input<String, List<String>> policies = graph.input("policies");
    private final Input<String, String> endpoints = graph.input("endpoints");
    private final Relation<String, String> uses = policies.flatMap((key, sets) -> sets);

    private final Sink<String> sink = graph.<String>sink("dataplane")
            .emit("set", uses.rights(), (set, count) -> "+set " + set, set -> "-set " + set)
            .emit("policy", policies, (key, sets) -> "+policy " + key + sets, key -> "-policy " + key)
            .after("set")
            .emit("endpoint", endpoints, (key, policy) -> "+endpoint " + key + " " + policy, key -> "-endpoint " + key)
            .after("policy");

    private static List<String> sets(String... names) {
        return Arrays.asList(names);
    }

    @Test
    void additionsAreSentInTheOrderOfReferencesAndRemovalsInReverse() {
        Cursor<String> cursor = sink.open();
        graph.transact(tx -> tx.put(endpoints, "e", "p").put(policies, "p", sets("s")));
        assertThat(cursor.poll().messages()).containsExactly("+set s", "+policy p[s]", "+endpoint e p");

        graph.transact(tx -> tx.put(endpoints, "e", "q").remove(policies, "p").put(policies, "q", sets("t")));
        assertThat(cursor.poll().messages())
                .containsExactly("+set t", "+policy q[t]", "+endpoint e q", "-policy p", "-set s");
    }

    @Test
    void aRowThatReturnsToWhatWasSentIsNotSent() {
        Cursor<String> cursor = sink.open();
        graph.transact(tx -> tx.put(endpoints, "e", "1"));
        cursor.poll();
        graph.transact(tx -> tx.put(endpoints, "e", "2").put(endpoints, "f", "1"));
        graph.transact(tx -> tx.put(endpoints, "e", "1").remove(endpoints, "f"));
        assertThat(cursor.isCurrent()).isTrue();
        assertThat(cursor.poll().isEmpty()).isTrue();
    }

    @Test
    void aSlowConsumerReceivesOneMessageForEachKey() {
        Cursor<String> fast = sink.open();
        Cursor<String> slow = sink.open();
        for (int i = 0; i < 100; i++) {
            String value = "" + i;
            graph.transact(tx -> tx.put(endpoints, "e", value));
            assertThat(fast.poll().messages()).containsExactly("+endpoint e " + value);
        }
        assertThat(slow.poll().messages()).containsExactly("+endpoint e 99");
    }

    @Test
    void aNewConsumerReceivesTheCurrentState() {
        graph.transact(tx -> tx.put(endpoints, "e", "p"));
        graph.transact(tx -> tx.put(endpoints, "f", "p").remove(endpoints, "e"));
        assertThat(sink.open().poll().messages()).containsExactly("+endpoint f p");
    }

    @Test
    void aClosedConsumerIsForgotten() {
        Cursor<String> cursor = sink.open();
        cursor.close();
        assertThat(endpoints.node.listeners).isEmpty();
        assertThatThrownBy(cursor::poll).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void partsAreHeldUntilTheirInputsAreInSync() {
        Sink<String> held = graph.<String>sink("held")
                .emit("policy", policies, (key, sets) -> "+" + key, key -> "-" + key)
                .heldUntil(graph.inSync(policies))
                .emit("endpoint", endpoints, (key, value) -> "+" + key, key -> "-" + key)
                .after("policy")
                .emit("other", endpoints, (key, value) -> "other " + key, key -> "-" + key);
        Cursor<String> cursor = held.open();
        graph.transact(
                tx -> tx.put(policies, "p", sets()).put(policies, "q", sets()).put(endpoints, "e", ""));
        assertThat(cursor.poll()).isEqualTo(new Batch<>(List.of("other e"), false));

        graph.transact(tx -> tx.remove(policies, "q").synced(policies));
        assertThat(cursor.poll()).isEqualTo(new Batch<>(List.of("+p", "+e"), true));
        assertThat(cursor.poll()).isEqualTo(new Batch<>(List.of(), false));
    }

    @Test
    void anAbortedTransactionDoesNotOpenABarrier() {
        Barrier barrier = graph.inSync(policies);
        assertThatThrownBy(() -> graph.transact(tx -> {
                    tx.synced(policies);
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(barrier.isOpen()).isFalse();
    }

    @Test
    void membersOfGroupsAreSentAsDifferences() {
        Sink<String> groups = graph.<String>sink("groups")
                .emit("set", policies, uses, new GroupMessages<String, List<String>, String, String>() {
                    @Override
                    public String full(String group, List<String> value, Set<String> members) {
                        return group + "=" + new TreeSet<>(members);
                    }

                    @Override
                    public String delta(String group, Set<String> added, Set<String> removed) {
                        return group + "+" + new TreeSet<>(added) + "-" + new TreeSet<>(removed);
                    }

                    @Override
                    public String removal(String group) {
                        return "-" + group;
                    }
                });
        Cursor<String> cursor = groups.open();
        graph.transact(tx -> tx.put(policies, "p", sets("a", "b")).put(policies, "q", sets()));
        assertThat(cursor.poll().messages()).containsExactlyInAnyOrder("p=[a, b]", "q=[]");
        // the value of the group has changed
        graph.transact(tx -> tx.put(policies, "p", sets("b", "c")));
        assertThat(cursor.poll().messages()).containsExactly("p=[b, c]");
        graph.transact(tx -> tx.remove(policies, "p"));
        graph.transact(tx -> tx.put(policies, "p", sets("b", "c")));
        assertThat(cursor.poll().messages()).isEmpty();
        graph.transact(tx -> tx.remove(policies, "p"));
        assertThat(cursor.poll().messages()).containsExactly("-p");
        assertThat(groups.open().poll().messages()).containsExactly("q=[]");
    }

    @Test
    void aFailedMessageIsSentByTheNextPoll() {
        boolean[] broken = {true};
        Sink<String> fragile = graph.<String>sink("fragile")
                .emit(
                        "endpoint",
                        endpoints,
                        (key, value) -> {
                            if (broken[0]) {
                                throw new IllegalStateException("broken");
                            }
                            return key;
                        },
                        key -> "-" + key);
        Cursor<String> cursor = fragile.open();
        graph.transact(tx -> tx.put(endpoints, "e", ""));
        assertThatThrownBy(cursor::poll).hasMessage("broken");
        broken[0] = false;
        assertThat(cursor.poll().messages()).containsExactly("e");
    }

    @Test
    void aConsumerWaitsForMessages() throws Exception {
        Cursor<String> cursor = sink.open();
        assertThat(cursor.poll().firstSync()).isTrue();
        assertThat(cursor.poll(Duration.ofNanos(1)).isEmpty()).isTrue();
        CompletableFuture<Batch<String>> batch = CompletableFuture.supplyAsync(() -> {
            try {
                return cursor.poll(Duration.ofMinutes(1));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        graph.transact(tx -> tx.put(endpoints, "e", "p"));
        assertThat(batch.get().messages()).containsExactly("+endpoint e p");
    }

    @Test
    void declarationsAreChecked() {
        Sink<String> other = graph.sink("other");
        assertThatThrownBy(() -> other.after("x")).hasMessageContaining("call emit first");
        other.emit("endpoint", endpoints, (key, value) -> key, key -> key);
        assertThatThrownBy(() -> other.after("policy"))
                .hasMessageContaining("\"policy\", which is not declared before it");
        assertThatThrownBy(() -> other.emit("endpoint", endpoints, (key, value) -> key, key -> key))
                .hasMessageContaining("declared twice");
        other.open();
        assertThatThrownBy(() -> other.emit("late", endpoints, (key, value) -> key, key -> key))
                .hasMessageContaining("has consumers");
    }
}
