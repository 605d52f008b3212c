package dev.evenkeel.controller.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.schedule.BatonScheduler;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ShardsTest {
    private static final int SLOTS = 12;

    private final Engine engine = Engine.create();
    private Client api = engine.partition(Engine.DEFAULT_PARTITION).client("test");
    private BatonScheduler world = new BatonScheduler(1);

    @AfterEach
    void close() {
        engine.close();
    }

    /** A member in a process of its own. */
    private final class Member implements Shards.Scope {
        final String identity;
        final BatonScheduler process;
        final Shards shards;
        final Map<Integer, Term> terms = new HashMap<>();
        final Map<Integer, CompletableFuture<Void>> ends = new HashMap<>();
        Duration drain = Duration.ofMillis(500);
        Duration latency = Duration.ZERO;
        boolean cut;
        boolean gone;
        boolean leaving;
        int begun;

        /** Told to leave while it takes this slot, of whose taking it hears too late. */
        String leavesAt = "";

        Member(String identity, Duration skew, int slots) {
            this.identity = identity;
            process = world.process(identity, skew);
            Client client = Intercepted.client(api, new Intercepted.Interceptor() {
                @Override
                public void before(String verb, Object[] arguments) throws InterruptedException {
                    pass();
                }

                @Override
                public void after(String verb, Object[] arguments) throws InterruptedException {
                    if (verb.equals("create")
                            && !leavesAt.isEmpty()
                            && ((Lease) arguments[1]).getMetadata().getName().contains(leavesAt)) {
                        CompletableFuture<Void> unused = shards.stop();
                        process.pause(Duration.ofSeconds(8));
                    }
                    pass();
                }

                private void pass() throws InterruptedException {
                    if (!latency.isZero()) {
                        process.pause(Duration.ofNanos(1 + process.random().nextLong(latency.toNanos() + 1)));
                    }
                    if (cut) {
                        throw ApiException.of(Status.of(503, "ServiceUnavailable", "cut"));
                    }
                }
            });
            shards = new Shards(
                    process,
                    client,
                    ShardSettings.of("default", "demo", identity).withSlots(slots),
                    this);
            shards.start();
        }

        Member(String identity) {
            this(identity, Duration.ZERO, SLOTS);
        }

        @Override
        public CompletableFuture<Void> begin(int slot, Term term) {
            CompletableFuture<Void> before = ends.get(slot);
            assertThat(before == null || before.isDone())
                    .as("one run of slot %s at a time", slot)
                    .isTrue();
            begun++;
            terms.put(slot, term);
            CompletableFuture<Void> end = new CompletableFuture<>();
            ends.put(slot, end);
            CompletableFuture<Void> unused =
                    term.ending().thenRun(() -> process.schedule(drain, () -> end.complete(null)));
            CompletableFuture<Void> unused2 = term.lost().thenRun(() -> end.complete(null));
            return end;
        }

        /** Slots that this one believes it may work on: also those whose last keys are still in flight. */
        TreeSet<Integer> believed() {
            TreeSet<Integer> believed = new TreeSet<>();
            terms.forEach((slot, term) -> {
                if (term.holds() && !ends.get(slot).isDone()) {
                    believed.add(slot);
                }
            });
            return believed;
        }
    }

    private void seconds(long seconds) {
        world.advance(Duration.ofSeconds(seconds));
    }

    private static SortedMap<Integer, String> owners(List<Member> members) {
        SortedMap<Integer, String> owners = new TreeMap<>();
        for (Member member : members) {
            for (int slot : member.believed()) {
                assertThat(owners.put(slot, member.identity))
                        .as("slot %s is of one member", slot)
                        .isNull();
            }
        }
        return owners;
    }

    @Test
    void oneMemberHasAllSlots() {
        Member a = new Member("a");
        seconds(5);
        assertThat(a.shards.owned()).hasSize(SLOTS);
        assertThat(a.shards.members()).containsExactly("a");
        ObjectKey key = ObjectKey.of("default", "x");
        assertThat(a.shards.owned()).containsKey(a.shards.slot(key));
        assertThat(a.shards.owned().get(a.shards.slot(key)).fence().lease())
                .isEqualTo(ObjectKey.of("default", "demo-slot-" + a.shards.slot(key) + "-of-12"));
    }

    @Test
    void aNewMemberGetsOnlyItsSlotsAfterTheyWereDrained() {
        Member a = new Member("a");
        seconds(5);
        a.drain = Duration.ofSeconds(30);
        Member b = new Member("b");
        seconds(20);
        assertThat(b.shards.owned()).isEmpty();
        assertThat(a.shards.owned()).hasSizeBetween(1, SLOTS - 1);
        assertThat(a.believed()).hasSize(SLOTS);

        seconds(20);
        assertThat(owners(List.of(a, b))).hasSize(SLOTS).containsValue("b");
        for (int slot : b.shards.owned().keySet()) {
            assertThat(b.terms.get(slot).fence().transitions()).isEqualTo(1);
        }
        assertThat(a.begun).as("nothing else moved").isEqualTo(SLOTS);
    }

    @Test
    void aLeavingMemberDrainsAndFreesItsSlots() {
        Member a = new Member("a");
        Member b = new Member("b");
        seconds(10);
        int before = a.begun;
        int moving = b.believed().size();
        CompletableFuture<Void> stopped = b.shards.stop();
        seconds(6);
        assertThat(stopped).isDone();
        assertThat(a.shards.owned()).hasSize(SLOTS);
        assertThat(a.begun - before).isEqualTo(moving);
        assertThat(api.list(Lease.class, ListOptions.in("default")).items().stream()
                        .map(lease -> lease.getMetadata().getName())
                        .filter(name -> name.contains("member")))
                .containsExactly("demo-member-a");
    }

    @Test
    void aLeavingMemberFreesSlotsOfAbandonedRounds() {
        Member a = new Member("a");
        a.leavesAt = "-slot-3-of-";
        seconds(30);
        assertThat(api.list(Lease.class, ListOptions.in("default")).items())
                .hasSizeGreaterThan(3)
                .noneMatch(lease -> "a".equals(lease.getSpec().getHolderIdentity()));
    }

    @Test
    void theSlotsOfACrashedMemberAreTakenWhenItsLeaseHasRunOut() {
        Member a = new Member("a");
        Member b = new Member("b");
        seconds(10);
        b.process.freeze();
        seconds(13);
        assertThat(a.shards.owned()).hasSizeLessThan(SLOTS);
        seconds(8);
        assertThat(a.shards.owned()).hasSize(SLOTS);
        b.process.thaw();
        assertThat(b.shards.owned()).isEmpty();
        seconds(10);
        assertThat(owners(List.of(a, b))).hasSize(SLOTS).containsValue("b");
    }

    @Test
    void aLateWriteOfAFrozenMemberIsRefusedByItsFence() {
        Member a = new Member("a");
        Member b = new Member("b");
        seconds(10);
        int slot = b.shards.owned().firstKey();
        Term before = b.terms.get(slot);
        write("early", before);
        b.process.freeze();
        seconds(9);
        assertThat(a.shards.owned()).doesNotContainKey(slot);
        seconds(12);
        assertThat(a.shards.owned()).containsKey(slot);

        // it wrote without looking at its clock
        assertThatThrownBy(() -> write("late", before))
                .isInstanceOf(ConflictException.class)
                .hasMessageContaining("is held by \"a\"");
        write("present", a.terms.get(slot));
    }

    private void write(String name, Term term) {
        api.create(
                Kind.of(ConfigMap.class),
                new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName(name)
                        .endMetadata()
                        .build(),
                WriteOptions.DEFAULT.fence(term.fence()));
    }

    @Test
    void aMemberThatRestartsUnderItsNameGetsItsSlotsInNewTerms() {
        Member first = new Member("a");
        seconds(5);
        first.process.freeze();
        Member second = new Member("a");
        seconds(5);
        assertThat(second.shards.owned()).hasSize(SLOTS);
        assertThat(second.terms.get(0).fence().transitions()).isEqualTo(1);
    }

    @Test
    void aStaleRecordOfALivingMemberThatShouldNotHaveItIsFreed() {
        Member a = new Member("a");
        seconds(5);
        a.process.freeze();
        Member b = new Member("b");
        seconds(1);
        Member again = new Member("a");
        seconds(10);
        assertThat(owners(List.of(b, again))).hasSize(SLOTS).containsValues("a", "b");
    }

    @Test
    void membersWithAnotherNumberOfSlotsTakeNothingUntilTheOthersLeave() {
        Member a = new Member("a");
        seconds(5);
        Member b = new Member("b", Duration.ZERO, SLOTS * 2);
        seconds(30);
        assertThat(a.shards.owned()).hasSize(SLOTS);
        assertThat(b.shards.owned()).isEmpty();
        CompletableFuture<Void> unused = a.shards.stop();
        seconds(10);
        assertThat(b.shards.owned()).hasSize(SLOTS * 2);
    }

    @Test
    void aSlotTakenByHandIsLost() {
        Member a = new Member("a");
        seconds(5);
        Lease lease = api.get(Lease.class, ObjectKey.of("default", "demo-slot-3-of-12"));
        lease.getSpec().setHolderIdentity("hand");
        api.update(lease);
        seconds(4);
        assertThat(a.shards.owned()).hasSize(SLOTS - 1).doesNotContainKey(3);
        seconds(20);
        assertThat(a.shards.owned()).hasSize(SLOTS);
    }

    @Test
    void settingsThatCannotNameALeaseAreRefused() {
        assertThatThrownBy(() -> ShardSettings.of("", "g", "i")).hasMessageStartingWith("namespace");
        assertThatThrownBy(() -> ShardSettings.of("n", "G!", "i")).hasMessageStartingWith("group");
        assertThatThrownBy(() -> ShardSettings.of("n", "g", "A_b")).hasMessageStartingWith("identity");
        assertThatThrownBy(() -> ShardSettings.of("n", "g", "i").withSlots(0)).hasMessageStartingWith("slots");
    }

    /** Crashes, freezes, cuts, slow calls, joins, leaves and wrong clocks; whatever happens, rule one holds. */
    @Test
    void noSlotIsEverOfTwoAndEverySlotIsOfOneAgain() {
        long first = Long.getLong("shards.seed", System.nanoTime());
        for (long seed = first; seed < first + Integer.getInteger("shards.count", 2); seed++) {
            System.out.println("-Dshards.seed=" + seed);
            try (Engine fresh = Engine.create()) {
                api = fresh.partition(Engine.DEFAULT_PARTITION).client("test");
                run(seed);
            }
        }
    }

    private void run(long seed) {
        Random random = new Random(seed);
        world = new BatonScheduler(seed);
        List<Member> members = new ArrayList<>();
        for (String name : List.of("a", "b", "c", "d")) {
            members.add(new Member(name, Duration.ofSeconds(random.nextInt(-3600, 3600)), SLOTS));
        }
        int counter = 0;
        for (int step = 0; step < 60; step++) {
            Member member = members.get(random.nextInt(members.size()));
            switch (random.nextInt(9)) {
                case 0, 1 -> member.process.freeze();
                case 2 -> member.process.thaw();
                case 3 -> member.cut = true;
                case 4 -> member.cut = false;
                case 5 -> member.latency = Duration.ofMillis(random.nextInt(8000));
                case 6 -> member.drain = Duration.ofMillis(random.nextInt(20_000));
                case 7 -> {
                    CompletableFuture<Void> unused = member.shards.stop();
                    member.leaving = true;
                    members.add(new Member("n" + counter++, Duration.ZERO, SLOTS));
                }
                default -> {
                    if (members.size() > 3) {
                        // a crash: what is on its way to the API may still arrive, by no thaw
                        member.process.freeze();
                        member.gone = true;
                    }
                }
            }
            if (members.stream().filter(each -> !each.gone && !each.leaving).count() < 2) {
                members.add(new Member("n" + counter++, Duration.ZERO, SLOTS));
            }
            for (Member each : members) {
                if (each.gone) {
                    each.process.freeze();
                }
            }
            int time = random.nextInt(100, 12_000);
            for (int i = 0; i < time; i += 50) {
                world.advance(Duration.ofMillis(50));
                owners(members);
            }
        }
        for (Member member : members) {
            if (!member.gone) {
                member.process.thaw();
            }
            member.cut = false;
            member.latency = Duration.ZERO;
            member.drain = Duration.ZERO;
        }
        for (int i = 0; i < 40 * 20; i++) {
            world.advance(Duration.ofMillis(50));
            owners(members);
        }
        assertThat(owners(members))
                .as("every slot is owned again, seed %s", seed)
                .hasSize(SLOTS);
    }
}
