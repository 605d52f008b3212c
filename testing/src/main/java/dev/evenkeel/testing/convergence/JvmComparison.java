package dev.evenkeel.testing.convergence;

import dev.evenkeel.testing.internal.convergence.ClusterState;
import dev.evenkeel.testing.internal.convergence.JvmVariation;
import dev.evenkeel.testing.internal.convergence.OtherJvm;
import dev.evenkeel.testing.internal.convergence.RunResult.Finding;
import java.io.Serializable;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.opentest4j.AssertionFailedError;

/**
 * Compares the end of a check's run without faults in this JVM with its end in another one, in which
 *
 * <ul>
 *   <li>each {@code Map.of} and {@code Set.of} has another order, which depends on a salt of the JVM;
 *   <li>identity hash codes, and so the order of sets of objects that have no other, differ;
 *   <li>the default locale is that of Turkey, whose letters have another upper case;
 *   <li>the default time zone is that of Nepal, which is five hours and 45 minutes ahead of UTC;
 *   <li>directories list their files in the reverse order, except for {@link java.io.File}.
 * </ul>
 *
 * <p>A controller that writes what depends on one of them writes it again, differently, after each restart, although
 * nothing has changed; so its pods are replaced. {@link Convergence} runs in one JVM and cannot see that.
 *
 * <pre>{@code
 * static Convergence<?> check() {
 *     return Convergence.of(WebsiteReconciler::controller).given(website("blog", 2));
 * }
 *
 * @Test
 * void isTheSameInEachJvm() {
 *     JvmComparison.assertSame(WebsiteTest::check);
 * }
 * }</pre>
 *
 * <p>The other JVM has the class path of this one. It takes a second or two.
 */
public final class JvmComparison {
    private static final String ADVICE = "sort it, name the locale or zone, or use ignoring(\"%s\") in the check";

    private JvmComparison() {}

    /** Returns a check; a static method, or a lambda without variables, which another JVM can call. */
    @FunctionalInterface
    public interface Check extends Supplier<Convergence<?>>, Serializable {}

    /**
     * Compares the ends of the run without faults; a difference fails the test that calls this, with its cause.
     *
     * @throws IllegalArgumentException if the check has variables that cannot be serialized
     */
    public static void assertSame(Check check) {
        Optional<Finding> finding = difference(check, EnumSet.allOf(JvmVariation.class), false);
        if (finding.isEmpty()) {
            return;
        }
        String causes = causes(check).stream().map(JvmVariation::text).collect(Collectors.joining(", "));
        StringBuilder text = new StringBuilder("differs between JVMs by ")
                .append(causes.isEmpty() ? "a combination of what differs" : causes)
                .append(": ")
                .append(finding.get().problem());
        finding.get().details().forEach(line -> text.append("\n    ").append(line));
        throw new AssertionFailedError(text.toString());
    }

    private static Set<JvmVariation> causes(Check check) {
        if (difference(check, EnumSet.noneOf(JvmVariation.class), false).isPresent()) {
            return EnumSet.of(JvmVariation.IDENTITY);
        }
        Set<JvmVariation> causes = EnumSet.noneOf(JvmVariation.class);
        for (JvmVariation variation : EnumSet.complementOf(EnumSet.of(JvmVariation.IDENTITY))) {
            // a JVM with a certain order takes several starts: only if the order makes a difference
            boolean anyOrder = variation != JvmVariation.ORDER && !causes.contains(JvmVariation.ORDER);
            if (difference(check, EnumSet.of(variation), anyOrder).isPresent()) {
                causes.add(variation);
            }
        }
        return causes;
    }

    private static Optional<Finding> difference(Check check, EnumSet<JvmVariation> variations, boolean anyOrder) {
        List<ClusterState> here = check.get().undisturbed();
        List<ClusterState> there = OtherJvm.call(new Undisturbed(check), variations, anyOrder);
        return ClusterState.difference(here, there, ADVICE);
    }

    /** Calls the check in the other JVM. */
    private record Undisturbed(Check check) implements OtherJvm.Call {
        @Override
        public List<ClusterState> call() {
            return check.get().undisturbed();
        }
    }
}
