package dev.evenkeel.cli;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.LayoutBase;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/**
 * Formats log lines. Texts may come from clients or webhooks, so control characters, which could forge lines or give
 * orders to a terminal, are escaped.
 */
final class LogLayout extends LayoutBase<ILoggingEvent> {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneId.systemDefault());

    @Override
    public String doLayout(ILoggingEvent event) {
        String logger = event.getLoggerName();
        StringBuilder line = new StringBuilder(200)
                .append(TIME.format(Instant.ofEpochMilli(event.getTimeStamp())))
                .append(String.format(" %-5s ", event.getLevel()))
                .append(logger, logger.lastIndexOf('.') + 1, logger.length())
                .append(": ");
        escape(event.getFormattedMessage(), line);
        if (event.getKeyValuePairs() != null) {
            event.getKeyValuePairs().forEach(pair -> {
                line.append(' ').append(pair.key).append("=\"");
                escape(String.valueOf(pair.value), line);
                line.append('"');
            });
        }
        line.append('\n');
        String before = "";
        for (IThrowableProxy failure = event.getThrowableProxy(); failure != null; failure = failure.getCause()) {
            line.append(before).append(failure.getClassName()).append(": ");
            escape(String.valueOf(failure.getMessage()), line);
            line.append('\n');
            if (failure.getStackTraceElementProxyArray().length > 0) {
                line.append('\t')
                        .append(failure.getStackTraceElementProxyArray()[0])
                        .append('\n');
            }
            before = "Caused by: ";
        }
        return line.toString();
    }

    private static void escape(String text, StringBuilder out) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    int kind = Character.getType(c);
                    if (kind == Character.CONTROL
                            || kind == Character.FORMAT
                            || kind == Character.LINE_SEPARATOR
                            || kind == Character.PARAGRAPH_SEPARATOR) {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
    }
}
