package dev.evenkeel.cli;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Drops log lines of a kind of which there were many within a minute: what a client causes must not fill a disk. */
final class LogRate extends Filter<ILoggingEvent> {
    private static final int PER_MINUTE = 60;
    private static final int MAX_KINDS = 1000;

    private final Map<String, Integer> lines = new HashMap<>();
    private long minute;

    @Override
    public synchronized FilterReply decide(ILoggingEvent event) {
        long now = TimeUnit.MILLISECONDS.toMinutes(event.getTimeStamp());
        if (now != minute || lines.size() > MAX_KINDS) {
            minute = now;
            lines.clear();
        }
        int count = lines.merge(event.getLoggerName() + " " + event.getMessage(), 1, Integer::sum);
        return count > PER_MINUTE ? FilterReply.DENY : FilterReply.NEUTRAL;
    }
}
