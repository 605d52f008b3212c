package dev.evenkeel.testing.call;

import dev.evenkeel.client.Kind;
import dev.evenkeel.testing.call.RecordedCall.Verb;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.opentest4j.AssertionFailedError;

/**
 * The calls of a {@link ReactiveClient} in the order in which they began, with assertions.
 *
 * <p>It is live: it includes later calls too. A part of it, as returned by {@link #of}, is a live journal as well.
 * Failures show all calls of the journal.
 */
public final class Journal {
    private final Supplier<List<RecordedCall>> source;

    Journal(Supplier<List<RecordedCall>> source) {
        this.source = source;
    }

    private Journal part(Predicate<RecordedCall> wanted) {
        return new Journal(() -> calls().stream().filter(wanted).toList());
    }

    /** Returns all calls. */
    public List<RecordedCall> calls() {
        return source.get();
    }

    /** Returns the calls of these verbs, on objects and on their sub-resources. */
    public List<RecordedCall> calls(Verb first, Verb... more) {
        return calls(Calls.on(first, more).anySubresource());
    }

    /** Returns the selected calls. */
    public List<RecordedCall> calls(Calls wanted) {
        return wanted.of(calls());
    }

    /** Returns the attempted writes, without dry runs and without those of reactors. */
    public List<RecordedCall> writes() {
        return calls(Calls.onWrites().when("for real", RecordedCall::isWrite));
    }

    /** Returns the number of selected calls. */
    public int count(Calls wanted) {
        return calls(wanted).size();
    }

    /** Returns the journal of this kind. */
    public Journal of(Class<? extends HasMetadata> type) {
        return of(Kind.of(type));
    }

    /** Returns the journal of this kind. */
    public Journal of(Kind<?> kind) {
        return part(call -> call.kind().id().equals(kind.id()));
    }

    /** Returns the journal of this part of the code under test; see {@link ReactiveClient#as}. */
    public Journal by(String caller) {
        return part(Calls.onAny().by(caller));
    }

    /** Returns the present end, for {@link #since}: the number of the last call, 0 before the first. */
    public int mark() {
        List<RecordedCall> calls = calls();
        return calls.isEmpty() ? 0 : calls.getLast().number();
    }

    /** Returns the journal after a {@link #mark}. */
    public Journal since(int mark) {
        return part(call -> call.number() > mark);
    }

    /**
     * Asserts that no write was attempted.
     *
     * @throws AssertionFailedError when there are {@link #writes}
     */
    public void assertNoWrites() {
        List<String> writes = writes().stream().map(RecordedCall::toString).toList();
        if (!writes.isEmpty()) {
            String which = String.join("\n  ", writes);
            throw failed("no write was expected, but there were " + writes.size() + ":\n  " + which);
        }
    }

    /**
     * Asserts the number of selected calls.
     *
     * @throws AssertionFailedError when there are more or fewer
     */
    public void assertCount(int count, Calls wanted) {
        int actual = count(wanted);
        if (actual != count) {
            throw failed("expected " + count + " of: " + wanted + "; actual: " + actual);
        }
    }

    /**
     * Asserts that calls were made in this order; other calls may be between them.
     *
     * @throws AssertionFailedError when one is missing, or was made only before another
     */
    public void assertOrder(Calls... order) {
        List<RecordedCall> calls = calls();
        int at = 0;
        for (int i = 0; i < order.length; i++) {
            // nth counts the matching calls from the beginning, not from here
            List<RecordedCall> meant = order[i].of(calls);
            int from = at;
            RecordedCall next = meant.stream()
                    .filter(call -> calls.indexOf(call) >= from)
                    .findFirst()
                    .orElse(null);
            if (next == null) {
                throw failed("not in order, at " + (i + 1) + ": " + order[i]
                        + (meant.isEmpty() ? " is missing" : " came only before: " + calls.get(at - 1)));
            }
            at = calls.indexOf(next) + 1;
        }
    }

    /**
     * Asserts that these are all calls of the verb on objects themselves, in this order.
     *
     * @throws AssertionFailedError when one differs, is missing or unexpected; the message lists all problems
     */
    public void assertExactly(Verb verb, Calls... expected) {
        assertExactly(Calls.on(verb), expected);
    }

    /**
     * Asserts that these are all calls in the scope, in this order.
     *
     * @throws AssertionFailedError when one differs, is missing or unexpected; the message lists all problems
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

    /**
     * Returns the calls in aligned columns: number, caller if known, request, written paths, answer. Reads that only
     * repeat the previous reads are counted.
     */
    public String print() {
        return Columns.of(calls());
    }

    /** Returns the text of {@link #print}. */
    @Override
    public String toString() {
        return print();
    }
}
