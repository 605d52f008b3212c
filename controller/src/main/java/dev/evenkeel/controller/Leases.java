package dev.evenkeel.controller;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.internal.DnsNames;
import dev.evenkeel.controller.internal.lease.Election;
import dev.evenkeel.controller.internal.lease.Scope;
import dev.evenkeel.controller.internal.lease.ShardScope;
import dev.evenkeel.controller.internal.lease.ShardSettings;
import dev.evenkeel.controller.internal.lease.Shards;
import dev.evenkeel.controller.schedule.Scheduler;
import java.util.Map;

/**
 * How the processes that run the same controllers share them.
 *
 * @param namespace where the Lease objects are
 * @param identity who this process is: unlike all others
 * @param timing how long leases last
 */
public record Leases(String namespace, String identity, LeaseTiming timing) {
    /** Refuses what is not named. */
    public Leases {
        if (namespace.isEmpty()) {
            throw new IllegalArgumentException("namespace: leases need one, such as that of the pod");
        }
        if (identity.isEmpty()) {
            throw new IllegalArgumentException("identity: every process needs its own, such as the name of the pod");
        }
    }

    /** Leases in a namespace, with the usual times. */
    public static Leases in(String namespace, String identity) {
        return new Leases(namespace, identity, LeaseTiming.DEFAULT);
    }

    /** The same with these times; all processes need the same. */
    public Leases withTiming(LeaseTiming value) {
        return new Leases(namespace, identity, value);
    }

    public Election election(Scheduler scheduler, Client client, String name, Scope scope) {
        return new Election(scheduler, client, ObjectKey.of(namespace, name), identity, timing, Map.of(), scope);
    }

    public Shards shards(Scheduler scheduler, Client client, String name, int slots, ShardScope scope) {
        return new Shards(scheduler, client, settings(name, slots), scope);
    }

    private ShardSettings settings(String name, int slots) {
        // a group is a label's value and part of names: the dots of a controller's name do not fit
        String group = name.replace('.', '-');
        return ShardSettings.of(namespace, group, identity).withSlots(slots).withTiming(timing);
    }

    /** Refuses a controller whose leases could not be named: it would stand by for ever, and nobody would notice. */
    void check(Controller<?> controller) {
        switch (controller.placement()) {
            case Placement.Sharded(int slots) -> {
                ShardSettings unused = settings(controller.name(), slots);
            }
            case Placement.Leader unused -> {
                String name = controller.name();
                if (!DnsNames.isSubdomain(name)) {
                    throw new IllegalArgumentException("name: \"" + name
                            + "\" is that of the controller's Lease too, and must be a lowercase RFC 1123 subdomain of at"
                            + " most " + DnsNames.MAX_SUBDOMAIN
                            + " characters: name the controller otherwise with named(...)");
                }
            }
            case Placement.EveryServer unused -> {}
        }
    }
}
