package dev.evenkeel.reconcile.condition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.evenkeel.client.ModelCodec;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionManagerTest {
    private static final ConditionSet SET = ConditionSet.living("A", "B");
    private static final Instant THEN = Instant.parse("2026-01-01T10:00:00.9Z");

    private Instant now = THEN;
    private final Clock clock = new Clock() {
        @Override
        public ZoneOffset getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
            return InstantSource.system().withZone(zone);
        }

        @Override
        public Instant instant() {
            return now;
        }
    };

    private final Site site = new Site();

    private ConditionManager manager(ConditionSet set) {
        site.getMetadata().setGeneration(3L);
        return ConditionManager.of(set, site, StatusAccess.require(site), clock);
    }

    private ConditionManager initialized() {
        ConditionManager manager = manager(SET);
        manager.initialize();
        return manager;
    }

    private static String text(Condition condition) {
        return condition.getType() + " " + condition.getStatus() + " " + condition.getReason() + " \""
                + condition.getMessage() + "\" " + condition.getObservedGeneration() + " "
                + condition.getLastTransitionTime();
    }

    private static List<String> texts(ConditionManager manager) {
        return manager.conditions().stream().map(ConditionManagerTest::text).toList();
    }

    @Test
    void beginsWithNothingKnown() {
        assertThat(texts(initialized()))
                .containsExactly(
                        "A Unknown Initializing \"\" 3 2026-01-01T10:00:00Z",
                        "B Unknown Initializing \"\" 3 2026-01-01T10:00:00Z",
                        "Ready Unknown Initializing \"\" 3 2026-01-01T10:00:00Z");
    }

    @Test
    void aNewConditionOfAHappyObjectIsHappy() {
        ConditionManager before = manager(ConditionSet.living("A"));
        before.markTrue("A", "Fine");
        assertThat(before.isHappy()).isTrue();
        ConditionManager after = initialized();
        assertThat(after.isHappy()).isTrue();
        assertThat(after.get("B"))
                .map(ConditionManagerTest::text)
                .contains("B True Initializing \"\" 3 2026-01-01T10:00:00Z");
    }

    @Test
    void isHappyWhenAllAre() {
        ConditionManager manager = initialized();
        manager.markTrue("A", "Fine");
        assertThat(manager.isHappy()).isFalse();
        now = THEN.plusSeconds(60);
        manager.markTrue("B", "Fine", "it works");
        assertThat(texts(manager))
                .containsExactly(
                        "A True Fine \"\" 3 2026-01-01T10:00:00Z",
                        "B True Fine \"it works\" 3 2026-01-01T10:01:00Z",
                        "Ready True Ready \"\" 3 2026-01-01T10:01:00Z");
        assertThat(manager).hasToString("Ready of " + manager.conditions());
    }

    @Test
    void theFirstThatIsFalseSpeaksForAll() {
        ConditionManager manager = initialized();
        manager.markFalse("B", "Bad", "b failed");
        assertThat(manager.get("Ready"))
                .map(ConditionManagerTest::text)
                .contains("Ready False Bad \"b failed\" 3 2026-01-01T10:00:00Z");
        manager.markFalse("A", "Worse", "a failed");
        assertThat(manager.get("Ready")).map(Condition::getReason).contains("Worse");
    }

    @Test
    void aFailureHasAReason() {
        ConditionManager manager = initialized();
        manager.markFalse("A", "Bad", new IllegalStateException("50% of %s"));
        assertThat(manager.get("A").map(Condition::getMessage)).contains("50% of %s");
        manager.markUnknown("A", "Asking", new IllegalStateException());
        assertThat(manager.get("A").map(Condition::getMessage)).contains("java.lang.IllegalStateException");
        assertThat(manager.get("A").map(Condition::getStatus)).contains("Unknown");
    }

    /** D20 a. */
    @Test
    void aReasonIsRemovedWithItsCause() {
        ConditionManager manager = initialized();
        manager.markFalse("B", "Bad", "b failed");
        manager.markUnknown("A", "Asking", "who knows");
        manager.markTrue("B", "Fine");
        assertThat(manager.get("Ready"))
                .map(ConditionManagerTest::text)
                .contains("Ready Unknown Asking \"who knows\" 3 2026-01-01T10:00:00Z");
    }

    /** D20 b. */
    @Test
    void otherConditionsDoNotCount() {
        ConditionManager manager = initialized();
        manager.markFalse("B", "Bad", "b failed");
        manager.markUnknown("Other", "Strange", "elsewhere");
        manager.markFalse("Another", "Strange", "elsewhere");
        assertThat(manager.get("Ready")).map(Condition::getReason).contains("Bad");
        manager.clear("Other");
        manager.clear("Other");
        assertThat(manager.get("Other")).isEmpty();
    }

    /** D20 c. */
    @Test
    void theTimeMovesWithTheStatusOnly() {
        ConditionManager manager = initialized();
        manager.markFalse("A", "Bad", "1 of 3");
        now = THEN.plus(Duration.ofMinutes(5));
        manager.markFalse("A", "Bad", "2 of 3");
        assertThat(texts(manager))
                .contains(
                        "A False Bad \"2 of 3\" 3 2026-01-01T10:00:00Z",
                        "Ready False Bad \"2 of 3\" 3 2026-01-01T10:00:00Z");
    }

    /** D20 d. */
    @Test
    void messagesArePlainTextUnlessThereAreArguments() {
        ConditionManager manager = initialized();
        manager.markFalse("A", "Full", "100% of disk %s used");
        assertThat(manager.get("A")).map(Condition::getMessage).contains("100% of disk %s used");
        manager.markFalse("A", "Full", "%d%% of %s used", 100, "disk");
        assertThat(manager.get("A")).map(Condition::getMessage).contains("100% of disk used");
    }

    /** D20 e. */
    @Test
    void theHappyConditionFollowsFromOthers() {
        ConditionManager manager = initialized();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> manager.markTrue("Ready", "Ready"))
                .withMessage("condition Ready: follows from [A, B], and can't be set directly: mark one of those");
        assertThat(manager.isHappy()).isFalse();
    }

    @Test
    void withoutDependentsItIsMarkedByItself() {
        ConditionManager manager = manager(ConditionSet.batch().happyReason("AllDone"));
        manager.initialize();
        assertThat(texts(manager)).containsExactly("Succeeded Unknown Initializing \"\" 3 2026-01-01T10:00:00Z");
        manager.markTrue("Succeeded", "AllDone");
        assertThat(manager.isHappy()).isTrue();
    }

    @Test
    void isHappyForTheOldestGenerationThatWasLookedAt() {
        ConditionManager old = manager(SET);
        old.markTrue("A", "Fine");
        old.markTrue("B", "Fine");
        site.getMetadata().setGeneration(4L);
        ConditionManager manager = ConditionManager.of(SET, site, StatusAccess.require(site), clock);
        manager.markTrue("A", "Fine");
        assertThat(manager.get("Ready")).map(Condition::getObservedGeneration).contains(3L);
        manager.markTrue("B", "Fine");
        assertThat(manager.get("Ready")).map(Condition::getObservedGeneration).contains(4L);
    }

    @Test
    void conditionsOfOthersAreRepairedAndKept() {
        ConditionManager manager = manager(SET);
        site.setStatus(new ResourceStatus());
        site.getStatus()
                .setConditions(List.of(
                        new ConditionBuilder()
                                .withType("Ready")
                                .withStatus("True")
                                .build(),
                        new ConditionBuilder().withType("A").withStatus("").build(),
                        new ConditionBuilder()
                                .withType("B")
                                .withStatus("True")
                                .withReason("Fine")
                                .build(),
                        new ConditionBuilder()
                                .withType("Mine")
                                .withStatus("True")
                                .build()));
        manager.initialize();
        assertThat(manager.isHappy()).isFalse();
        assertThat(manager.conditions()).extracting(Condition::getType).containsExactly("A", "B", "Mine", "Ready");
        manager.markTrue("A", "Fine");
        // the other has no observed generation
        assertThat(texts(manager)).contains("Ready True Ready \"\" null 2026-01-01T10:00:00Z");
    }

    @Test
    void requiredConditionsCannotBeRemoved() {
        ConditionManager manager = initialized();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> manager.clear("A"))
                .withMessageContaining("condition A")
                .withMessageContaining("mark it unknown instead");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> manager.markTrue("A", " "))
                .withMessageContaining("needs a type and a reason");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> manager.set(new Condition()))
                .withMessageContaining("needs a type and a reason");
        assertThatIllegalArgumentException().isThrownBy(() -> new ConditionSet("", "Ready", List.of()));
        assertThat(ConditionSet.living("A", "Ready", "B", "A").dependents()).containsExactly("A", "B");
    }

    @Test
    void sayingItAgainWritesNothing() {
        site.setStatus(new ResourceStatus());
        List<List<Condition>> written = new java.util.ArrayList<>();
        ConditionManager manager = ConditionManager.of(
                SET,
                site,
                new StatusAccess<Site>() {
                    @Override
                    public List<Condition> conditions(Site object) {
                        return written.isEmpty() ? List.of() : written.getLast();
                    }

                    @Override
                    public void setConditions(Site object, List<Condition> conditions) {
                        written.add(conditions);
                    }

                    @Override
                    public void setObservedGeneration(Site object, long generation) {}
                },
                clock);
        manager.initialize();
        manager.markFalse("A", "Bad", "no");
        now = THEN.plusSeconds(100);
        manager.markFalse("A", "Bad", "no");
        manager.initialize();
        assertThat(written).hasSize(2);
    }

    @Test
    void aMissingStatusIsCreated() {
        ConditionManager manager = manager(ConditionSet.living());
        assertThat(manager.conditions()).isEmpty();
        assertThat(site.getStatus()).isNull();
        manager.markTrue("Ready", "Ready");
        StatusAccess.require(site).setObservedGeneration(site, 3);
        assertThat(site.getStatus().getObservedGeneration()).isEqualTo(3);
        assertThat(site.getStatus().getConditions()).hasSize(1);
    }

    @Test
    void statusesMayBeValues() {
        Site.Valued valued = new Site.Valued();
        StatusAccess<Site.Valued> access = Site.Valued.ACCESS;
        assertThat(access.conditions(valued)).isEmpty();
        ConditionManager.of(ConditionSet.living(), valued, access, clock).markTrue("Ready", "Ready");
        access.setObservedGeneration(valued, 7);
        assertThat(valued.getStatus().generation()).isEqualTo(7);
        assertThat(valued.getStatus().conditions()).hasSize(1);
    }

    @Test
    void conditionsAreFoundInTheTypeOfTheStatus() {
        assertThat(StatusAccess.find(Site.class)).isPresent();
        assertThat(StatusAccess.find(Site.Valued.class)).isEmpty();
        assertThat(StatusAccess.find(Site.Bare.class)).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StatusAccess.require(new Site.Bare()))
                .withMessageContaining("Bare")
                .withMessageContaining("implement ConditionedStatus");
    }

    @Test
    void aStatusThatSaysNothingWritesNothing() {
        site.setStatus(new ResourceStatus());
        assertThat(new String(ModelCodec.encode(site), StandardCharsets.UTF_8)).doesNotContain("observedGeneration");
        site.getStatus().setConditions(null);
        assertThat(site.getStatus().getConditions()).isEmpty();
    }
}
