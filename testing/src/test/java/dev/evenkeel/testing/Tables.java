package dev.evenkeel.testing;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.DynamicTest;

/** Runs tables as JUnit would; what a case throws comes out. */
final class Tables {
    private Tables() {}

    static void run(Stream<DynamicTest> table) {
        for (DynamicTest test : table.toList()) {
            try {
                test.getExecutable().execute();
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static AbstractThrowableAssert<?, ? extends Throwable> failing(Stream<DynamicTest> table) {
        return assertThatThrownBy(() -> run(table));
    }
}
