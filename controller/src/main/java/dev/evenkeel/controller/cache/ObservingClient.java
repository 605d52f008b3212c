package dev.evenkeel.controller.cache;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Deletion;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.ForwardingClient;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A client whose writes are visible in the informers of the same process when they are answered: read your own writes.
 * See {@link Replica} for the rules.
 *
 * <p>Writes of a followed kind are sent as JSON text and their answers are kept as such, so that the cache has what the
 * server sent, not what fits a class. Dry runs have no effect on the cache. Neither has a failed write: the watch
 * delivers its effect, if any.
 *
 * <p>Cost: a write is decoded once, as always; a change of scale, and a delete of an object that the cache does not
 * have, need another read.
 */
final class ObservingClient extends ForwardingClient {
    private final Client client;
    private final Supplier<List<Informer<?>>> informers;

    ObservingClient(Client client, Supplier<List<Informer<?>>> informers) {
        super(client);
        this.client = client;
        this.informers = informers;
    }

    private List<Informer<?>> concerned(Kind<?> kind) {
        List<Informer<?>> concerned = new ArrayList<>(1);
        for (Informer<?> informer : informers.get()) {
            if (informer.kind().plural().equals(kind.plural())
                    && informer.kind().group().equals(kind.group())) {
                concerned.add(informer);
            }
        }
        return concerned;
    }

    private interface Observation {
        void by(Informer<?> informer) throws InterruptedException;
    }

    private static void tell(List<Informer<?>> concerned, ObjectKey key, Observation observation) {
        for (Informer<?> informer : concerned) {
            if (!informer.concerns(key)) {
                continue;
            }
            try {
                observation.by(informer);
            } catch (InterruptedException e) {
                // the write is done, and the caller needs its answer
                Thread.currentThread().interrupt();
            }
        }
    }

    private interface Write {
        <O extends HasMetadata> O send(Kind<O> kind, O object, WriteOptions options);
    }

    private interface Patching {
        <O extends HasMetadata> O send(Kind<O> kind, ObjectKey key, Patch patch, WriteOptions options);
    }

    private static void written(Kind<?> kind, List<Informer<?>> concerned, Encoded answer) {
        ObjectKey key = answer.header().key();
        tell(concerned, key, informer -> {
            if (informer.kind().version().equals(kind.version())) {
                informer.written(answer);
            } else {
                // another version of the kind: the same object in another representation
                informer.readAgain(key);
            }
        });
    }

    private <T extends HasMetadata> T write(Kind<T> kind, T object, WriteOptions options, Write write) {
        return observed(
                kind,
                options,
                as -> write.send(as, Encoded.of(ModelCodec.encode(object)), options),
                as -> write.send(as, object, options));
    }

    private <T extends HasMetadata> T patched(
            Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options, Patching patching) {
        return observed(
                kind,
                options,
                as -> patching.send(as, key, patch, options),
                as -> patching.send(as, key, patch, options));
    }

    private <T extends HasMetadata> T observed(
            Kind<T> kind, WriteOptions options, Function<Kind<Encoded>, Encoded> encoded, Function<Kind<T>, T> plain) {
        List<Informer<?>> concerned = options.dryRun() ? List.of() : concerned(kind);
        if (concerned.isEmpty()) {
            return plain.apply(kind);
        }
        Encoded answer = encoded.apply(kind.encoded());
        written(kind, concerned, answer);
        return answer.decode(kind.javaType());
    }

    @Override
    public <T extends HasMetadata> T create(Kind<T> kind, T object, WriteOptions options) {
        return write(kind, object, options, client::create);
    }

    @Override
    public <T extends HasMetadata> T update(Kind<T> kind, T object, WriteOptions options) {
        return write(kind, object, options, client::update);
    }

    @Override
    public <T extends HasMetadata> T updateStatus(Kind<T> kind, T object, WriteOptions options) {
        return write(kind, object, options, client::updateStatus);
    }

    @Override
    public <T extends HasMetadata> T apply(Kind<T> kind, T object, WriteOptions options) {
        return write(kind, object, options, client::apply);
    }

    @Override
    public <T extends HasMetadata> T applyStatus(Kind<T> kind, T object, WriteOptions options) {
        return write(kind, object, options, client::applyStatus);
    }

    @Override
    public <T extends HasMetadata> T patch(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options) {
        return patched(kind, key, patch, options, client::patch);
    }

    @Override
    public <T extends HasMetadata> T patchStatus(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options) {
        return patched(kind, key, patch, options, client::patchStatus);
    }

    @Override
    public Replicas scale(Kind<?> kind, ObjectKey key, int replicas, WriteOptions options) {
        Replicas scaled = client.scale(kind, key, replicas, options);
        if (!options.dryRun()) {
            tell(concerned(kind), key, informer -> informer.readAgain(key));
        }
        return scaled;
    }

    @Override
    public <T extends HasMetadata> Deletion<T> delete(Kind<T> kind, ObjectKey key, DeleteOptions options) {
        List<Informer<?>> concerned = options.dryRun() ? List.of() : concerned(kind);
        if (concerned.isEmpty()) {
            return client.delete(kind, key, options);
        }
        List<String> uids = new ArrayList<>(concerned.size());
        concerned.forEach(informer -> uids.add(informer.uid(key)));
        Deletion<Encoded> deletion = client.delete(kind.encoded(), key, options);
        Optional<Encoded> remaining = deletion.remaining();
        if (remaining.isPresent()) {
            written(kind, concerned, remaining.get());
        } else {
            for (int i = 0; i < uids.size(); i++) {
                String before = uids.get(i);
                tell(concerned.subList(i, i + 1), key, informer -> informer.gone(key, before, deletion.uid()));
            }
        }
        return new Deletion<>(deletion.uid(), remaining.map(object -> object.decode(kind.javaType())));
    }

    @Override
    public <T extends HasMetadata> List<T> deleteAll(Kind<T> kind, ListOptions selection, DeleteOptions options) {
        List<Informer<?>> concerned = options.dryRun() ? List.of() : concerned(kind);
        if (concerned.isEmpty()) {
            return client.deleteAll(kind, selection, options);
        }
        List<Encoded> deleted = client.deleteAll(kind.encoded(), selection, options);
        List<T> decoded = new ArrayList<>(deleted.size());
        for (Encoded object : deleted) {
            ObjectKey key = object.header().key();
            boolean mayStay = kind.id().equals("pods") // they have time to end
                    || !object.header().finalizers().isEmpty()
                    || object.header().deleted()
                    || options.propagation()
                            .filter(how -> how != DeleteOptions.Propagation.BACKGROUND)
                            .isPresent();
            tell(concerned, key, informer -> {
                if (mayStay || !informer.kind().version().equals(kind.version())) {
                    informer.readAgain(key);
                } else {
                    informer.gone(object);
                }
            });
            decoded.add(object.decode(kind.javaType()));
        }
        return decoded;
    }
}
