package dev.evenkeel.testing;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/** Captures the lines that one thread logs, as {@code LEVEL message key=value}; requires Logback behind SLF4J. */
final class LogLines {
    private static final String LOGBACK = "ch.qos.logback.classic.LoggerContext";

    private LogLines() {}

    static boolean visible() {
        return LoggerFactory.getILoggerFactory().getClass().getName().equals(LOGBACK);
    }

    static <R> R during(Supplier<R> work, List<String> lines) {
        return Logback.during(work, lines);
    }

    /** In a class of its own, which is loaded only if Logback is present. */
    private static final class Logback {
        static <R> R during(Supplier<R> work, List<String> lines) {
            ILoggerFactory factory = LoggerFactory.getILoggerFactory();
            Logger root = ((LoggerContext) factory).getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
            Thread thread = Thread.currentThread();
            AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
                @Override
                protected void append(ILoggingEvent event) {
                    if (Thread.currentThread().equals(thread)) {
                        lines.add(line(event));
                    }
                }
            };
            appender.setContext(root.getLoggerContext());
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
}
