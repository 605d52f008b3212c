package dev.evenkeel.engine.internal.write;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.access.ContentWrite;
import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.admission.ContentAccess;
import dev.evenkeel.engine.internal.admission.DefinitionCheck;
import dev.evenkeel.engine.internal.admission.Fences;
import dev.evenkeel.engine.internal.admission.HookSteps;
import dev.evenkeel.engine.internal.admission.Namespaces;
import dev.evenkeel.engine.internal.admission.PolicyAdmission;
import dev.evenkeel.engine.internal.admission.RegisteredTypes;
import dev.evenkeel.engine.internal.admission.ServiceIpAddresses;
import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.admission.WriteStep;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Metadata;
import dev.evenkeel.engine.internal.object.Ownership;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.RefusalWarnings;
import dev.evenkeel.engine.internal.plugin.Plugins;
import dev.evenkeel.engine.internal.plugin.ResourceQuotas;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Authorizer;
import java.util.List;
import java.util.Optional;

/**
 * The steps that every write runs, in their order.
 *
 * <p><b>The problem.</b> Create, update, patch, apply, delete and restore differ in how the wanted object is computed,
 * and share everything else: identity, namespaces, defaults, ownership, hooks, validation, the conditional commit. If
 * each verb repeated these rules, some would be forgotten in one of them. A verb therefore only supplies a {@link
 * Write.Change}, from the present object to the wanted one, and the rest is one list. A new rule is one {@link
 * WriteStep} and one line in {@link #steps}; the step sees the object before and after the write, and the operation.
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>Every write runs all steps in the order of the list; a step returns at once for operations that do not concern
 *       it.
 *   <li>Nothing is written before the last step, {@code commit}. A refusal of any step leaves the store unchanged.
 *   <li>The commit is conditional on the present object that the wanted one was computed from. If another write was
 *       faster, the verb starts again with a new {@link Write}; so a step runs once for each attempt, and must not have
 *       effects outside its write that an attempt without commit would leave behind.
 *   <li>Steps after {@code prepare} see the object as it will be stored, and only refuse it. Only earlier steps change
 *       it.
 *   <li>The object is valid by its schema when a validating hook or webhook sees it. Mutating hooks and webhooks see it
 *       defaulted, and their result is pruned and defaulted again.
 *   <li>A dry run runs all steps, and differs in the commit only.
 * </ol>
 *
 * <p><b>Cost.</b> One {@link Write} for each attempt and a call for each step. Steps without work for a type (hooks,
 * webhooks) copy nothing.
 *
 * <p><b>Alternatives.</b> With interceptors around each other, such as servlet filters, a step could skip or repeat the
 * rest, and the order of changes would be spread over many places. Separate lists for each verb would drift apart; the
 * operations that a step ignores are stated in the step.
 */
public record Pipeline(List<WriteStep> steps) {
    /**
     * Returns the steps of the writes in a partition, in their order.
     *
     * @param types the registered types, which have the hooks
     * @param policies the policies and webhooks of the partition
     * @param permissions of the users of the partition
     * @param plugins the plugins about single kinds
     * @param limited whether quotas are enforced
     * @param addresses whether addresses of services are objects, as in a server with access control
     */
    public static List<WriteStep> steps(
            WriteContext cluster,
            Ownership ownership,
            RegisteredTypes types,
            PolicyAdmission policies,
            Permissions permissions,
            Plugins plugins,
            boolean limited,
            boolean addresses) {
        HookSteps registered = new HookSteps(types, cluster, ownership);
        MutatingAdmission mutating = new MutatingAdmission(plugins, registered, policies);
        ValidatingAdmission validating = new ValidatingAdmission(
                plugins,
                registered,
                policies,
                limited ? Optional.of(new ResourceQuotas(cluster, ownership)) : Optional.empty());
        ServiceIpAddresses ips = new ServiceIpAddresses(cluster, ownership);
        ObjectSteps object = new ObjectSteps(cluster, ownership);
        ContentAccess access = new ContentAccess(cluster, permissions);
        return List.of(
                WriteStep.of("partition", write -> checkPartition(cluster, write)),
                WriteStep.of("authorize old content", access::checkOld),
                WriteStep.of("decode", Write::decode),
                WriteStep.of("fence", write -> Fences.check(cluster, write)),
                WriteStep.of("identity", Identity::check),
                WriteStep.of("namespace", write -> Namespaces.check(cluster, write)),
                WriteStep.of("reset", object::reset),
                WriteStep.of("default", object::applyDefaults),
                WriteStep.of("own", object::own),
                WriteStep.of("name", Identity::setName),
                mutating,
                WriteStep.of("authorize", write -> authorize(cluster, permissions, write)),
                WriteStep.of("authorize new content", access::checkNew),
                WriteStep.of("prepare", object::prepare),
                WriteStep.of("protect", Namespaces::protect),
                WriteStep.of("definition", write -> checkDefinition(cluster, write)),
                WriteStep.of("validate", object::validate),
                validating,
                WriteStep.of("addresses", addresses ? ips::follow : write -> {}),
                new CommitStep(cluster));
    }

    /** Runs an attempt; returns false when another write was faster. */
    boolean run(Write write) {
        try {
            for (WriteStep step : steps) {
                step.run(write);
            }
        } catch (ApiException refusal) {
            throw RefusalWarnings.attach(refusal, write.warnings());
        } finally {
            write.end();
        }
        return write.done();
    }

    /** Checks that the sender may create an object that it wanted to update, and write this content over the old one. */
    private static void authorize(WriteContext cluster, Permissions permissions, Write write) {
        User user = write.options().requester().user();
        if (user.master() || !write.is(Operation.CREATE, Operation.UPDATE)) {
            return;
        }
        Target target = write.target();
        String name = write.named() ? target.name() : "";
        ContentWrite content = new ContentWrite(
                target.withName(target.namespace(), name), write.tree(), write.old(), user, permissions);
        if (write.operation() == Operation.CREATE && write.named()) {
            Authorizer.Decision decision = permissions.authorize(content.attributes("create"));
            if (!decision.allowed()) {
                throw Refusal.forbidden(target.type(), name, decision.reason(), List.of());
            }
        }
        cluster.strategies().of(target).authorize(content);
    }

    /** Checks that the objects of the type are kept in this partition: the rights to write them are those of that one. */
    private static void checkPartition(WriteContext cluster, Write write) {
        cluster.strategies()
                .of(write.target())
                .partition()
                .filter(kept -> !kept.equals(cluster.partition()))
                .ifPresent(kept -> {
                    throw Refusal.forbidden(
                            write.target().type(),
                            write.target().name(),
                            "it is one for all partitions: write it in the partition \"" + kept + "\"",
                            List.of());
                });
    }

    private static void checkDefinition(WriteContext cluster, Write write) {
        if (write.operation() == Operation.CREATE) {
            var unused = DefinitionCheck.requireOpen(cluster, write.target());
        }
    }

    /** The steps that call the strategy of the kind. */
    private record ObjectSteps(WriteContext cluster, Ownership ownership) {
        private ResourceStrategy strategy(Write write) {
            return cluster.strategies().of(write.target());
        }

        void reset(Write write) {
            if (write.operation() == Operation.UPDATE && write.old() != null) {
                strategy(write).reset(write.tree(), write.old(), write.target().subresource());
            }
        }

        void applyDefaults(Write write) {
            if (write.operation() != Operation.DELETE) {
                strategy(write).applyDefaults(write.tree());
            }
        }

        void own(Write write) {
            if (write.operation() == Operation.DELETE) {
                return;
            }
            JsonObject old = write.operation() == Operation.UPDATE ? write.old() : null;
            if (!write.owned()) {
                ownership.written(
                        write.tree(), old, write.target(), write.options().fieldManager(), cluster.now());
            }
            if (old != null) {
                Metadata.keep(write.metadata(), old.withObject("metadata"), "deletionTimestamp");
            }
        }

        void validate(Write write) {
            if (write.operation() == Operation.DELETE) {
                return;
            }
            List<FieldError> errors = strategy(write)
                    .validate(asSent(write), write.old(), write.target().subresource(), cluster.context(write));
            if (!errors.isEmpty()) {
                throw Refusal.invalid(
                        strategy(write).errorGroup(write.target().type()),
                        write.tree().string("kind"),
                        write.tree().string("metadata", "name"),
                        errors);
            }
            ResourceStrategy strategy = strategy(write);
            write.warnings()
                    .addAll(
                            write.target().subresource().equals("status")
                                    ? strategy.statusWarnings(write.tree())
                                    : strategy.warnings(write.tree(), write.old()));
        }

        /** Returns the object with the lists and maps that were sent empty, which the messages of errors show. */
        private static JsonObject asSent(Write write) {
            if (write.empties().isEmpty()) {
                return write.tree();
            }
            JsonObject sent = write.tree().copy();
            write.empties().forEach(empty -> empty.restore(sent));
            return sent;
        }

        /** Sets the metadata that only the server sets, and lets the kind complete the object that will be stored. */
        void prepare(Write write) {
            Target target = write.target();
            ResourceType type = target.type();
            ResourceStrategy strategy = strategy(write);
            JsonObject metadata = write.metadata();
            JsonObject old = write.old();
            if (write.operation() != Operation.DELETE) {
                strategy.settle(write.tree());
            }
            if (write.operation() == Operation.CREATE) {
                metadata.put("uid", cluster.uuid());
                metadata.put("creationTimestamp", cluster.now());
                if (type.rules().generation()) {
                    metadata.put("generation", 1L);
                }
                strategy.dropDisabled(write.tree());
                strategy.prepareForCreate(write.tree(), cluster.context(write));
            } else if (write.operation() == Operation.UPDATE && old != null) {
                strategy.dropDisabled(write.tree());
                strategy.prepareForUpdate(write.tree(), old, target.subresource(), cluster.context(write));
                if (type.rules().generation()
                        && strategy.countsGeneration(target.subresource())
                        && (!counted(strategy.countsEmpty() ? asSent(write) : write.tree(), target)
                                        .equals(counted(old, target))
                                || (strategy.countsAnnotations()
                                        && target.subresource().isEmpty()
                                        && annotationsDiffer(write.tree(), old)))) {
                    metadata.put("generation", old.withObject("metadata").integer("generation") + 1);
                }
            }
        }

        private static boolean annotationsDiffer(JsonObject tree, JsonObject old) {
            return !tree.object("metadata", "annotations").equals(old.object("metadata", "annotations"));
        }

        /**
         * Returns the part of an object that generations count: all but metadata and, where it is a subresource, status.
         */
        private static JsonObject counted(JsonObject tree, Target target) {
            JsonObject counted = new JsonObject(tree);
            counted.remove("metadata");
            if (target.version().status() || target.type().origin() == ResourceType.Origin.BUILT_IN) {
                counted.remove("status");
            }
            return counted;
        }
    }
}
