package dev.evenkeel.controller.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Status;
import dev.evenkeel.controller.Leases;
import dev.evenkeel.controller.schedule.BatonScheduler;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ElectionTest {
    private static final ObjectKey KEY = ObjectKey.of("default", "leader");

    private final Engine engine = Engine.create();
    private final Client api = engine.partition(Engine.DEFAULT_PARTITION).client("test");
    private final BatonScheduler world = new BatonScheduler(1);

    @AfterEach
    void close() {
        engine.close();
    }

    /** A candidate in a process of its own, which notes what it hears and what it asks of the API. */
    private final class Candidate implements Election.Scope {
        final String identity;
        final BatonScheduler process;
        final List<String> verbs = new ArrayList<>();
        final List<String> heard = new ArrayList<>();
        final List<Term> terms = new ArrayList<>();
        final List<CompletableFuture<Void>> ends = new ArrayList<>();
        final Election election;
        boolean endsByItself = true;
        boolean cut;
        int conflicts;
        int hanging;

        Candidate(String identity) {
            this.identity = identity;
            process = world.process(identity, Duration.ZERO);
            Client client = Intercepted.client(api, (verb, arguments) -> {
                verbs.add(verb);
                if (cut) {
                    throw ApiException.of(Status.of(503, "ServiceUnavailable", "cut"));
                }
                if (hanging > 0) {
                    hanging--;
                    process.pause(Duration.ofMinutes(10));
                }
                if (verb.equals("update") && conflicts > 0) {
                    conflicts--;
                    throw ApiException.of(Status.of(409, "Conflict", "made up", Status.Details.EMPTY));
                }
            });
            election = new Election(process, client, KEY, identity, Leases.Timing.DEFAULT, Map.of("app", "demo"), this);
        }

        Candidate start() {
            election.start();
            return this;
        }

        @Override
        public CompletableFuture<Void> begin(Term term) {
            heard.add("begin " + term.fence().transitions());
            terms.add(term);
            CompletableFuture<Void> end = new CompletableFuture<>();
            ends.add(end);
            CompletableFuture<Void> unused = term.ending().thenRun(() -> {
                heard.add(term.holds() ? "ending" : "lost");
                if (endsByItself) {
                    end.complete(null);
                }
            });
            return end;
        }

        @Override
        public void observed(String holder) {
            heard.add("holder " + holder);
        }

        @Override
        public void stopped() {
            heard.add("stopped");
        }
    }

    private Lease lease() {
        return api.get(Lease.class, KEY);
    }

    private void seconds(long seconds) {
        world.advance(Duration.ofSeconds(seconds));
    }

    private Lease given(String holder, int transitions) {
        ZonedDateTime old = ZonedDateTime.parse("2020-01-01T00:00:00Z");
        return api.create(new LeaseBuilder()
                .withNewMetadata()
                .withNamespace(KEY.namespace())
                .withName(KEY.name())
                .addToLabels("mine", "kept")
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity(holder)
                .withLeaseDurationSeconds(15)
                .withLeaseTransitions(transitions)
                .withAcquireTime(old)
                .withRenewTime(old)
                .endSpec()
                .build());
    }

    @Test
    void withoutALeaseItIsCreated() {
        Candidate a = new Candidate("a").start();
        seconds(1);

        assertThat(a.heard).containsExactlyInAnyOrder("holder a", "begin 0");
        assertThat(lease().getSpec().getHolderIdentity()).isEqualTo("a");
        assertThat(lease().getSpec().getLeaseDurationSeconds()).isEqualTo(15);
        assertThat(lease().getMetadata().getLabels()).containsEntry("app", "demo");
        assertThat(a.terms.getFirst().fence().lease()).isEqualTo(KEY);
        assertThat(a.terms.getFirst().remaining()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void aLeaseWithoutSpecOrHolderIsTaken() {
        api.create(new LeaseBuilder()
                .withNewMetadata()
                .withNamespace(KEY.namespace())
                .withName(KEY.name())
                .endMetadata()
                .build());
        Candidate a = new Candidate("a").start();
        seconds(1);
        assertThat(a.heard).contains("begin 1");
    }

    @Test
    void aReleasedLeaseIsTakenAtOnceWithLabelsMerged() {
        given("", 4);
        Candidate a = new Candidate("a").start();
        seconds(1);
        assertThat(a.heard).contains("begin 5");
        assertThat(lease().getMetadata().getLabels())
                .containsEntry("app", "demo")
                .containsEntry("mine", "kept");
    }

    @Test
    void aLeaseThatOnlyLooksOldIsFreshUntilItDidNotChangeForAsLongAsItLasts() {
        given("other", 4);
        Candidate a = new Candidate("a").start();
        seconds(14);
        assertThat(a.heard).containsExactly("holder other");
        assertThat(a.election.holder()).isEqualTo("other");

        seconds(6);

        assertThat(a.heard).contains("begin 5");
        assertThat(lease().getSpec().getAcquireTime().getYear()).isEqualTo(2026);
    }

    @Test
    void aRenewalKeepsTransitionsAndAcquireTimeAndNeedsNoRead() {
        Candidate a = new Candidate("a").start();
        seconds(1);
        ZonedDateTime acquired = lease().getSpec().getAcquireTime();
        ZonedDateTime renewed = lease().getSpec().getRenewTime();

        seconds(6);

        assertThat(a.verbs).containsExactly("find", "create", "update", "update", "update");
        assertThat(lease().getSpec().getLeaseTransitions()).isZero();
        assertThat(lease().getSpec().getAcquireTime()).isEqualTo(acquired);
        assertThat(lease().getSpec().getRenewTime()).isAfter(renewed);
        assertThat(a.terms).hasSize(1);
        assertThat(a.terms.getFirst().holds()).isTrue();
    }

    @Test
    void aConflictIsAnsweredByAReadAtOnce() {
        Candidate a = new Candidate("a").start();
        seconds(3);
        a.conflicts = 1;
        seconds(4);
        assertThat(a.verbs).containsExactly("find", "create", "update", "update", "find", "update", "update");
        assertThat(a.terms).hasSize(1);
    }

    @Test
    void aLeaseOfAnEarlierRunOfTheSameIdentityIsANewTerm() {
        given("a", 4);
        Candidate a = new Candidate("a").start();
        seconds(1);
        assertThat(a.heard).contains("begin 5");
    }

    @Test
    void stoppingEndsTheTermRenewsMeanwhileAndThenReleases() {
        Candidate a = new Candidate("a").start();
        a.endsByItself = false;
        seconds(1);

        CompletableFuture<Void> stopped = a.election.stop();
        seconds(30);
        assertThat(a.heard).contains("ending").doesNotContain("stopped");
        assertThat(a.terms.getFirst().holds()).isTrue();
        assertThat(stopped).isNotDone();

        a.ends.getFirst().complete(null);
        seconds(1);
        assertThat(stopped).isDone();
        assertThat(a.heard).endsWith("stopped");
        assertThat(lease().getSpec().getHolderIdentity()).isEmpty();
        assertThat(lease().getSpec().getLeaseDurationSeconds()).isEqualTo(1);
        assertThat(a.terms.getFirst().holds()).isFalse();
        assertThat(a.terms.getFirst().lost()).isDone();
    }

    @Test
    void aReleaseThatMeetsAConflictIsRepeated() {
        Candidate a = new Candidate("a").start();
        seconds(1);
        a.conflicts = 2;
        CompletableFuture<Void> stopped = a.election.stop();
        seconds(1);
        assertThat(stopped).isDone();
        assertThat(lease().getSpec().getHolderIdentity()).isEmpty();
    }

    @Test
    void aCandidateWithoutATermWritesNothingWhenStoppedAndIsNotified() {
        Lease before = given("other", 1);
        Candidate a = new Candidate("a").start();
        seconds(5);
        CompletableFuture<Void> stopped = a.election.stop();
        Candidate never = new Candidate("never");
        CompletableFuture<Void> neverStopped = never.election.stop();
        seconds(1);
        assertThat(stopped).isDone();
        assertThat(neverStopped).isDone();
        assertThat(a.heard).containsExactly("holder other", "stopped");
        assertThat(never.heard).containsExactly("stopped");
        assertThat(a.verbs).containsOnly("find");
        assertThat(lease()).isEqualTo(before);
    }

    @Test
    void settingsThatContradictEachOtherAreNamed() {
        assertThatThrownBy(() -> new Election(
                        world, api, KEY, "", Leases.Timing.DEFAULT, Map.of(), term -> new CompletableFuture<>()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("identity");
        assertThatThrownBy(() -> new Election(
                        world,
                        api,
                        ObjectKey.cluster("x"),
                        "a",
                        Leases.Timing.DEFAULT,
                        Map.of(),
                        term -> new CompletableFuture<>()))
                .hasMessageStartingWith("key");
        assertThatThrownBy(
                        () -> new Leases.Timing(Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(2)))
                .hasMessageStartingWith("renewDeadline");
        assertThatThrownBy(
                        () -> new Leases.Timing(Duration.ofSeconds(15), Duration.ofMillis(2400), Duration.ofSeconds(2)))
                .hasMessageContaining("retry");
        assertThatThrownBy(
                        () -> new Leases.Timing(Duration.ofMillis(1500), Duration.ofSeconds(1), Duration.ofMillis(100)))
                .hasMessageStartingWith("lease");
        assertThatThrownBy(() -> new Leases.Timing(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ZERO))
                .hasMessageStartingWith("retry");
    }

    @Test
    void healthIsBadOnlyForALeaderWhoseRecordIsOlderThanItLasts() {
        Candidate a = new Candidate("a").start();
        Candidate b = new Candidate("b");
        assertThat(b.election.healthy(Duration.ZERO)).isTrue();
        seconds(1);
        assertThat(a.election.healthy(Duration.ZERO)).isTrue();
        a.process.freeze();
        seconds(16);
        assertThat(a.election.healthy(Duration.ofSeconds(5))).isTrue();
        assertThat(a.election.healthy(Duration.ZERO)).isFalse();
    }

    @Test
    void theTermIsOverBeforeAnotherMayTakeTheLease() {
        Candidate a = new Candidate("a").start();
        seconds(1);
        Candidate b = new Candidate("b").start();
        seconds(2);
        a.cut = true;

        seconds(11);
        assertThat(a.terms.getFirst().holds()).isFalse();
        assertThat(a.heard).contains("lost");
        assertThat(b.terms).isEmpty();

        seconds(12);
        assertThat(b.heard).contains("begin 1");
    }

    @Test
    void afterAnOutageThereIsALeaderAgain() {
        Candidate a = new Candidate("a").start();
        Candidate b = new Candidate("b").start();
        seconds(3);
        a.cut = true;
        b.cut = true;
        seconds(3600);
        assertThat(a.election.term()).isEmpty();
        assertThat(b.election.term()).isEmpty();
        a.cut = false;
        b.cut = false;
        seconds(25);
        assertThat(a.election.term().isPresent()).isNotEqualTo(b.election.term().isPresent());
    }

    @Test
    void aHangingCallIsAbandonedAndTheTermContinues() {
        Candidate a = new Candidate("a").start();
        seconds(1);
        a.hanging = 1;
        seconds(60);
        assertThat(a.terms).hasSize(1);
        assertThat(a.terms.getFirst().holds()).isTrue();
    }

    @Test
    void aHolderFrozenPastItsLeaseFindsItsTermOverAtOnce() {
        Candidate a = new Candidate("a").start();
        seconds(1);
        Candidate b = new Candidate("b").start();
        seconds(2);
        a.process.freeze();
        seconds(40);
        assertThat(b.election.term()).isPresent();
        assertThat(a.terms.getFirst().holds()).isFalse();
        a.process.thaw();
        seconds(40);
        assertThat(a.heard).contains("lost");
        assertThat(a.election.term()).isEmpty();
        assertThat(b.terms).hasSize(1);
    }

    @Test
    void aNewTermBeginsOnlyWhenTheScopeOfTheOldOneHasEnded() {
        Candidate a = new Candidate("a").start();
        a.endsByItself = false;
        seconds(1);
        a.cut = true;
        seconds(20);
        a.cut = false;
        seconds(60);
        assertThat(a.terms).hasSize(1);

        a.ends.getFirst().complete(null);
        seconds(6);
        assertThat(a.terms).hasSize(2);
        assertThat(a.terms.getLast().fence().transitions()).isEqualTo(1);
    }

    @Test
    void aScopeThatEndsByItselfReleasesTheLeaseAndTheCampaignContinues() {
        Candidate a = new Candidate("a").start();
        seconds(1);
        a.ends.getFirst().completeExceptionally(new IllegalStateException("made up"));
        world.advance(Duration.ofMillis(100));
        assertThat(lease().getSpec().getHolderIdentity()).isEmpty();
        seconds(5);
        assertThat(a.terms).hasSize(2);
    }

    @Test
    void aDeletedLeaseIsMadeAgainByItsHolderForTheSameTerm() {
        given("", 6);
        Candidate a = new Candidate("a").start();
        seconds(1);
        api.delete(Lease.class, KEY);
        seconds(3);
        assertThat(a.terms).hasSize(1);
        assertThat(lease().getSpec().getLeaseTransitions()).isEqualTo(7);
    }

    /** Else the one who stands by makes the lease, while its holder still works and does not know. */
    @Test
    void aStandbyDoesNotRecreateADeletedLeaseBeforeItExpires() {
        Candidate first = new Candidate("first").start();
        seconds(1);
        Candidate second = new Candidate("second").start();
        seconds(5);

        api.delete(Lease.class, KEY);
        first.cut = true;
        seconds(6);
        assertThat(second.terms).isEmpty();
        seconds(12);

        assertThat(first.terms.getFirst().holds()).isFalse();
        assertThat(second.terms).hasSize(1);
    }

    @Test
    void aLeaseTakenByHandEndsTheTermAtTheNextRenewal() {
        Candidate a = new Candidate("a").start();
        seconds(1);
        Lease lease = lease();
        lease.getSpec().setHolderIdentity("hand");
        lease.getSpec().setLeaseTransitions(1);
        api.update(lease);
        seconds(3);
        assertThat(a.heard).contains("lost", "holder hand");
    }

    /** Else the lease is renewed for ever, and nothing runs under it. */
    @Test
    void aScopeThatThrowsAnErrorGivesTheLeaseUp() {
        AtomicInteger begun = new AtomicInteger();
        Election election = new Election(world, api, KEY, "a", Leases.Timing.DEFAULT, Map.of(), term -> {
            if (begun.incrementAndGet() == 1) {
                throw new NoClassDefFoundError("scope");
            }
            return new CompletableFuture<>();
        });
        election.start();
        seconds(10);

        assertThat(begun).hasValue(2);
        assertThat(lease().getSpec().getLeaseTransitions()).isEqualTo(1);
    }

    /** Else every leader is started anew when the API is away for longer than a lease lasts. */
    @Test
    void aHolderThatGaveUpInAnOutageIsHealthy() {
        Candidate a = new Candidate("a").start();
        Candidate stuck = new Candidate("stuck");
        seconds(1);
        a.cut = true;
        seconds(120);
        assertThat(a.election.term()).isEmpty();
        assertThat(a.election.healthy(Duration.ofSeconds(20))).isTrue();

        stuck.endsByItself = false;
        stuck.start();
        seconds(30);
        assertThat(stuck.terms).hasSize(1);
        stuck.cut = true;
        seconds(120);
        assertThat(stuck.election.healthy(Duration.ofSeconds(20))).isFalse();
    }
}
