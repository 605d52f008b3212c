package dev.evenkeel.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.controller.Result;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.simulation.VirtualScheduler;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Lines of initializers, in this module because the tests of controllers have no logging framework. */
class InitializerLoggerTest {
    private static final String NAME = "initialized-maps";

    /** Waits for another thread that starts SLF4J, which holds this lock. */
    @SuppressWarnings("LockOnNonEnclosingClassLiteral")
    private static LoggerContext context() {
        synchronized (LoggerFactory.class) {
            return (LoggerContext) LoggerFactory.getILoggerFactory();
        }
    }

    @Test
    void theLoggerOfAnInitializerHasTheNameOfItsController() {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Logger logger = context().getLogger(NAME);
        lines.start();
        logger.addAppender(lines);
        VirtualScheduler scheduler = new VirtualScheduler(1, Instant.EPOCH);
        try (Engine engine = Engine.builder()
                        .clock(scheduler.clock())
                        .executor(Runnable::run)
                        .build();
                Manager manager =
                        Manager.builder(engine.client()).scheduler(scheduler).build()) {
            manager.add(Controller.of(ConfigMap.class, reconciliation -> Result.done())
                            .name(NAME)
                            .initializer(context -> context.logger().warn("prepared")))
                    .start();
            scheduler.run();
        } finally {
            logger.detachAppender(lines);
        }
        assertThat(lines.list)
                .extracting(ILoggingEvent::getLoggerName, ILoggingEvent::getFormattedMessage)
                .containsExactly(tuple(NAME, "prepared"));
    }
}
