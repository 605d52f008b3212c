package dev.evenkeel.testing.call;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Client.Replicas;
import dev.evenkeel.client.Deletion;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.client.internal.Scoped;
import dev.evenkeel.testing.call.RecordedCall.Answer;
import dev.evenkeel.testing.call.RecordedCall.Body;
import dev.evenkeel.testing.call.RecordedCall.Verb;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Passes calls, in a common form, through the reactors to the underlying client, and records them. */
final class CallDispatcher {
    /** The client whose reactor is running, so that calls made by it are recognized. */
    private static final Scoped<Object> REACTING = new Scoped<>();

    private static final Object NO_REACTOR = new Object();
    private static final int EXAMPLES = 10;

    private final Client client;
    final InstantSource clock;
    private final Consumer<Duration> delays;
    private final List<RecordedCall> calls = new ArrayList<>();
    private volatile List<Installed> installed = List.of();

    CallDispatcher(Client client, InstantSource clock, Consumer<Duration> delays) {
        this.client = client;
        this.clock = clock;
        this.delays = delays;
    }

    private record Installed(Reactor reactor, AtomicInteger fitting, AtomicInteger fired) {
        /** Returns whether it takes this call; counts it. */
        boolean takes(RecordedCall call) {
            if (!reactor.calls.test(call) || !reactor.calls.means(fitting.incrementAndGet())) {
                return false;
            }
            return fired.getAndUpdate(times -> Math.min(times + 1, reactor.times)) < reactor.times;
        }
    }

    Client behind() {
        return client instanceof ReactiveClient reactive ? reactive.switchboard.behind() : client;
    }

    synchronized void add(List<Reactor> reactors) {
        Stream<Installed> added =
                reactors.stream().map(one -> new Installed(one, new AtomicInteger(), new AtomicInteger()));
        installed = Stream.concat(added, installed.stream()).toList();
    }

    @SuppressWarnings("ReferenceEquality") // which one it is, not what it says
    synchronized void remove(Reactor reactor) {
        installed = installed.stream().filter(one -> one.reactor() != reactor).toList();
    }

    Journal journal() {
        return new Journal(this::calls);
    }

    private synchronized List<RecordedCall> calls() {
        return List.copyOf(calls);
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

    /** Returns the answer to a call, which is recorded in the journal. */
    Answer answer(RecordedCall question) {
        boolean byReactor = REACTING.get().filter(this::equals).isPresent();
        RecordedCall call;
        synchronized (this) {
            call = question.begun(calls.size() + 1, byReactor ? RecordedCall.REACTOR : question.caller());
            calls.add(call);
        }
        try {
            return ended(call, pass(call, installed, 0));
        } catch (RuntimeException | Error e) {
            // for find, a missing object is an answer
            boolean missing = e instanceof NotFoundException refusal
                    && call.verb() == Verb.GET
                    && call.subresource().isEmpty()
                    && refusal.isAbout(call.kind(), call.key().name());
            Answer answer = ended(call, missing ? new Answer.Missing() : new Answer.Failed(e));
            if (missing) {
                return answer;
            }
            throw e;
        }
    }

    private synchronized Answer ended(RecordedCall call, Answer answer) {
        calls.set(call.number() - 1, call.with(answer));
        return answer;
    }

    private Answer pass(RecordedCall call, List<Installed> reactors, int from) {
        for (int i = from; i < reactors.size(); i++) {
            Installed next = reactors.get(i);
            if (REACTING.where(this, () -> next.takes(call))) {
                Exchange exchange = new Exchange(call, reactors, i + 1);
                return REACTING.where(this, () -> next.reactor().reaction.apply(exchange));
            }
        }
        return forward(call);
    }

    final class Exchange {
        final RecordedCall call;
        private final List<Installed> reactors;
        private final int next;

        private Exchange(RecordedCall call, List<Installed> reactors, int next) {
            this.call = call;
            this.reactors = reactors;
            this.next = next;
        }

        /** Passes the call on: to the next reactor, and finally to the server. */
        Answer proceed() {
            return proceed(call.body());
        }

        Answer proceed(Body body) {
            return REACTING.where(NO_REACTOR, () -> pass(call.with(call.writeOptions(), body), reactors, next));
        }

        Answer answer(HasMetadata object) {
            Encoded answer = encoded(object);
            if (call.verb() == Verb.WATCH || call.subresource().equals("scale")) {
                throw unsuited("an object");
            }
            return switch (call.verb()) {
                case LIST, DELETE_COLLECTION -> answer(List.of(object));
                case DELETE -> deleted(Deletion.of(answer));
                default -> new Answer.Found(answer);
            };
        }

        Answer answer(List<? extends HasMetadata> objects) {
            if (call.verb() != Verb.LIST && call.verb() != Verb.DELETE_COLLECTION) {
                throw unsuited("a list");
            }
            return listed(objects.stream().map(this::encoded).toList());
        }

        Answer answer(Replicas replicas) {
            if (!call.subresource().equals("scale")) {
                throw unsuited("a scale");
            }
            return new Answer.Scaled(replicas);
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

        Answer nothing() {
            if (call.verb() == Verb.LIST) {
                return listed(List.of());
            }
            throw missing();
        }

        private RuntimeException missing() {
            return Reactor.Failure.notFound().of(call);
        }

        /** Returns the answer to a write as if it had taken effect. */
        Answer ignore() {
            return switch (call.body()) {
                case Body.Whole(Encoded object) -> new Answer.Found(object);
                case Body.Replacement update -> new Answer.Found(update.object());
                case Body.Change unused -> new Answer.Found(present());
                case Body.Scale(int replicas) -> {
                    Replicas present = behind().scale(call.kind(), call.key());
                    yield new Answer.Scaled(new Replicas(replicas, present.observed(), present.selector()));
                }
                case Body.Nothing unused
                when call.verb() == Verb.DELETE ->
                    new Answer.Gone(present().header().uid());
                case Body.Nothing unused -> {
                    ListOptions whole = call.selection().limit(0).continueToken("");
                    yield new Answer.Listed(behind().list(call.kind().encoded(), whole));
                }
            };
        }

        private Encoded present() {
            return CallDispatcher.this.present(call.kind(), call.key()).orElseThrow(this::missing);
        }

        void delay(Duration duration) {
            delays.accept(duration);
        }
    }

    private static Answer deleted(Deletion<Encoded> deletion) {
        return deletion.remaining()
                .<Answer>map(object -> new Answer.Marked(deletion.uid(), object))
                .orElseGet(() -> new Answer.Gone(deletion.uid()));
    }

    private static Answer listed(List<Encoded> objects) {
        return new Answer.Listed(new Listing<>(objects, "", ""));
    }

    private Answer forward(RecordedCall call) {
        // the next journal should record the caller too
        Client to = client instanceof ReactiveClient reactive && !call.caller().isEmpty()
                ? reactive.as(call.caller())
                : client;
        Kind<Encoded> kind = call.kind().encoded();
        ObjectKey key = call.key();
        return switch (call.verb()) {
            case GET ->
                call.subresource().equals("scale")
                        ? new Answer.Scaled(to.scale(kind, key))
                        : to.find(kind, key).<Answer>map(Answer.Found::new).orElseGet(Answer.Missing::new);
            case LIST -> new Answer.Listed(to.list(kind, call.selection()));
            case WATCH -> new Answer.Watching(to.watch(call.kind(), call.selection()));
            case DELETE -> deleted(to.delete(kind, key, call.deleteOptions()));
            case DELETE_COLLECTION -> listed(to.deleteAll(kind, call.selection(), call.deleteOptions()));
            case CREATE, UPDATE, APPLY, PATCH ->
                call.body() instanceof Body.Scale(int replicas)
                        ? new Answer.Scaled(to.scale(kind, key, replicas, call.writeOptions()))
                        : new Answer.Found(written(to, kind, call));
        };
    }

    private static Encoded written(Client to, Kind<Encoded> kind, RecordedCall call) {
        WriteOptions options = call.writeOptions();
        boolean status = call.subresource().equals("status");
        return switch (call.body()) {
            case Body.Whole(Encoded object) when call.verb() == Verb.CREATE -> to.create(kind, object, options);
            case Body.Whole(Encoded object) ->
                status ? to.applyStatus(kind, object, options) : to.apply(kind, object, options);
            case Body.Replacement update ->
                status ? to.updateStatus(kind, update.object(), options) : to.update(kind, update.object(), options);
            case Body.Change(Patch patch) ->
                status ? to.patchStatus(kind, call.key(), patch, options) : to.patch(kind, call.key(), patch, options);
            default -> throw new IllegalStateException("a reactor removed the body: " + call.question());
        };
    }

    List<String> unused() {
        return installed.stream()
                .filter(one -> one.fired().get() == 0 && !one.reactor().optional)
                .map(one -> "this reactor never fired: on " + one.reactor() + near(one))
                .toList();
    }

    private String near(Installed one) {
        int fitting = one.fitting().get();
        String text = fitting > 0 ? "; matching calls: " + fitting : "";
        List<RecordedCall> alike = journal().calls(one.reactor().calls.verbsOnly());
        if (alike.isEmpty()) {
            return text + "; there were no calls of the verb";
        }
        String calls = alike.stream().limit(EXAMPLES).map(call -> "\n  " + call).collect(Collectors.joining());
        int more = alike.size() - EXAMPLES;
        return text + "; calls of the verb:" + calls + (more > 0 ? "\n  and " + more + " more" : "");
    }
}
