package dev.evenkeel.testing.call;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client.Replicas;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.testing.call.CallDispatcher.Exchange;
import dev.evenkeel.testing.call.RecordedCall.Answer;
import dev.evenkeel.testing.call.RecordedCall.Body;
import dev.evenkeel.testing.call.RecordedCall.Verb;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Selects calls, for reactors and for counting, in the same way for all verbs.
 *
 * <pre>{@code
 * on(CREATE).kind(ConfigMap.class).named("default", "child").fails(alreadyExists())
 * on(PATCH).body(touches("metadata.finalizers")).nth(2).losesAnswer()
 * onAny().by("child").fails(unavailable())
 * }</pre>
 *
 * <p>A call must satisfy all conditions. Without conditions it selects any call, with two exceptions:
 * <ul>
 * <li>{@link #on} selects calls on objects themselves: writes of their status or scale are selected by {@link #status}
 *     or {@link #subresource}. {@link #onAny} selects both.
 * <li>Calls that reactors make belong to the test; only {@code by(Call.REACTOR)} selects them.
 * </ul>
 *
 * <p>{@link #nth} and {@link #after} choose among the matching calls, in their order; so {@link #test}, which sees one
 * call, ignores them. Immutable.
 */
public final class Calls implements Predicate<RecordedCall> {
    private final Set<Verb> verbs;
    private final Optional<String> subresource;
    private final List<Predicate<RecordedCall>> conditions;
    private final int after;
    private final int until;
    private final boolean reactors;

    private Calls(
            Set<Verb> verbs,
            Optional<String> subresource,
            List<Predicate<RecordedCall>> conditions,
            int after,
            int until,
            boolean reactors) {
        this.verbs = verbs;
        this.subresource = subresource;
        this.conditions = List.copyOf(conditions);
        this.after = after;
        this.until = until;
        this.reactors = reactors;
    }

    /** Returns calls of these verbs, on objects themselves: not on their sub-resources. */
    public static Calls on(Verb first, Verb... more) {
        return new Calls(EnumSet.of(first, more), Optional.of(""), List.of(), 0, Integer.MAX_VALUE, false);
    }

    /** Returns calls of any verb, on objects and on their sub-resources. */
    public static Calls onAny() {
        return new Calls(EnumSet.allOf(Verb.class), Optional.empty(), List.of(), 0, Integer.MAX_VALUE, false);
    }

    /** Returns calls of verbs that write, on objects and on their sub-resources. */
    public static Calls onWrites() {
        return onAny().writing();
    }

    private Calls writing() {
        return only(Verb::writes, "only writes can be ignored: use answers(...)");
    }

    private Calls only(Predicate<Verb> wanted, String otherwise) {
        Set<Verb> some = EnumSet.copyOf(verbs);
        some.removeIf(wanted.negate());
        if (some.isEmpty()) {
            throw new IllegalArgumentException("on " + this + ": " + otherwise);
        }
        return new Calls(some, subresource, conditions, after, until, reactors);
    }

    private Calls and(String words, Predicate<RecordedCall> condition) {
        List<Predicate<RecordedCall>> more = new ArrayList<>(conditions);
        more.add(new Described<>(words, condition));
        return new Calls(verbs, subresource, more, after, until, reactors);
    }

    /** Restricts to the kind of this class, whatever class the call uses for it. */
    public Calls kind(Class<? extends HasMetadata> type) {
        return kind(Kind.of(type));
    }

    /** Restricts to this kind, whatever version and class the call uses for it. */
    public Calls kind(Kind<?> kind) {
        return kind(kind.id());
    }

    /** Restricts to this kind: {@code configmaps}, {@code deployments.apps}; the group may be left out. */
    public Calls kind(String plural) {
        return and(plural, it -> List.of(it.kind().id(), it.kind().plural()).contains(plural));
    }

    /** Restricts to the status. */
    public Calls status() {
        return subresource("status");
    }

    /** Restricts to this sub-resource; empty for objects themselves. */
    public Calls subresource(String name) {
        return new Calls(verbs, Optional.of(name), conditions, after, until, reactors);
    }

    /** Includes objects and all their sub-resources. */
    public Calls anySubresource() {
        return new Calls(verbs, Optional.empty(), conditions, after, until, reactors);
    }

    /** Restricts to this namespace; empty for cluster-scoped objects, and for lists over all namespaces. */
    public Calls namespace(String namespace) {
        String words = namespace.isEmpty() ? "in no namespace" : "in " + namespace;
        return and(words, call -> call.key().namespace().equals(namespace));
    }

    /**
     * Restricts to objects of this name; empty for creates with a generated name.
     *
     * @throws IllegalArgumentException when no call of the verbs has a name
     */
    public Calls name(String name) {
        return named(name, name, call -> call.key().name().equals(name));
    }

    /** Restricts to the object of this name in this namespace. */
    public Calls named(String namespace, String name) {
        return named(ObjectKey.of(namespace, name));
    }

    /**
     * Restricts to this object.
     *
     * @throws IllegalArgumentException when no call of the verbs has a name
     */
    public Calls named(ObjectKey key) {
        return named(key.toString(), key.name(), call -> call.key().equals(key));
    }

    private Calls named(String words, String name, Predicate<RecordedCall> condition) {
        if (verbs.stream().allMatch(Verb::selects)) {
            throw new IllegalArgumentException(
                    "a " + verbs.iterator().next() + " has no name, so it cannot be restricted to " + name
                            + ": use namespace, or when(..) for its selectors");
        }
        return and("named " + words, it -> condition.test(it) && !it.verb().selects());
    }

    /** Restricts to calls by this part of the code under test, or by a part of it; see {@link ReactiveClient#as}. */
    public Calls by(String caller) {
        Calls calls = and(
                caller.isEmpty() ? "by an unnamed caller" : "by " + caller,
                call -> call.caller().equals(caller)
                        || (!caller.isEmpty() && call.caller().startsWith(caller + "/")));
        return new Calls(
                verbs, subresource, calls.conditions, after, until, reactors || caller.equals(RecordedCall.REACTOR));
    }

    /** Restricts to calls that satisfy this condition. */
    public Calls when(Predicate<RecordedCall> condition) {
        return when(Described.words(condition, "with a condition"), condition);
    }

    /** Restricts to calls that satisfy this condition; the description continues "create configmaps ..". */
    public Calls when(String words, Predicate<RecordedCall> condition) {
        return and(words, condition);
    }

    /**
     * Restricts to calls that send such a body: see {@link RecordedCall.Body#touches}, {@link RecordedCall.Body#sets},
     * {@link RecordedCall.Body#contains}.
     */
    public Calls body(Predicate<Body> condition) {
        return and(Described.words(condition, "with a condition on the body"), call -> condition.test(call.body()));
    }

    /**
     * Restricts to the nth matching call, from 1.
     *
     * @throws IllegalArgumentException when it is less than 1
     */
    public Calls nth(int n) {
        if (n < 1) {
            throw new IllegalArgumentException("nth(" + n + "): the first call is 1");
        }
        return new Calls(verbs, subresource, conditions, n - 1, n, reactors);
    }

    /**
     * Restricts to the matching calls after the first n.
     *
     * @throws IllegalArgumentException when it is negative
     */
    public Calls after(int n) {
        if (n < 0) {
            throw new IllegalArgumentException("after(" + n + "): not less than 0");
        }
        return new Calls(verbs, subresource, conditions, n, Integer.MAX_VALUE, reactors);
    }

    /** Returns whether this call satisfies the conditions, regardless of {@link #nth} and {@link #after}. */
    @Override
    public boolean test(RecordedCall call) {
        return verbs.contains(call.verb())
                && (subresource.isEmpty() || subresource.get().equals(call.subresource()))
                && (reactors || !call.caller().equals(RecordedCall.REACTOR))
                && conditions.stream().allMatch(condition -> condition.test(call));
    }

    boolean means(int n) {
        return n > after && n <= until;
    }

    List<RecordedCall> of(List<RecordedCall> calls) {
        List<RecordedCall> fitting = calls.stream().filter(this).toList();
        return fitting.subList(Math.min(after, fitting.size()), Math.min(until, fitting.size()));
    }

    Calls verbsOnly() {
        return new Calls(verbs, Optional.empty(), List.of(), 0, Integer.MAX_VALUE, true);
    }

    private Reactor reactor(String words, Function<Exchange, Answer> reaction) {
        return new Reactor(this, words, reaction, Integer.MAX_VALUE, false);
    }

    /** Returns a reactor that makes the calls fail without effect. */
    public Reactor fails(Reactor.Failure failure) {
        return reactor(failure.words(), exchange -> {
            throw failure.of(exchange.call);
        });
    }

    /** Returns a reactor that makes the calls fail with this error, without effect. */
    public Reactor fails(ApiException error) {
        return reactor(("fails with " + error.code() + " " + error.reason()).strip(), unused -> {
            throw error;
        });
    }

    /** Returns a reactor that makes the calls fail with a new error each, without effect. */
    public Reactor fails(Supplier<? extends RuntimeException> error) {
        return fails((Reactor.Failure) call -> error.get());
    }

    /** Returns a reactor that breaks the connection before the calls reach the server: no effect, no answer. */
    public Reactor losesConnection() {
        return reactor("loses the connection", Calls::lost);
    }

    private static Answer lost(Exchange exchange) {
        throw Reactor.Failure.connectionLost().of(exchange.call);
    }

    /** Returns a reactor that breaks the connection after the calls have taken effect: no answer. */
    public Reactor losesAnswer() {
        return reactor("loses the answer", exchange -> {
            exchange.proceed();
            return lost(exchange);
        });
    }

    /** Returns a reactor that answers with this object, without effect. */
    public Reactor answers(HasMetadata object) {
        return answers(call -> object);
    }

    /** Returns a reactor that answers with these objects, without effect: for lists and collection deletes. */
    public Reactor answers(List<? extends HasMetadata> objects) {
        return reactor("is answered", exchange -> exchange.answer(objects));
    }

    /** Returns a reactor that answers with an object derived from the call, without effect. */
    public Reactor answers(Function<RecordedCall, ? extends HasMetadata> answer) {
        return reactor("is answered", exchange -> exchange.answer(answer.apply(exchange.call)));
    }

    /** Returns a reactor that answers with this scale, without effect. */
    public Reactor answers(Replicas scale) {
        return reactor("is answered", exchange -> exchange.answer(scale));
    }

    /**
     * Returns a reactor that hides what is read: objects are missing, lists are empty. Other calls proceed.
     *
     * @throws IllegalArgumentException when none of the calls is a get or a list
     */
    public Reactor findsNothing() {
        return only(Set.of(Verb.GET, Verb.LIST)::contains, "only a get or a list can find nothing: use fails(...)")
                .reactor("finds nothing", Exchange::nothing);
    }

    /**
     * Returns a reactor that delays the calls, by the hook of {@link ReactiveClient.Builder#delays}, and then lets them
     * proceed.
     */
    public Reactor delays(Duration duration) {
        return reactor("takes " + duration, exchange -> {
            exchange.delay(duration);
            return exchange.proceed();
        });
    }

    /**
     * Returns a reactor that answers writes as if they had taken effect, without effect: with the object as sent, or
     * for patches and deletes, with the present one. Reads proceed.
     *
     * @throws IllegalArgumentException when all of the calls are reads
     */
    public Reactor isIgnored() {
        return writing().reactor("is ignored", Exchange::ignore);
    }

    /** Returns a reactor that passes the calls to an observer before they proceed. */
    public Reactor observes(Consumer<RecordedCall> observer) {
        return reactor("is observed", exchange -> {
            observer.accept(exchange.call);
            return exchange.proceed();
        });
    }

    /** Returns a reactor that replaces the body by another one of the same type, as a webhook could. */
    public Reactor changes(UnaryOperator<Body> change) {
        return reactor("is changed", it -> it.proceed(change.apply(it.call.body())));
    }

    /**
     * Returns a reactor that replaces the object that is sent, as a webhook could. For creates, updates and applies:
     * other calls have no whole object, and proceed unchanged.
     */
    public <T extends HasMetadata> Reactor changes(Class<T> type, UnaryOperator<T> change) {
        return changes(body -> body.with(type, change));
    }

    /** Returns a description, such as {@code create configmaps named default/child, the 2nd}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(
                verbs.size() == Verb.values().length
                        ? "any call"
                        : verbs.stream().map(Verb::toString).collect(Collectors.joining(" or ")));
        if (subresource.isPresent() && !subresource.get().isEmpty()) {
            text.append(" of ").append(subresource.get());
        }
        conditions.forEach(condition -> text.append(' ').append(condition));
        if (until != Integer.MAX_VALUE) {
            text.append(", the ").append(ordinal(until));
        } else if (after > 0) {
            text.append(", after the ").append(ordinal(after));
        }
        return text.toString();
    }

    private static String ordinal(int n) {
        int last = n % 100 / 10 == 1 ? 0 : n % 10;
        return n + (last > 3 ? "th" : List.of("th", "st", "nd", "rd").get(last));
    }
}
