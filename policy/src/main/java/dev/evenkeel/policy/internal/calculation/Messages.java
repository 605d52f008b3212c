package dev.evenkeel.policy.internal.calculation;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.graph.GroupMessages;
import dev.evenkeel.policy.internal.convert.NetworksConversion;
import dev.evenkeel.policy.internal.convert.ProfileConversion;
import dev.evenkeel.policy.internal.model.Action;
import dev.evenkeel.policy.internal.model.Cidr;
import dev.evenkeel.policy.internal.model.Direction;
import dev.evenkeel.policy.internal.model.Networks;
import dev.evenkeel.policy.internal.model.Policy;
import dev.evenkeel.policy.internal.model.SetMember;
import dev.evenkeel.policy.v1.HostEndpoint;
import dev.evenkeel.policy.v1.InSync;
import dev.evenkeel.policy.v1.IpSetType;
import dev.evenkeel.policy.v1.PolicyId;
import dev.evenkeel.policy.v1.TierInfo;
import dev.evenkeel.policy.v1.Update;
import dev.evenkeel.policy.v1.WorkloadEndpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes the messages to hosts. */
final class Messages {
    static final Update IN_SYNC =
            Update.newBuilder().setInSync(InSync.getDefaultInstance()).build();

    private Messages() {}

    static PolicyId id(Policy.Key key) {
        return PolicyId.newBuilder()
                .setKind(key.kind())
                .setNamespace(key.namespace())
                .setName(key.name())
                .build();
    }

    static Update policyRemoval(Policy.Key key) {
        Update.Builder update = Update.newBuilder();
        update.getActivePolicyRemoveBuilder().setId(id(key));
        return update.build();
    }

    static Update profileRemoval(String name) {
        Update.Builder update = Update.newBuilder();
        update.getActiveProfileRemoveBuilder().setName(name);
        return update.build();
    }

    /** Groups policies, which are in the order of evaluation, by their tiers. */
    static List<TierInfo> tiers(List<Place> places) {
        List<TierInfo> tiers = new ArrayList<>();
        TierInfo.Builder tier = TierInfo.newBuilder();
        for (Place place : places) {
            if (!tier.getName().equals(place.tier().name())) {
                add(tier, tiers);
                tier = TierInfo.newBuilder()
                        .setName(place.tier().name())
                        .setDefaultAction(
                                place.tier().defaultAction() == Action.PASS
                                        ? dev.evenkeel.policy.v1.Action.ACTION_PASS
                                        : dev.evenkeel.policy.v1.Action.ACTION_DENY);
            }
            if (place.types().contains(Direction.INGRESS)) {
                tier.addIngressPolicies(id(place.key()));
            }
            if (place.types().contains(Direction.EGRESS)) {
                tier.addEgressPolicies(id(place.key()));
            }
        }
        add(tier, tiers);
        return List.copyOf(tiers);
    }

    private static void add(TierInfo.Builder tier, List<TierInfo> tiers) {
        if (tier.getIngressPoliciesCount() + tier.getEgressPoliciesCount() > 0) {
            tiers.add(tier.build());
        }
    }

    static Update endpoint(String name, Hosted endpoint) {
        Update.Builder update = Update.newBuilder();
        if (endpoint.workload()) {
            WorkloadEndpoint.Builder message = update.getWorkloadEndpointUpdateBuilder()
                    .setId(name)
                    .getEndpointBuilder()
                    .setInterfaceName(endpoint.interfaceName())
                    .addAllTiers(endpoint.tiers())
                    .addAllProfileNames(endpoint.profiles());
            for (Cidr address : endpoint.addresses()) {
                if (address.isIpv4()) {
                    message.addIpv4Nets(address.toString());
                } else {
                    message.addIpv6Nets(address.toString());
                }
            }
        } else {
            HostEndpoint.Builder message = update.getHostEndpointUpdateBuilder()
                    .setId(name)
                    .getEndpointBuilder()
                    .setInterfaceName(endpoint.interfaceName())
                    .addAllTiers(endpoint.tiers())
                    .addAllProfileNames(endpoint.profiles());
            for (Cidr address : endpoint.addresses()) {
                if (address.isIpv4()) {
                    message.addExpectedIpv4Nets(address.toString());
                } else {
                    message.addExpectedIpv6Nets(address.toString());
                }
            }
        }
        return update.build();
    }

    /** Returns the removal of an endpoint: pods have a namespace in their names, host endpoints do not. */
    static Update endpointRemoval(String name) {
        Update.Builder update = Update.newBuilder();
        if (name.indexOf('/') >= 0) {
            update.getWorkloadEndpointRemoveBuilder().setId(name);
        } else {
            update.getHostEndpointRemoveBuilder().setId(name);
        }
        return update.build();
    }

    static Update host(Networks node) {
        Update.Builder update = Update.newBuilder();
        update.getHostMetadataUpdateBuilder()
                .setHost(node.name())
                .addAllAddresses(node.nets().stream().map(Cidr::addressText).toList())
                .putAllLabels(NetworksConversion.nodeLabels(node));
        return update.build();
    }

    static Update hostRemoval(String name) {
        Update.Builder update = Update.newBuilder();
        update.getHostMetadataRemoveBuilder().setHost(name);
        return update.build();
    }

    static Update pool(Pool pool) {
        Update.Builder update = Update.newBuilder();
        update.getIpPoolUpdateBuilder().setCidr(pool.block().toString()).setHost(pool.host());
        return update.build();
    }

    static Update poolRemoval(Pool pool) {
        Update.Builder update = Update.newBuilder();
        update.getIpPoolRemoveBuilder().setCidr(pool.block().toString());
        return update.build();
    }

    /** Returns the message of a namespace, by the name of its profile. */
    static Update namespace(String profile, Map<String, String> labels) {
        Update.Builder update = Update.newBuilder();
        update.getNamespaceUpdateBuilder()
                .setName(ProfileConversion.namespaceOf(profile))
                .putAllLabels(labels);
        return update.build();
    }

    static Update namespaceRemoval(String profile) {
        Update.Builder update = Update.newBuilder();
        update.getNamespaceRemoveBuilder().setName(ProfileConversion.namespaceOf(profile));
        return update.build();
    }

    /** Returns the message of a service account, by the name of its profile. */
    static Update account(String profile, Map<String, String> labels) {
        ObjectKey key = ProfileConversion.serviceAccountOf(profile);
        Update.Builder update = Update.newBuilder();
        update.getServiceAccountUpdateBuilder()
                .setNamespace(key.namespace())
                .setName(key.name())
                .putAllLabels(labels);
        return update.build();
    }

    static Update accountRemoval(String profile) {
        ObjectKey key = ProfileConversion.serviceAccountOf(profile);
        Update.Builder update = Update.newBuilder();
        update.getServiceAccountRemoveBuilder().setNamespace(key.namespace()).setName(key.name());
        return update.build();
    }

    /** The messages of IP sets. */
    static final class OfIpSets implements GroupMessages<IpSet, IpSet, SetMember, Update> {
        @Override
        public Update full(IpSet set, IpSet same, Set<SetMember> members) {
            Update.Builder update = Update.newBuilder();
            update.getIpSetUpdateBuilder()
                    .setId(set.id())
                    .setType(set.hasPorts() ? IpSetType.IP_SET_TYPE_IP_AND_PORT : IpSetType.IP_SET_TYPE_NET)
                    .addAllMembers(sorted(members));
            return update.build();
        }

        @Override
        public Update delta(IpSet set, Set<SetMember> added, Set<SetMember> removed) {
            Update.Builder update = Update.newBuilder();
            update.getIpSetDeltaUpdateBuilder()
                    .setId(set.id())
                    .addAllAddedMembers(sorted(added))
                    .addAllRemovedMembers(sorted(removed));
            return update.build();
        }

        @Override
        public Update removal(IpSet set) {
            Update.Builder update = Update.newBuilder();
            update.getIpSetRemoveBuilder().setId(set.id());
            return update.build();
        }

        private static List<String> sorted(Set<SetMember> members) {
            return members.stream().map(SetMember::toString).sorted().toList();
        }
    }
}
