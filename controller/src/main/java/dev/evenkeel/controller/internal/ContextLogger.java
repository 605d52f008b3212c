package dev.evenkeel.controller.internal;

import dev.evenkeel.client.ObjectKey;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.spi.LoggingEventBuilder;
import org.slf4j.spi.NOPLoggingEventBuilder;

/**
 * A logger with a name of its own whose lines carry the key of an object, and the {@link ReconcilerPath} of the part
 * that logs.
 *
 * <p>Why not a logger for each path: loggers are kept, and paths contain the numbers of iterations.
 */
@SuppressWarnings("serial") // its supertype is serializable; nothing serializes loggers
public final class ContextLogger extends LegacyAbstractLogger {
    private final transient Logger target;
    private final transient ObjectKey key;

    private ContextLogger(Logger target, ObjectKey key) {
        this.target = target;
        this.key = key;
        this.name = target.getName();
    }

    /** Returns a logger of this name for an object. */
    public static Logger of(String name, ObjectKey key) {
        return new ContextLogger(LoggerFactory.getLogger(name), key);
    }

    @Override
    public LoggingEventBuilder makeLoggingEventBuilder(Level level) {
        LoggingEventBuilder line = target.makeLoggingEventBuilder(level).addKeyValue("key", key);
        String part = ReconcilerPath.text();
        return part.isEmpty() ? line : line.addKeyValue("part", part);
    }

    @Override
    public LoggingEventBuilder atLevel(Level level) {
        return isEnabledForLevel(level) ? makeLoggingEventBuilder(level) : NOPLoggingEventBuilder.singleton();
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            String message,
            @Nullable Object @Nullable [] arguments,
            @Nullable Throwable cause) {
        LoggingEventBuilder line = makeLoggingEventBuilder(level).setCause(cause);
        if (marker != null) {
            line = line.addMarker(marker);
        }
        if (arguments == null) {
            line.log(message);
        } else {
            line.log(message, arguments);
        }
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    public boolean isTraceEnabled() {
        return target.isTraceEnabled();
    }

    @Override
    public boolean isDebugEnabled() {
        return target.isDebugEnabled();
    }

    @Override
    public boolean isInfoEnabled() {
        return target.isInfoEnabled();
    }

    @Override
    public boolean isWarnEnabled() {
        return target.isWarnEnabled();
    }

    @Override
    public boolean isErrorEnabled() {
        return target.isErrorEnabled();
    }
}
