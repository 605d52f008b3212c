package dev.evenkeel.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.policy.v1.InSync;
import dev.evenkeel.policy.v1.IpSetDeltaUpdate;
import dev.evenkeel.policy.v1.IpSetRemove;
import dev.evenkeel.policy.v1.IpSetType;
import dev.evenkeel.policy.v1.IpSetUpdate;
import dev.evenkeel.policy.v1.Update;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The check of streams finds what is wrong with wrong ones. */
class HostStateTest {
    private final List<Update> right = right();

    private static List<Update> right() {
        PolicyCase world = PolicyCase.all().stream()
                .filter(one -> one.name().startsWith("the example policy"))
                .findFirst()
                .orElseThrow();
        PolicyCalculation calculation = PolicyCalculation.forHost("n1");
        calculation.transact(tx -> {
            world.world().objects().forEach(tx::put);
            PolicyCalculation.kinds().forEach(tx::synced);
        });
        return calculation.open("n1").poll().messages();
    }

    private int first(Update.KindCase kind) {
        for (int i = 0; i < right.size(); i++) {
            if (right.get(i).getKindCase() == kind) {
                return i;
            }
        }
        throw new AssertionError("there is no " + kind);
    }

    private Update of(Update.KindCase kind) {
        return right.get(first(kind));
    }

    private static Update delta(String id, List<String> added, List<String> removed) {
        return Update.newBuilder()
                .setIpSetDeltaUpdate(IpSetDeltaUpdate.newBuilder()
                        .setId(id)
                        .addAllAddedMembers(added)
                        .addAllRemovedMembers(removed))
                .build();
    }

    private static Update set(String id, String... members) {
        return Update.newBuilder()
                .setIpSetUpdate(IpSetUpdate.newBuilder()
                        .setId(id)
                        .setType(IpSetType.IP_SET_TYPE_NET)
                        .addAllMembers(List.of(members)))
                .build();
    }

    private static Update removal(String id) {
        return Update.newBuilder()
                .setIpSetRemove(IpSetRemove.newBuilder().setId(id))
                .build();
    }

    /** Applies the right stream, and then this batch. */
    private void wrong(String violation, Update... batch) {
        HostState state = new HostState().apply(right);
        assertThatThrownBy(() -> state.apply(List.of(batch)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(violation);
    }

    /** Applies the right stream with an edit. */
    private void edited(String violation, Consumer<List<Update>> edit) {
        List<Update> batch = new ArrayList<>(right);
        edit.accept(batch);
        assertThatThrownBy(() -> new HostState().apply(batch))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(violation);
    }

    @Test
    void theRightStreamIsAccepted() {
        assertThat(new HostState().apply(right).isInSync()).isTrue();
    }

    @Test
    void referencesThatDoNotResolve() {
        int set = first(Update.KindCase.IP_SET_UPDATE);
        int policy = first(Update.KindCase.ACTIVE_POLICY_UPDATE);
        int profile = first(Update.KindCase.ACTIVE_PROFILE_UPDATE);
        edited("mentions IP set", batch -> batch.remove(set));
        edited("mentions IP set", batch -> batch.add(0, batch.remove(policy)));
        edited("has unknown policy", batch -> batch.remove(policy));
        edited("has unknown profile", batch -> batch.remove(profile));
        edited("has unknown profile", batch -> batch.add(batch.remove(profile)));
        String id = of(Update.KindCase.IP_SET_UPDATE).getIpSetUpdate().getId();
        wrong("removes IP set " + id + ", which rules mention", removal(id));
        edited("of type IP_SET_TYPE_IP_AND_PORT", batch -> {
            Update.Builder other = batch.get(set).toBuilder();
            other.getIpSetUpdateBuilder().setType(IpSetType.IP_SET_TYPE_IP_AND_PORT);
            batch.set(set, other.build());
        });
        Update.Builder policyRemoval = Update.newBuilder();
        policyRemoval
                .getActivePolicyRemoveBuilder()
                .setId(right.get(policy).getActivePolicyUpdate().getId());
        wrong("which endpoints have", policyRemoval.build());
        Update.Builder profileRemoval = Update.newBuilder();
        profileRemoval
                .getActiveProfileRemoveBuilder()
                .setName(right.get(profile).getActiveProfileUpdate().getName());
        wrong("which endpoints have", profileRemoval.build());
    }

    @Test
    void messagesThatAreRepeated() {
        for (Update update : right) {
            wrong(update.hasInSync() ? "InSync is sent twice" : "again, unchanged", update);
        }
    }

    @Test
    void differencesThatDoNotApply() {
        IpSetUpdate set = of(Update.KindCase.IP_SET_UPDATE).getIpSetUpdate();
        String member = set.getMembers(0);
        wrong("changes unknown IP set", delta("s:unknown", List.of("10.0.0.1/32"), List.of()));
        wrong("which has it", delta(set.getId(), List.of(member), List.of()));
        wrong("which lacks it", delta(set.getId(), List.of(), List.of("192.0.2.1/32")));
        wrong("an empty change", delta(set.getId(), List.of(), List.of()));
        wrong("adds and removes", delta(set.getId(), List.of("192.0.2.1/32"), List.of("192.0.2.1/32")));
        wrong("removes unknown IP set", removal("s:unknown"));
    }

    @Test
    void whatTheHostDoesNotNeed() {
        wrong("IP sets that no rule needs: [s:other]", set("s:other", "10.0.0.1/32"));
        int endpoint = first(Update.KindCase.WORKLOAD_ENDPOINT_UPDATE);
        edited(
                "that no endpoint needs",
                batch -> batch.subList(endpoint, batch.size() - 1).clear());
    }

    @Test
    void setsThatAreNotSorted() {
        wrong("not sorted and distinct", set("s:other", "10.0.0.2/32", "10.0.0.1/32"));
        wrong("not sorted and distinct", set("s:other", "10.0.0.1/32", "10.0.0.1/32"));
    }

    @Test
    void endpointsBeforeTheStateIsComplete() {
        edited(
                "endpoints before the state is in sync",
                batch -> batch.remove(Update.newBuilder()
                        .setInSync(InSync.getDefaultInstance())
                        .build()));
    }

    @Test
    void messagesThatAreNotExpected() {
        wrong("not expected", Update.getDefaultInstance());
    }
}
