package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class LogLayoutTest {
    private final LoggerContext context = new LoggerContext();

    private LoggingEvent event(String message, Throwable failure) {
        return new LoggingEvent(
                getClass().getName(), context.getLogger("a.b.Server"), Level.WARN, message, failure, new Object[0]);
    }

    @Test
    void aLineHasTimeLevelLoggerMessageAndValues() {
        LoggingEvent event = event("it failed", null);
        event.addKeyValuePair(new KeyValuePair("name", "n"));
        assertThat(new LogLayout().doLayout(event))
                .matches("\\d\\d:\\d\\d:\\d\\d\\.\\d{3} WARN  Server: it failed name=\"n\"\n");
    }

    @Test
    void textsOfClientsCannotForgeLines() {
        String hostile = "a\n12:00:00.000 WARN  Server: forged\r\u001b[31m\u0085\u2028\u202e";
        String escaped = "a\\n12:00:00.000 WARN  Server: forged\\r\\u001b[31m\\u0085\\u2028\\u202e";
        LoggingEvent event = event(hostile, new IllegalStateException(hostile, new IllegalArgumentException(hostile)));
        event.addKeyValuePair(new KeyValuePair("name", hostile));
        String text = new LogLayout().doLayout(event);
        assertThat(text.lines()).hasSize(5);
        assertThat(text.split(java.util.regex.Pattern.quote(escaped), -1)).hasSize(5);
        assertThat(text).contains("\nCaused by: java.lang.IllegalArgumentException: a\\n12");
    }

    @Test
    void aKindOfLineIsLimited() {
        LogRate rate = new LogRate();
        LoggingEvent event = event("it failed", null);
        for (int i = 0; i < 60; i++) {
            assertThat(rate.decide(event)).isEqualTo(FilterReply.NEUTRAL);
        }
        assertThat(rate.decide(event)).isEqualTo(FilterReply.DENY);
        LoggingEvent other = event("another", null);
        other.setTimeStamp(event.getTimeStamp());
        assertThat(rate.decide(other)).isEqualTo(FilterReply.NEUTRAL);
        LoggingEvent later = event("it failed", null);
        later.setTimeStamp(event.getTimeStamp() + 60_000);
        assertThat(rate.decide(later)).isEqualTo(FilterReply.NEUTRAL);
    }
}
