package dev.evenkeel.testing.call;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Client.Replicas;
import dev.evenkeel.client.Deletion;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.internal.Scoped;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Passes calls, in a common form, through the reactors to the underlying client, and records them. */
final class CallDispatcher {
    /** The client whose reactor is running, so that calls made by it are recognized. */
    private static final Scoped<Object> REACTING = new Scoped<>();

    private static final Object NO_REACTOR = new Object();
    private static final int EXAMPLES = 10;

    private final Client client;
    private final InstantSource clock;
    private final Consumer<Duration> delays;
    private final List<RecordedCall> calls = new ArrayList<>();
    private volatile List<Installed> installed = List.of();

    CallDispatcher(Client client, InstantSource clock, Consumer<Duration> delays) {
        this.client = client;
        this.clock = clock;
        this.delays = delays;
    }

    /** A reactor with its counts at this client. */
    private record Installed(Reactor reactor, AtomicInteger fitting, AtomicInteger fired) {
        /** Returns whether it takes this call; counts it. */
        boolean takes(RecordedCall call) {
            if (!reactor.calls().test(call) || !reactor.calls().means(fitting.incrementAndGet())) {
                return false;
            }
            return fired.getAndUpdate(times -> Math.min(times + 1, reactor.limit())) < reactor.limit();
        }
    }

    Instant now() {
        return clock.instant();
    }

    Client behind() {
        return client instanceof ReactiveClient reactive ? reactive.behind() : client;
    }

    synchronized void add(List<Reactor> reactors) {
        List<Installed> all = new ArrayList<>();
        for (Reactor reactor : reactors) {
            all.add(new Installed(reactor, new AtomicInteger(), new AtomicInteger()));
        }
        all.addAll(installed);
        installed = List.copyOf(all);
    }

    @SuppressWarnings("ReferenceEquality") // which one it is, not what it says
    synchronized void remove(Reactor reactor) {
        installed = installed.stream().filter(one -> one.reactor() != reactor).toList();
    }

    Journal journal() {
        return new Journal(this::calls);
    }

    private List<RecordedCall> calls() {
        synchronized (calls) {
            return List.copyOf(calls);
        }
    }

    /** Returns the present object of the server; empty when there is none, or it cannot be read. */
    Optional<Encoded> present(Kind<?> kind, ObjectKey key) {
        try {
            return behind().find(kind.encoded(), key);
        } catch (RuntimeException e) {
            // the call itself will report the error
            return Optional.empty();
        }
    }

    // calls

    /** Returns the answer to a call, which is recorded in the journal. */
    RecordedCall.Answer answer(RecordedCall question) {
        boolean byReactor = REACTING.get().filter(this::equals).isPresent();
        RecordedCall call = began(byReactor ? question.withCaller(RecordedCall.REACTOR) : question);
        try {
            RecordedCall.Answer answer = pass(call, installed, 0);
            ended(call, answer);
            return answer;
        } catch (NotFoundException e) {
            if (call.verb() == RecordedCall.Verb.GET
                    && call.subresource().isEmpty()
                    && e.isAbout(call.kind(), call.key().name())) {
                // for find, that is an answer
                ended(call, new RecordedCall.Answer.Missing());
                return new RecordedCall.Answer.Missing();
            }
            ended(call, new RecordedCall.Answer.Failed(e));
            throw e;
        } catch (RuntimeException | Error e) {
            ended(call, new RecordedCall.Answer.Failed(e));
            throw e;
        }
    }

    private RecordedCall began(RecordedCall question) {
        synchronized (calls) {
            RecordedCall call = question.withNumber(calls.size() + 1);
            calls.add(call);
            return call;
        }
    }

    private void ended(RecordedCall call, RecordedCall.Answer answer) {
        synchronized (calls) {
            calls.set(call.number() - 1, call.withAnswer(answer));
        }
    }

    private RecordedCall.Answer pass(RecordedCall call, List<Installed> reactors, int from) {
        for (int i = from; i < reactors.size(); i++) {
            Installed next = reactors.get(i);
            if (as(this, () -> next.takes(call))) {
                Handling handling = new Handling(call, reactors, i + 1);
                return as(this, () -> next.reactor().reaction().react(handling));
            }
        }
        return forward(call);
    }

    private static <R> R as(Object who, Supplier<R> action) {
        return REACTING.where(who, action);
    }

    private final class Handling implements Reactor.Exchange {
        private final RecordedCall call;
        private final List<Installed> reactors;
        private final int next;

        Handling(RecordedCall call, List<Installed> reactors, int next) {
            this.call = call;
            this.reactors = reactors;
            this.next = next;
        }

        @Override
        public RecordedCall call() {
            return call;
        }

        @Override
        public RecordedCall.Answer proceed(RecordedCall.Body body) {
            return as(NO_REACTOR, () -> pass(call.withBody(body), reactors, next));
        }

        @Override
        public RecordedCall.Answer answer(HasMetadata object) {
            Encoded answer = encoded(object);
            if (call.verb() == RecordedCall.Verb.WATCH || call.subresource().equals("scale")) {
                throw unsuited("an object");
            }
            return switch (call.verb()) {
                case LIST, DELETE_COLLECTION -> answer(List.of(object));
                case DELETE -> deleted(Deletion.of(answer));
                default -> new RecordedCall.Answer.Found(answer);
            };
        }

        @Override
        public RecordedCall.Answer answer(List<? extends HasMetadata> objects) {
            if (call.verb() != RecordedCall.Verb.LIST && call.verb() != RecordedCall.Verb.DELETE_COLLECTION) {
                throw unsuited("a list");
            }
            return new RecordedCall.Answer.Listed(
                    new Listing<>(objects.stream().map(this::encoded).toList(), "", ""));
        }

        @Override
        public RecordedCall.Answer answer(Replicas replicas) {
            if (!call.subresource().equals("scale")) {
                throw unsuited("a scale");
            }
            return new RecordedCall.Answer.Scaled(replicas);
        }

        private Encoded encoded(HasMetadata object) {
            String kind = object.getKind();
            if (kind != null && !kind.isEmpty() && !kind.equals(call.kind().kind())) {
                throw unsuited("a " + kind);
            }
            return Encoded.of(ModelCodec.encode(object));
        }

        private IllegalStateException unsuited(String what) {
            return new IllegalStateException(
                    "a reactor answers with " + what + ", which is not an answer to: " + call.question());
        }

        @Override
        public RecordedCall.Answer nothing() {
            if (call.verb() == RecordedCall.Verb.LIST) {
                return new RecordedCall.Answer.Listed(new Listing<>(List.of(), "", ""));
            }
            throw missing();
        }

        private RuntimeException missing() {
            return Reactor.Failure.notFound().of(call);
        }

        @Override
        public RecordedCall.Answer ignore() {
            return switch (call.body()) {
                case RecordedCall.Body.Whole(Encoded object) -> new RecordedCall.Answer.Found(object);
                case RecordedCall.Body.Replacement update -> new RecordedCall.Answer.Found(update.object());
                case RecordedCall.Body.Change unused ->
                    new RecordedCall.Answer.Found(
                            present(call.kind(), call.key()).orElseThrow(this::missing));
                case RecordedCall.Body.Scale(int replicas) -> {
                    Replicas present = behind().scale(call.kind(), call.key());
                    yield new RecordedCall.Answer.Scaled(
                            new Replicas(replicas, present.observed(), present.selector()));
                }
                case RecordedCall.Body.Nothing unused ->
                    call.verb() == RecordedCall.Verb.DELETE
                            ? new RecordedCall.Answer.Gone(present(call.kind(), call.key())
                                    .orElseThrow(this::missing)
                                    .header()
                                    .uid())
                            : new RecordedCall.Answer.Listed(behind().list(
                                            call.kind().encoded(),
                                            call.selection().limit(0).continueToken("")));
            };
        }

        @Override
        public void delay(Duration duration) {
            delays.accept(duration);
        }
    }

    private static RecordedCall.Answer deleted(Deletion<Encoded> deletion) {
        return deletion.remaining()
                .<RecordedCall.Answer>map(object -> new RecordedCall.Answer.Marked(deletion.uid(), object))
                .orElseGet(() -> new RecordedCall.Answer.Gone(deletion.uid()));
    }

    /** Makes the call at the underlying client. */
    private RecordedCall.Answer forward(RecordedCall call) {
        // the next journal should record the caller too
        Client to = client instanceof ReactiveClient reactive && !call.caller().isEmpty()
                ? reactive.as(call.caller())
                : client;
        Kind<Encoded> kind = call.kind().encoded();
        ObjectKey key = call.key();
        boolean status = call.subresource().equals("status");
        return switch (call.verb()) {
            case GET ->
                call.subresource().equals("scale")
                        ? new RecordedCall.Answer.Scaled(to.scale(kind, key))
                        : to.find(kind, key)
                                .<RecordedCall.Answer>map(RecordedCall.Answer.Found::new)
                                .orElseGet(RecordedCall.Answer.Missing::new);
            case LIST -> new RecordedCall.Answer.Listed(to.list(kind, call.selection()));
            case WATCH -> new RecordedCall.Answer.Watching(to.watch(call.kind(), call.selection()));
            case DELETE -> deleted(to.delete(kind, key, call.deleteOptions()));
            case DELETE_COLLECTION ->
                new RecordedCall.Answer.Listed(
                        new Listing<>(to.deleteAll(kind, call.selection(), call.deleteOptions()), "", ""));
            case CREATE, UPDATE, APPLY, PATCH ->
                switch (call.body()) {
                    case RecordedCall.Body.Whole(Encoded object) -> {
                        if (call.verb() == RecordedCall.Verb.CREATE) {
                            yield new RecordedCall.Answer.Found(to.create(kind, object, call.writeOptions()));
                        }
                        yield new RecordedCall.Answer.Found(
                                status
                                        ? to.applyStatus(kind, object, call.writeOptions())
                                        : to.apply(kind, object, call.writeOptions()));
                    }
                    case RecordedCall.Body.Replacement update ->
                        new RecordedCall.Answer.Found(
                                status
                                        ? to.updateStatus(kind, update.object(), call.writeOptions())
                                        : to.update(kind, update.object(), call.writeOptions()));
                    case RecordedCall.Body.Change change ->
                        new RecordedCall.Answer.Found(
                                status
                                        ? to.patchStatus(kind, key, change.patch(), call.writeOptions())
                                        : to.patch(kind, key, change.patch(), call.writeOptions()));
                    case RecordedCall.Body.Scale(int replicas) ->
                        new RecordedCall.Answer.Scaled(to.scale(kind, key, replicas, call.writeOptions()));
                    case RecordedCall.Body.Nothing unused ->
                        throw new IllegalStateException("a reactor removed the body: " + call.question());
                };
        };
    }

    // unused reactors

    List<String> unused() {
        List<String> unused = new ArrayList<>();
        for (Installed one : installed) {
            if (one.fired().get() == 0 && !one.reactor().isOptional()) {
                unused.add("this reactor never fired: on " + one.reactor() + near(one));
            }
        }
        return unused;
    }

    private String near(Installed one) {
        StringBuilder text = new StringBuilder();
        int fitting = one.fitting().get();
        if (fitting > 0) {
            text.append("; matching calls: ").append(fitting);
        }
        List<RecordedCall> alike =
                new Journal(this::calls).calls(one.reactor().calls().verbsOnly());
        if (alike.isEmpty()) {
            return text.append("; there were no calls of the verb").toString();
        }
        text.append("; calls of the verb:");
        alike.stream().limit(EXAMPLES).forEach(call -> text.append("\n  ").append(call));
        if (alike.size() > EXAMPLES) {
            text.append("\n  and ").append(alike.size() - EXAMPLES).append(" more");
        }
        return text.toString();
    }
}
