package dev.evenkeel.grpc.internal.call;

import dev.evenkeel.access.internal.Authentication;
import dev.evenkeel.access.internal.Impersonation;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Partition;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.access.PolicyRule;
import dev.evenkeel.engine.spi.Authorizer;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds the senders of calls and the partitions that they may enter.
 *
 * <p>A call authenticates in the partition that its request names, since the tokens of a partition are valid there only. A
 * partition that does not exist looks to a user like one without any permissions; only administrators learn that it is
 * absent.
 */
public final class Access {
    private static final Permissions NONE = new Permissions() {
        @Override
        public Authorizer.Decision authorize(Authorizer.Attributes attributes) {
            return attributes.user().master() ? Authorizer.Decision.allow("") : Authorizer.Decision.NO_OPINION;
        }

        @Override
        public Rules rules(User user, String namespace) {
            return new Rules(List.of(), List.of());
        }

        @Override
        public Optional<List<PolicyRule>> rules(RoleRef role) {
            return Optional.empty();
        }
    };

    private final Engine engine;
    private final Optional<Authentication> authentication;
    private final Impersonation impersonation = new Impersonation();

    /** @param authentication empty when every client is an administrator */
    public Access(Engine engine, Optional<Authentication> authentication) {
        this.engine = engine;
        this.authentication = authentication;
    }

    /**
     * Returns the session of the present call in a partition.
     *
     * @param name of the partition; one that is not a name stands for the default partition
     * @throws dev.evenkeel.client.UnauthorizedException when there are no credentials, or wrong ones
     */
    public Session enter(String name) {
        return enter(name, CallInfo.current());
    }

    /** Returns the session of a call in a partition; the one of resources for all partitions always exists. */
    public Session enter(String name, CallInfo call) {
        if (name.equals(Engine.SYSTEM_PARTITION)) {
            var unused = engine.partition(name);
        }
        String valid = Engine.isPartitionName(name) ? name : Engine.DEFAULT_PARTITION;
        Optional<ResourceApi> partition = engine.findPartition(valid).map(ResourceApi::of);
        User sender = authentication
                .map(known -> known.authenticate(call.credentials(), valid, () -> partition))
                .orElse(User.ADMIN);
        return new Session(this, call, valid, partition, sender);
    }

    /**
     * Returns what tells senders apart before a request is read: the user of a certificate or a static token, else the address
     * of the client, as the partition that checks other tokens stands in the request. Made-up tokens do not make other senders.
     */
    Supplier<String> sender(CallInfo call) {
        return () -> authentication
                .flatMap(known -> known.known(call.credentials()))
                .map(User::name)
                .orElse(call.address());
    }

    /** Returns a partition that exists. */
    public Optional<Partition> partition(String name) {
        return engine.findPartition(name);
    }

    /** Returns the names of the partitions that exist, sorted. */
    public List<String> partitions() {
        return engine.partitions();
    }

    Engine engine() {
        return engine;
    }

    Optional<Authentication> authentication() {
        return authentication;
    }

    Impersonation impersonation() {
        return impersonation;
    }

    Permissions permissionsInAbsentPartition() {
        Permissions permissions =
                ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION)).permissions();
        return permissions.equals(Permissions.ALL) ? permissions : NONE;
    }
}
