package dev.evenkeel.testing.call;

import dev.evenkeel.client.Client.Replicas;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.List;

/**
 * Something that happens to some calls, made by {@link Calls} and put in front of a client by
 * {@link ReactiveClient#react}. A value: what it has seen so far, its client counts, so one may serve many cases.
 */
public final class Reactor {
    private final Calls calls;
    private final String words;
    private final Reaction reaction;
    private final int times;
    private final boolean optional;

    Reactor(Calls calls, String words, Reaction reaction, int times, boolean optional) {
        this.calls = calls;
        this.words = words;
        this.reaction = reaction;
        this.times = times;
        this.optional = optional;
    }

    /** What happens to a call. */
    interface Reaction {
        /** Makes the answer, or throws. */
        RecordedCall.Answer react(Exchange exchange);
    }

    /** A call that a reaction has in its hands. */
    interface Exchange {
        RecordedCall call();

        /** Goes on: to the next reactor, and in the end to the server. */
        default RecordedCall.Answer proceed() {
            return proceed(call().body());
        }

        /** Goes on with another body. */
        RecordedCall.Answer proceed(Body body);

        /** The answer that the verb needs, with this object. */
        RecordedCall.Answer answer(HasMetadata object);

        /** The answer that the verb needs, with these objects. */
        RecordedCall.Answer answer(List<? extends HasMetadata> objects);

        /** The answer that the verb needs, with this scale. */
        RecordedCall.Answer answer(Replicas replicas);

        /** The answer to a read when there is nothing. */
        RecordedCall.Answer nothing();

        /** The answer to a write as if it had been done. */
        RecordedCall.Answer ignore();

        /** Lets time pass. */
        void delay(Duration duration);
    }

    /** The same, but at the first such call only. */
    public Reactor once() {
        return times(1);
    }

    /**
     * The same, but at the first so many such calls only.
     *
     * @throws IllegalArgumentException when it is less than 1
     */
    public Reactor times(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("times(" + count + "): a reactor that never fires is none");
        }
        return new Reactor(calls, words, reaction, count, optional);
    }

    /** The same, and it is not {@linkplain ReactiveClient#unused reported} when it never fires. */
    public Reactor optional() {
        return new Reactor(calls, words, reaction, times, true);
    }

    Calls calls() {
        return calls;
    }

    Reaction reaction() {
        return reaction;
    }

    int limit() {
        return times;
    }

    boolean isOptional() {
        return optional;
    }

    /** In words, such as {@code create configmaps named default/child: fails, once}. */
    @Override
    public String toString() {
        String often = times == Integer.MAX_VALUE ? "" : times == 1 ? ", once" : ", " + times + " times";
        return calls + ": " + words + often;
    }
}
