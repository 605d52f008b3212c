package dev.evenkeel.controller.internal;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.internal.DnsNames;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Leases;
import dev.evenkeel.controller.Placement;
import dev.evenkeel.controller.internal.lease.Election;
import dev.evenkeel.controller.internal.lease.LeaseNames;
import dev.evenkeel.controller.internal.lease.ShardSettings;
import dev.evenkeel.controller.internal.lease.Shards;
import java.util.Map;

/** The leases of a controller, as {@link Leases} configures them. */
public final class ControllerLeases {
    private ControllerLeases() {}

    static Election election(ManagerServices parts, String name, Election.Scope scope) {
        Leases leases = parts.leases().orElseThrow();
        ObjectKey lease = ObjectKey.of(leases.namespace(), LeaseNames.of(name));
        return new Election(
                parts.scheduler(), parts.rawClient(), lease, leases.identity(), leases.timing(), Map.of(), scope);
    }

    /** Returns this process's membership in the group that shares the controller's slots. */
    static Shards shards(ManagerServices parts, String name, int slots, Shards.Scope scope) {
        Leases leases = parts.leases().orElseThrow();
        return new Shards(parts.scheduler(), parts.rawClient(), settings(leases, name, slots), scope);
    }

    private static ShardSettings settings(Leases leases, String name, int slots) {
        return new ShardSettings(leases.namespace(), name, leases.identity(), slots, leases.timing());
    }

    /** Refuses a controller whose name cannot name its leases, since it would wait for them indefinitely. */
    public static void check(Leases leases, Controller<?> controller) {
        switch (controller.placement()) {
            case Placement.Sharded(int slots) -> {
                ShardSettings unused = settings(leases, controller.name(), slots);
            }
            case Placement.Leader unused -> {
                String name = controller.name();
                if (!DnsNames.isSubdomain(LeaseNames.of(name))) {
                    throw new IllegalArgumentException("name: \"" + name
                            + "\" also names the controller's Lease, so it must be a lowercase RFC 1123 subdomain of at"
                            + " most " + DnsNames.MAX_SUBDOMAIN
                            + " characters: name the controller otherwise with named(...)");
                }
            }
            case Placement.EveryServer unused -> {}
        }
    }
}
