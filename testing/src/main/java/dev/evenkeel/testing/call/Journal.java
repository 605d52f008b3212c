package dev.evenkeel.testing.call;

import dev.evenkeel.client.Kind;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.opentest4j.AssertionFailedError;

/**
 * The calls of a {@link ReactiveClient} in the order in which they began, and what can be said of them.
 *
 * <p>It is alive: it has the calls to come too. A part of it, as {@link #of} makes, is a journal as well, and as alive.
 * What fails says so with all calls of the journal below.
 */
public final class Journal {
    private final Supplier<List<RecordedCall>> source;

    Journal(Supplier<List<RecordedCall>> source) {
        this.source = source;
    }

    private Journal part(Predicate<RecordedCall> wanted) {
        return new Journal(() -> source.get().stream().filter(wanted).toList());
    }

    // looking

    /** All calls. */
    public List<RecordedCall> calls() {
        return source.get();
    }

    /** The calls of these verbs, of objects and of their sub-resources. */
    public List<RecordedCall> calls(RecordedCall.Verb first, RecordedCall.Verb... more) {
        return calls(Calls.on(first, more).anySubresource());
    }

    /** The calls that are meant. */
    public List<RecordedCall> calls(Calls wanted) {
        return wanted.of(calls());
    }

    /** The attempts to change something, without dry runs and without what reactors did. */
    public List<RecordedCall> writes() {
        return calls(Calls.onWrites().when("for real", RecordedCall::isWrite));
    }

    /** How many calls are meant. */
    public int count(Calls wanted) {
        return calls(wanted).size();
    }

    /** The journal of this kind. */
    public Journal of(Class<? extends HasMetadata> type) {
        return of(Kind.of(type));
    }

    /** The journal of this kind. */
    public Journal of(Kind<?> kind) {
        return part(call -> call.kind().id().equals(kind.id()));
    }

    /** The journal of this part of the code under test; see {@link ReactiveClient#as}. */
    public Journal by(String caller) {
        return part(Calls.onAny().by(caller));
    }

    /** The present end, for {@link #since}: the number of the last call, 0 before the first. */
    public int mark() {
        List<RecordedCall> calls = calls();
        return calls.isEmpty() ? 0 : calls.getLast().number();
    }

    /** The journal after a {@link #mark}. */
    public Journal since(int mark) {
        return part(call -> call.number() > mark);
    }

    // claiming

    /**
     * Claims that nothing was to be changed.
     *
     * @throws AssertionFailedError when there are {@link #writes}
     */
    public void assertNoWrites() {
        List<RecordedCall> writes = writes();
        if (!writes.isEmpty()) {
            throw failed("no write was expected, and there were " + writes.size() + ":\n  " + lines(writes));
        }
    }

    /**
     * Claims that so many calls are meant.
     *
     * @throws AssertionFailedError when there are more or fewer
     */
    public void assertCount(int count, Calls wanted) {
        int actual = count(wanted);
        if (actual != count) {
            throw failed("expected " + count + " of: " + wanted + "; there were " + actual);
        }
    }

    /**
     * Claims that calls came in this order; others may be between them.
     *
     * @throws AssertionFailedError when one is missing, or came only before another
     */
    public void assertOrder(Calls... order) {
        List<RecordedCall> calls = calls();
        int at = 0;
        for (int i = 0; i < order.length; i++) {
            // which of those that fit is counted from the beginning, not from here
            List<RecordedCall> meant = order[i].of(calls);
            int from = at;
            RecordedCall next = meant.stream()
                    .filter(call -> calls.indexOf(call) >= from)
                    .findFirst()
                    .orElse(null);
            if (next == null) {
                throw failed("not in order, at " + (i + 1) + ": " + order[i]
                        + (meant.isEmpty() ? " never came" : " came only before: " + calls.get(at - 1)));
            }
            at = calls.indexOf(next) + 1;
        }
    }

    /**
     * Claims that these are all calls of the verb on objects themselves, in this order.
     *
     * @throws AssertionFailedError when one differs, is missing or too many; all that is wrong is told
     */
    public void assertExactly(RecordedCall.Verb verb, Calls... expected) {
        assertExactly(Calls.on(verb), expected);
    }

    /**
     * Claims that these are all calls that are meant by the first, in this order.
     *
     * @throws AssertionFailedError when one differs, is missing or too many; all that is wrong is told
     */
    public void assertExactly(Calls scope, Calls... expected) {
        List<RecordedCall> actual = calls(scope);
        List<String> wrong = new ArrayList<>();
        for (int i = 0; i < Math.max(expected.length, actual.size()); i++) {
            if (i >= actual.size()) {
                wrong.add("missing: " + expected[i]);
            } else if (i >= expected.length) {
                wrong.add("unexpected: " + actual.get(i));
            } else if (!expected[i].test(actual.get(i))) {
                wrong.add("expected: " + expected[i] + ", but was: " + actual.get(i));
            }
        }
        if (!wrong.isEmpty()) {
            throw failed("not exactly, of " + scope + ":\n  " + String.join("\n  ", wrong));
        }
    }

    private AssertionFailedError failed(String message) {
        return new AssertionFailedError(message + "\nThe calls:\n" + print());
    }

    private static String lines(List<RecordedCall> calls) {
        return String.join("\n  ", calls.stream().map(RecordedCall::toString).toList());
    }

    // showing

    /**
     * The calls in aligned columns: number, caller if any said it, what was asked, what it wrote, what came back. Reads
     * that only repeat what was just read are counted.
     */
    public String print() {
        return Columns.of(calls());
    }

    /** As {@link #print} says it. */
    @Override
    public String toString() {
        return print();
    }
}
