package dev.evenkeel.testing.call;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Deletion;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.internal.ReconcilerPath;
import dev.evenkeel.testing.call.RecordedCall.Answer;
import dev.evenkeel.testing.call.RecordedCall.Body;
import dev.evenkeel.testing.call.RecordedCall.Verb;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A client that wraps another one: it records all calls in a {@link Journal}, and lets {@link Reactor}s inject the
 * failures of servers and networks.
 *
 * <p>The problem: the reaction of a reconciler to a refused third write, or to a lost answer to a create, is in code
 * that a healthy server never exercises. A hand-made fake exercises it, but differs from a server in everything else.
 * So the underlying client keeps the real semantics, and this one only intercepts.
 *
 * <ol>
 * <li>A call that no reactor takes is passed on unchanged, and so is its answer: the object after the write, with the
 *     fields set by the server.
 * <li>Each call is in the journal from its beginning, with its body as it was then; its answer is added at its end.
 *     Calls that a reactor refuses are there too: they were attempted.
 * <li>Reactors are tried in order: those of a later {@link #react} come first, so that a test refines its set-up; those
 *     of one {@code react} in the order given. The first that matches takes the call; it decides, or passes it on to
 *     the next. The answer of a reactor is final: the server never sees the call.
 * <li>No lock is held while a reactor runs. It may use this client: such calls are recorded with the caller
 *     {@value RecordedCall#REACTOR}, and reactors ignore them unless they select them.
 * </ol>
 *
 * <p>Only calls through this client are seen: a recorder of events that has a client of its own leaves no calls here.
 *
 * <p>Objects pass as JSON text: later changes of an object by a caller or a reactor do not affect the journal. Before
 * an update the present object is read, outside of the journal, so that the update's effect can be determined: see
 * {@link RecordedCall.Body#touches}. Everything else costs what the underlying client costs. Thread-safe.
 */
public final class ReactiveClient implements Client {
    final CallDispatcher switchboard;
    private final String caller;

    private ReactiveClient(CallDispatcher switchboard, String caller) {
        this.switchboard = switchboard;
        this.caller = caller;
    }

    /** Wraps this client, with the system's clock. */
    public static ReactiveClient of(Client delegate) {
        return builder(delegate).build();
    }

    /** Returns a builder that wraps this client. */
    public static Builder builder(Client delegate) {
        return new Builder(delegate);
    }

    /** Builds a reactive client. */
    public static final class Builder {
        private final Client delegate;
        private InstantSource clock = InstantSource.system();
        private Consumer<Duration> delays = duration -> {
            throw new IllegalStateException("no clock to let " + duration
                    + " pass: set it with ReactiveClient.builder(client).delays(clock::advance)");
        };

        private Builder(Client delegate) {
            this.delegate = delegate;
        }

        /** Sets the clock of the journal; by default the system's. */
        public Builder clock(InstantSource value) {
            clock = value;
            return this;
        }

        /**
         * Sets the function that lets time pass for {@link Calls#delays}, by moving a clock; by default such reactors
         * are refused.
         */
        public Builder delays(Consumer<Duration> value) {
            delays = value;
            return this;
        }

        /** Returns the client. */
        public ReactiveClient build() {
            return new ReactiveClient(new CallDispatcher(delegate, clock, delays), "");
        }
    }

    /**
     * Returns this client for a part of the code under test: calls are recorded with its name. For a part of a part the
     * names are joined, as {@code website/deployment}. Journal and reactors are shared. Without a name, calls are
     * recorded with the {@link ReconcilerPath} of the caller.
     */
    public ReactiveClient as(String part) {
        return new ReactiveClient(switchboard, caller.isEmpty() ? part : caller + "/" + part);
    }

    /** Adds reactors before the existing ones; among themselves they keep their order. Returns this client. */
    public ReactiveClient react(Reactor... reactors) {
        switchboard.add(Arrays.asList(reactors));
        return this;
    }

    /** Removes a reactor without a trace. Returns this client. */
    public ReactiveClient remove(Reactor reactor) {
        switchboard.remove(reactor);
        return this;
    }

    /** Returns the journal of all calls, including later ones. */
    public Journal journal() {
        return switchboard.journal();
    }

    /**
     * Returns descriptions of the reactors that never fired, each with the calls it may have been meant for, except
     * {@linkplain Reactor#optional optional} ones.
     */
    public List<String> unused() {
        return switchboard.unused();
    }

    private RecordedCall call(Verb verb, Kind<?> kind, String subresource, ObjectKey key) {
        return new RecordedCall(
                0,
                switchboard.clock.instant(),
                caller.isEmpty() ? ReconcilerPath.text() : caller,
                verb,
                kind,
                subresource,
                key,
                ListOptions.ALL,
                WriteOptions.DEFAULT,
                DeleteOptions.DEFAULT,
                new Body.Nothing(),
                new Answer.Pending());
    }

    private static <T extends HasMetadata> Optional<T> object(Kind<T> kind, Answer answer) {
        return switch (answer) {
            case Answer.Found(Encoded object) -> Optional.of(object.decode(kind.javaType()));
            case Answer.Missing unused -> Optional.empty();
            default -> throw unsuited(answer);
        };
    }

    private Replicas scaled(RecordedCall call) {
        Answer answer = switchboard.answer(call);
        if (answer instanceof Answer.Scaled(Replicas replicas)) {
            return replicas;
        }
        throw unsuited(answer);
    }

    private Answer select(Verb verb, Kind<?> kind, ListOptions selection, DeleteOptions options) {
        ObjectKey all = ObjectKey.of(selection.namespace(), "");
        return switchboard.answer(call(verb, kind, "", all).with(selection, options));
    }

    private <T extends HasMetadata> Listing<T> listed(Verb verb, Kind<T> kind, ListOptions all, DeleteOptions options) {
        Answer answer = select(verb, kind, all, options);
        if (answer instanceof Answer.Listed(Listing<Encoded>(var items, String version, String token))) {
            Stream<T> decoded = items.stream().map(item -> item.decode(kind.javaType()));
            return new Listing<>(decoded.toList(), version, token);
        }
        throw unsuited(answer);
    }

    private static IllegalStateException unsuited(Answer answer) {
        return new IllegalStateException("the verb has no such answer: " + answer.text());
    }

    private <T extends HasMetadata> T written(Kind<T> kind, RecordedCall call) {
        Answer answer = switchboard.answer(call);
        return object(kind, answer).orElseThrow(() -> unsuited(answer));
    }

    private static Encoded snapshot(HasMetadata object) {
        return object instanceof Encoded encoded ? encoded : Encoded.of(ModelCodec.encode(object));
    }

    @Override
    public <T extends HasMetadata> Optional<T> find(Kind<T> kind, ObjectKey key) {
        return object(kind, switchboard.answer(call(Verb.GET, kind, "", key)));
    }

    @Override
    public <T extends HasMetadata> Listing<T> list(Kind<T> kind, ListOptions options) {
        return listed(Verb.LIST, kind, options, DeleteOptions.DEFAULT);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T extends HasMetadata> Watch<T> watch(Kind<T> kind, ListOptions options) {
        Answer answer = select(Verb.WATCH, kind, options, DeleteOptions.DEFAULT);
        if (answer instanceof Answer.Watching(Watch<?> watch)) {
            return (Watch<T>) watch; // of the kind of the call
        }
        throw unsuited(answer);
    }

    private <T extends HasMetadata> T sent(Verb verb, Kind<T> kind, T object, String part, WriteOptions options) {
        Body body = new Body.Whole(snapshot(object));
        return written(kind, call(verb, kind, part, ObjectKey.of(object)).with(options, body));
    }

    private <T extends HasMetadata> T replaced(Kind<T> kind, T object, String part, WriteOptions options) {
        ObjectKey key = ObjectKey.of(object);
        Body body = new Body.Replacement(snapshot(object), switchboard.present(kind, key), part);
        return written(kind, call(Verb.UPDATE, kind, part, key).with(options, body));
    }

    private <T extends HasMetadata> T patched(
            Kind<T> kind, ObjectKey key, String part, Patch patch, WriteOptions options) {
        Verb verb = patch.type() == Patch.Type.APPLY ? Verb.APPLY : Verb.PATCH;
        return written(kind, call(verb, kind, part, key).with(options, new Body.Change(patch)));
    }

    @Override
    public <T extends HasMetadata> T create(Kind<T> kind, T object, WriteOptions options) {
        return sent(Verb.CREATE, kind, object, "", options);
    }

    @Override
    public <T extends HasMetadata> T update(Kind<T> kind, T object, WriteOptions options) {
        return replaced(kind, object, "", options);
    }

    @Override
    public <T extends HasMetadata> T updateStatus(Kind<T> kind, T object, WriteOptions options) {
        return replaced(kind, object, "status", options);
    }

    @Override
    public <T extends HasMetadata> T patch(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options) {
        return patched(kind, key, "", patch, options);
    }

    @Override
    public <T extends HasMetadata> T patchStatus(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options) {
        return patched(kind, key, "status", patch, options);
    }

    @Override
    public <T extends HasMetadata> T apply(Kind<T> kind, T object, WriteOptions options) {
        return sent(Verb.APPLY, kind, object, "", options);
    }

    @Override
    public <T extends HasMetadata> T applyStatus(Kind<T> kind, T object, WriteOptions options) {
        return sent(Verb.APPLY, kind, object, "status", options);
    }

    @Override
    public Replicas scale(Kind<?> kind, ObjectKey key) {
        return scaled(call(Verb.GET, kind, "scale", key));
    }

    @Override
    public Replicas scale(Kind<?> kind, ObjectKey key, int replicas, WriteOptions options) {
        return scaled(call(Verb.UPDATE, kind, "scale", key).with(options, new Body.Scale(replicas)));
    }

    @Override
    public <T extends HasMetadata> Deletion<T> delete(Kind<T> kind, ObjectKey key, DeleteOptions options) {
        Answer answer = switchboard.answer(call(Verb.DELETE, kind, "", key).with(ListOptions.ALL, options));
        return switch (answer) {
            case Answer.Gone(String uid) -> new Deletion<>(uid, Optional.empty());
            case Answer.Marked(String uid, Encoded object) ->
                new Deletion<>(uid, Optional.of(object.decode(kind.javaType())));
            default -> throw unsuited(answer);
        };
    }

    @Override
    public <T extends HasMetadata> List<T> deleteAll(Kind<T> kind, ListOptions selection, DeleteOptions options) {
        return listed(Verb.DELETE_COLLECTION, kind, selection, options).items();
    }
}
