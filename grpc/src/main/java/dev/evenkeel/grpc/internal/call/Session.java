package dev.evenkeel.grpc.internal.call;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.type.Requester;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.type.Tokens;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import java.util.Optional;

/**
 * An authenticated call in one partition.
 *
 * @param partitionName name of the partition
 * @param partition the partition, if it exists
 * @param sender the authenticated user, before impersonation
 */
public record Session(
        Access access, CallInfo call, String partitionName, Optional<ResourceApi> partition, User sender) {
    private static final String NAMESPACES = "namespaces";

    /** Returns the partition, or the default one for the types that a partition begins with. */
    public ResourceApi types() {
        return partition.orElseGet(() -> ResourceApi.of(access.engine().partition(Engine.DEFAULT_PARTITION)));
    }

    private Permissions permissions() {
        return partition.map(ResourceApi::permissions).orElseGet(access::permissionsInAbsentPartition);
    }

    /**
     * Returns the user that the call acts as, after a check that it may use one of these verbs on the target.
     *
     * @throws dev.evenkeel.client.ForbiddenException when it may not; names the first verb
     */
    public User authorize(Target target, String verb, String... others) {
        User user = access.impersonation().act(call.headers(), attributes(sender, target, verb), permissions());
        for (String other : others) {
            if (allows(user, target, other)) {
                return user;
            }
        }
        require(user, target, verb);
        return user;
    }

    /** Returns true if a user may use a verb on the target. */
    public boolean allows(User user, Target target, String verb) {
        return permissions().authorize(attributes(user, target, verb)).allowed();
    }

    /**
     * Checks that a user may use a verb on the target.
     *
     * @throws dev.evenkeel.client.ForbiddenException when it may not
     */
    public void require(User user, Target target, String verb) {
        permissions().require(attributes(user, target, verb));
    }

    /** Returns the sender for the verbs of the partition. */
    public Requester requester(User user, ResourceApi api) {
        return new Requester(
                user, access.authentication().map(known -> known.tokens(api)).orElse(Tokens.NONE));
    }

    private static Attributes attributes(User user, Target target, String verb) {
        boolean namespace = target.type().id().equals(NAMESPACES);
        return Attributes.ofResource(
                user,
                verb,
                target.type().group(),
                target.version().name(),
                target.type().plural(),
                target.subresource(),
                namespace ? target.name() : target.namespace(),
                target.name());
    }
}
