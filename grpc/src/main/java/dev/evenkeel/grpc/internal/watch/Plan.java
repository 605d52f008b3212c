package dev.evenkeel.grpc.internal.watch;

import com.google.rpc.Code;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.UnauthorizedException;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.grpc.internal.call.Access;
import dev.evenkeel.grpc.internal.call.CallInfo;
import dev.evenkeel.grpc.internal.call.Errors;
import dev.evenkeel.grpc.internal.call.Session;
import dev.evenkeel.grpc.internal.call.Violations;
import dev.evenkeel.grpc.internal.resource.Identifiers;
import dev.evenkeel.grpc.internal.resource.ListScope;
import dev.evenkeel.grpc.internal.resource.ServedType;
import dev.evenkeel.grpc.internal.resource.TypeTable;
import dev.evenkeel.grpc.resource.v1.Tenancy;
import dev.evenkeel.grpc.resource.v1.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The selection of a list or a watch, checked and permitted: a list or a watch of all namespaces or partitions needs the
 * permission for all of them, as in the Kubernetes API, so that nothing is left out silently.
 *
 * @param verb {@code list} or {@code watch}
 * @param type as requested
 * @param query a short text that differs for different selections
 */
record Plan(Access access, CallInfo call, String verb, Type type, ListScope scope, LabelSelector labels, String query) {

    /** The request of a plan. */
    record Selection(boolean typed, Type type, Tenancy tenancy, String prefix, String labels) {}

    /** A plan and the parts of it that exist. */
    record Checked(Plan plan, List<Part> parts) {}

    /**
     * Checks a request.
     *
     * @throws dev.evenkeel.grpc.internal.call.CallException when it is malformed
     * @throws dev.evenkeel.client.ForbiddenException when the sender may not make it
     */
    static Checked of(Access access, String verb, Selection request, Violations violations) {
        CallInfo call = CallInfo.current();
        String name = Identifiers.partition(request.tenancy());
        boolean all = name.equals(ListScope.ALL);
        Session first = access.enter(all ? "" : name, call);
        TypeTable types = all ? anyWith(access, request.type(), first) : TypeTable.of(first.types());
        Optional<ServedType> type = Identifiers.LISTS.type(request.typed(), request.type(), types, violations);
        ListScope scope = Identifiers.LISTS.check(type, request.tenancy(), request.prefix(), violations);
        LabelSelector labels = LabelSelector.everything();
        try {
            labels = LabelSelector.parse(request.labels());
        } catch (RuntimeException e) {
            violations.invalid("label_selector", String.valueOf(e.getMessage()));
        }
        String query = Integer.toHexString(
                (request.type().toString() + request.tenancy() + request.prefix() + '\0' + request.labels())
                        .hashCode());
        Plan plan = new Plan(access, call, verb, request.type(), required(scope, violations), labels, query);
        return new Checked(plan, plan.parts());
    }

    private static ListScope required(@Nullable ListScope scope, Violations violations) {
        return violations.require(scope);
    }

    /** Returns the types of a partition that has a type, or else of the default partition. */
    private static TypeTable anyWith(Access access, Type type, Session first) {
        for (String name : access.partitions()) {
            Optional<TypeTable> types =
                    access.partition(name).map(ResourceApi::of).map(TypeTable::of);
            if (types.isPresent() && types.get().find(type).isPresent()) {
                return types.get();
            }
        }
        return TypeTable.of(first.types());
    }

    /** Returns the parts that exist now, in the order of their partitions. */
    List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        for (String name : scope.allPartitions() ? access.partitions() : List.of(scope.partition())) {
            part(name).ifPresent(parts::add);
        }
        return parts;
    }

    /**
     * Returns the part of a partition; empty when the partition or its type does not exist.
     *
     * @throws dev.evenkeel.client.ForbiddenException when the sender must not read it
     */
    Optional<Part> part(String name) {
        Session session = enter(name);
        TypeTable types = TypeTable.of(session.types());
        Optional<ServedType> found = types.find(type);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        var target = found.get().target(scope.namespace(), "");
        var user = session.authorize(target, verb);
        Optional<ResourceApi> partition = session.partition();
        return partition.map(api -> new Part(this, session, user, types, found.get(), target, api));
    }

    private Session enter(String name) {
        try {
            return access.enter(name, call);
        } catch (UnauthorizedException e) {
            if (!scope.allPartitions()) {
                throw e;
            }
            throw Errors.of(
                    Code.PERMISSION_DENIED,
                    "Forbidden",
                    "a " + verb + " of all partitions needs a user of all partitions; the sender is unknown in one");
        }
    }

    /** Refuses a token that was issued for another selection. */
    void requireSame(String field, String tokenQuery) {
        if (!tokenQuery.equals(query)) {
            throw Errors.invalid(field, field + " invalid: it was issued for another request");
        }
    }
}
