package dev.evenkeel.policy.internal.sync;

import dev.evenkeel.policy.v1.InSync;
import dev.evenkeel.policy.v1.IpSetDeltaUpdate;
import dev.evenkeel.policy.v1.IpSetType;
import dev.evenkeel.policy.v1.IpSetUpdate;
import dev.evenkeel.policy.v1.Update;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The objects that the messages to a host add up to, so that the difference of two streams can be computed.
 *
 * <p>The kinds of objects are in the order of their references, in which updates are sent; removals are sent in reverse.
 */
final class HostContents {
    /** The kinds of objects. */
    private enum Kind {
        HOST,
        IP_POOL,
        NAMESPACE,
        SERVICE_ACCOUNT,
        IP_SET,
        POLICY,
        PROFILE,
        ENDPOINT,
        HOST_ENDPOINT
    }

    /** An object: its kind, and its name or the message that names it. */
    private record Key(Kind kind, Object name) {}

    /** An object as it was sent; the removal is the message that takes it back. */
    private record Entry(Update update, Update removal) {}

    /** An IP set. */
    private record IpSet(IpSetType type, Set<String> members) {}

    private final Map<Kind, Map<Key, Entry>> objects = new LinkedHashMap<>();
    private final Map<String, IpSet> sets = new LinkedHashMap<>();
    private boolean inSync;

    HostContents() {
        for (Kind kind : Kind.values()) {
            objects.put(kind, new LinkedHashMap<>());
        }
    }

    boolean isInSync() {
        return inSync;
    }

    /**
     * Applies a message.
     *
     * @throws IllegalArgumentException if it does not apply to the contents
     */
    void apply(Update update) {
        switch (update.getKindCase()) {
            case IN_SYNC -> inSync = true;
            case IP_SET_UPDATE -> {
                IpSetUpdate set = update.getIpSetUpdate();
                sets.put(set.getId(), new IpSet(set.getType(), new HashSet<>(set.getMembersList())));
            }
            case IP_SET_DELTA_UPDATE -> {
                IpSetDeltaUpdate delta = update.getIpSetDeltaUpdate();
                IpSet set = sets.get(delta.getId());
                if (set == null) {
                    throw new IllegalArgumentException("a change of IP set " + delta.getId() + ", which was not sent");
                }
                set.members().addAll(delta.getAddedMembersList());
                delta.getRemovedMembersList().forEach(set.members()::remove);
            }
            case IP_SET_REMOVE -> sets.remove(update.getIpSetRemove().getId());
            case ACTIVE_POLICY_UPDATE ->
                put(
                        Kind.POLICY,
                        update.getActivePolicyUpdate().getId(),
                        update,
                        removal -> removal.getActivePolicyRemoveBuilder()
                                .setId(update.getActivePolicyUpdate().getId()));
            case ACTIVE_POLICY_REMOVE ->
                remove(Kind.POLICY, update.getActivePolicyRemove().getId());
            case ACTIVE_PROFILE_UPDATE ->
                put(
                        Kind.PROFILE,
                        update.getActiveProfileUpdate().getName(),
                        update,
                        removal -> removal.getActiveProfileRemoveBuilder()
                                .setName(update.getActiveProfileUpdate().getName()));
            case ACTIVE_PROFILE_REMOVE ->
                remove(Kind.PROFILE, update.getActiveProfileRemove().getName());
            case WORKLOAD_ENDPOINT_UPDATE ->
                put(
                        Kind.ENDPOINT,
                        update.getWorkloadEndpointUpdate().getId(),
                        update,
                        removal -> removal.getWorkloadEndpointRemoveBuilder()
                                .setId(update.getWorkloadEndpointUpdate().getId()));
            case WORKLOAD_ENDPOINT_REMOVE ->
                remove(Kind.ENDPOINT, update.getWorkloadEndpointRemove().getId());
            case HOST_ENDPOINT_UPDATE ->
                put(
                        Kind.HOST_ENDPOINT,
                        update.getHostEndpointUpdate().getId(),
                        update,
                        removal -> removal.getHostEndpointRemoveBuilder()
                                .setId(update.getHostEndpointUpdate().getId()));
            case HOST_ENDPOINT_REMOVE ->
                remove(Kind.HOST_ENDPOINT, update.getHostEndpointRemove().getId());
            case HOST_METADATA_UPDATE ->
                put(
                        Kind.HOST,
                        update.getHostMetadataUpdate().getHost(),
                        update,
                        removal -> removal.getHostMetadataRemoveBuilder()
                                .setHost(update.getHostMetadataUpdate().getHost()));
            case HOST_METADATA_REMOVE ->
                remove(Kind.HOST, update.getHostMetadataRemove().getHost());
            case IP_POOL_UPDATE ->
                put(
                        Kind.IP_POOL,
                        update.getIpPoolUpdate().getCidr(),
                        update,
                        removal -> removal.getIpPoolRemoveBuilder()
                                .setCidr(update.getIpPoolUpdate().getCidr()));
            case IP_POOL_REMOVE -> remove(Kind.IP_POOL, update.getIpPoolRemove().getCidr());
            case NAMESPACE_UPDATE ->
                put(
                        Kind.NAMESPACE,
                        update.getNamespaceUpdate().getName(),
                        update,
                        removal -> removal.getNamespaceRemoveBuilder()
                                .setName(update.getNamespaceUpdate().getName()));
            case NAMESPACE_REMOVE ->
                remove(Kind.NAMESPACE, update.getNamespaceRemove().getName());
            case SERVICE_ACCOUNT_UPDATE ->
                put(
                        Kind.SERVICE_ACCOUNT,
                        List.of(
                                update.getServiceAccountUpdate().getNamespace(),
                                update.getServiceAccountUpdate().getName()),
                        update,
                        removal -> removal.getServiceAccountRemoveBuilder()
                                .setNamespace(update.getServiceAccountUpdate().getNamespace())
                                .setName(update.getServiceAccountUpdate().getName()));
            case SERVICE_ACCOUNT_REMOVE ->
                remove(
                        Kind.SERVICE_ACCOUNT,
                        List.of(
                                update.getServiceAccountRemove().getNamespace(),
                                update.getServiceAccountRemove().getName()));
            case KIND_NOT_SET -> {
                // of a newer server
            }
        }
    }

    private void put(Kind kind, Object name, Update update, Consumer<Update.Builder> removal) {
        Update.Builder message = Update.newBuilder();
        removal.accept(message);
        Key key = new Key(kind, name);
        Objects.requireNonNull(objects.get(kind)).put(key, new Entry(update, message.build()));
    }

    private void remove(Kind kind, Object name) {
        Objects.requireNonNull(objects.get(kind)).remove(new Key(kind, name));
    }

    /** Returns the messages that lead from other contents to these, in the order in which they can be applied. */
    List<Update> since(HostContents before) {
        List<Update> updates = new ArrayList<>();
        List<Update> removals = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            List<Update> removed = new ArrayList<>();
            if (kind == Kind.IP_SET) {
                sets.forEach((id, set) -> setDifference(id, before.sets.get(id), set, updates));
                before.sets.keySet().stream()
                        .filter(id -> !sets.containsKey(id))
                        .forEach(id -> {
                            Update.Builder removal = Update.newBuilder();
                            removal.getIpSetRemoveBuilder().setId(id);
                            removed.add(removal.build());
                        });
            } else {
                Map<Key, Entry> now = Objects.requireNonNull(objects.get(kind));
                Map<Key, Entry> then = Objects.requireNonNull(before.objects.get(kind));
                now.forEach((key, entry) -> {
                    if (!entry.equals(then.get(key))) {
                        updates.add(entry.update());
                    }
                });
                then.forEach((key, entry) -> {
                    if (!now.containsKey(key)) {
                        removed.add(entry.removal());
                    }
                });
            }
            removals.addAll(0, removed);
        }
        updates.addAll(removals);
        if (inSync && !before.inSync) {
            updates.add(
                    Update.newBuilder().setInSync(InSync.getDefaultInstance()).build());
        }
        return updates;
    }

    private static void setDifference(String id, @Nullable IpSet before, IpSet now, List<Update> updates) {
        Update.Builder update = Update.newBuilder();
        if (before == null || before.type() != now.type()) {
            update.getIpSetUpdateBuilder()
                    .setId(id)
                    .setType(now.type())
                    .addAllMembers(now.members().stream().sorted().toList());
            updates.add(update.build());
            return;
        }
        List<String> added = without(now.members(), before.members());
        List<String> removed = without(before.members(), now.members());
        if (!added.isEmpty() || !removed.isEmpty()) {
            update.getIpSetDeltaUpdateBuilder()
                    .setId(id)
                    .addAllAddedMembers(added)
                    .addAllRemovedMembers(removed);
            updates.add(update.build());
        }
    }

    private static List<String> without(Set<String> members, Set<String> others) {
        return members.stream()
                .filter(member -> !others.contains(member))
                .sorted()
                .toList();
    }
}
