package dev.evenkeel.load.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that runs a load in virtual time, once for each seed. The method has a parameter of type
 * {@link dev.evenkeel.load.LoadSimulation}:
 *
 * <pre>{@code
 * @LoadTest(plan = "/widgets-load.yaml", seeds = {1, 2, 3})
 * void keepsUp(LoadSimulation load) throws InterruptedException {
 *     load.check((client, scheduler) -> Widgets.manager(client, scheduler).start());
 * }
 * }</pre>
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(LoadTestExtension.class)
public @interface LoadTest {
    /** The resource with the plan in YAML, relative to the class of the test. */
    String plan();

    /** The seeds of the runs; the default is that of the plan. */
    long[] seeds() default {};
}
