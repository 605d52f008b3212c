package dev.evenkeel.engine.internal.write;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.internal.admission.Decoder;
import dev.evenkeel.engine.internal.admission.ServiceIpAddresses;
import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.admission.Write.Wanted;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.NameGenerator;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.RefusalWarnings;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store;
import java.util.List;
import java.util.Optional;

/** Creates objects; with a generated name it tries up to {@link NameGenerator#ATTEMPTS} names. */
public record CreateVerb(WriteContext cluster, Pipeline pipeline) {
    public Reply create(Target target, Body body, WriteOptions options) {
        Decoder.Decoded decoded = cluster.decoder().decode(body, target, options.validation());
        try {
            return create(target, decoded, options);
        } catch (ApiException refusal) {
            throw RefusalWarnings.attach(refusal, decoded.warnings());
        }
    }

    /** Creates an object that is in the form of its schema. */
    public Reply create(Target target, JsonObject tree, List<String> warnings, WriteOptions options) {
        return create(target, new Decoder.Decoded(tree, warnings, List.of()), options);
    }

    private Reply create(Target target, Decoder.Decoded decoded, WriteOptions options) {
        JsonObject tree = decoded.tree();
        String prefix = tree.string("metadata", "generateName");
        String sent = tree.string("metadata", "name");
        String name = sent.isEmpty()
                ? cluster.strategies()
                        .of(target)
                        .nameFrom(prefix, cluster::uuid)
                        .orElse("")
                : sent;
        if (!name.isEmpty() || prefix.isEmpty()) {
            Target named = target.withName(target.namespace(), name);
            return attempt(named, decoded, tree, options)
                    .orElseThrow(() -> RefusalWarnings.attach(
                            Refusal.alreadyExists(target.type(), name, isDeleting(named)),
                            cluster.strategies().of(target).warnings(tree, null)));
        }
        String generated = "";
        for (int attempt = 0; attempt < NameGenerator.ATTEMPTS; attempt++) {
            generated = NameGenerator.name(prefix, cluster.random());
            Target named = target.withName(target.namespace(), generated);
            Optional<Reply> reply = attempt(named, decoded, tree.copy(), options);
            if (reply.isPresent()) {
                return reply.get();
            }
        }
        throw Refusal.noUniqueName(target.type(), generated);
    }

    /** Tries one name; returns empty when it is taken. */
    private Optional<Reply> attempt(Target named, Decoder.Decoded decoded, JsonObject tree, WriteOptions options) {
        boolean repeatable = cluster.store().shared() || changesOthers(named);
        while (true) {
            // an attempt changes the tree; a second one may follow only where a commit has several changes
            JsonObject wanted = repeatable ? tree.copy() : tree;
            Write.Change change = live -> Wanted.of(wanted, decoded.warnings()).with(decoded.empties());
            Write write = new Write(Operation.CREATE, named, null, null, change, options, false);
            if (pipeline.run(write)) {
                return Optional.of(write.reply(201));
            }
            if (write.others().isEmpty() || cluster.read(named) != null) {
                return Optional.empty();
            }
            if (!repeatable) { // the first quota of the namespace was created meanwhile
                throw Refusal.modified(named.type(), named.name());
            }
        }
    }

    /** Returns whether the commit of a new object may also change quotas, or the address of a service. */
    private boolean changesOthers(Target target) {
        if (target.type().id().equals(ServiceIpAddresses.SERVICES)) {
            return true;
        }
        boolean[] any = {false};
        cluster.store().snapshot().range(cluster.collection("resourcequotas"), target.namespace(), null, entry -> {
            any[0] = true;
            return false;
        });
        return any[0];
    }

    private boolean isDeleting(Target target) {
        Store.Entry entry = cluster.read(target);
        return entry != null && entry.value().deleting();
    }
}
