package dev.evenkeel.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Collects all log lines of this process, at the finest level; its test must be isolated. */
final class LogLines implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.evenkeel");
    private final Level before = logger.getLevel();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    LogLines() {
        lines.start();
        logger.addAppender(lines);
        logger.setLevel(Level.TRACE);
    }

    /** Returns the lines with their key-values and causes. */
    List<String> texts() {
        return List.copyOf(lines.list).stream()
                .map(line -> line.getFormattedMessage() + line.getKeyValuePairs() + line.getThrowableProxy())
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(lines);
        logger.setLevel(before);
    }
}
