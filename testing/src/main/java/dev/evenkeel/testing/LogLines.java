package dev.evenkeel.testing;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/**
 * Captures the lines that one thread logs, as {@code LEVEL message key=value}. Loaded only if Logback is behind SLF4J,
 * which it requires.
 */
final class LogLines {
    private LogLines() {}

    static <R> R during(Supplier<R> work, List<String> lines) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        Thread thread = Thread.currentThread();
        AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                if (Thread.currentThread().equals(thread)) {
                    lines.add(line(event));
                }
            }
        };
        appender.setContext(context);
        appender.start();
        root.addAppender(appender);
        try {
            return work.get();
        } finally {
            root.detachAppender(appender);
            appender.stop();
        }
    }

    private static String line(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(event.getLevel() + " " + event.getFormattedMessage());
        if (event.getKeyValuePairs() != null) {
            for (KeyValuePair pair : event.getKeyValuePairs()) {
                line.append(' ').append(pair.key).append('=').append(pair.value);
            }
        }
        return line.toString();
    }
}
