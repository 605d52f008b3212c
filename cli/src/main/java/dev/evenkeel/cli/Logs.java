package dev.evenkeel.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Configures the logs of the command: warnings and errors, to standard error. In code, because reading XML would take
 * 0.1 s.
 */
public final class Logs extends ContextAwareBase implements Configurator {
    /** Of gRPC, which does not use SLF4J; kept, since the JDK forgets the settings of loggers that are not. */
    private static final java.util.logging.Logger GRPC = java.util.logging.Logger.getLogger("io.grpc");

    /** Of messages that are refused while they arrive; the client has the answer. */
    private static final java.util.logging.Logger GRPC_STREAMS =
            java.util.logging.Logger.getLogger("io.grpc.netty.shaded.io.grpc.netty.NettyServerStream");

    /** Used by the service loader. */
    public Logs() {}

    /** Turns logging off, for commands that report failures themselves. */
    static void off() {
        ((LoggerContext) LoggerFactory.getILoggerFactory())
                .getLogger(Logger.ROOT_LOGGER_NAME)
                .setLevel(Level.OFF);
    }

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        LogLayout layout = new LogLayout();
        layout.setContext(context);
        layout.start();
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setContext(context);
        encoder.setLayout(layout);
        encoder.start();
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setContext(context);
        console.setTarget("System.err");
        console.setEncoder(encoder);
        LogRate rate = new LogRate();
        rate.start();
        console.addFilter(rate);
        console.start();
        var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(console);
        // of requests that are not HTTP; the client has the answer
        context.getLogger("org.eclipse.jetty.http").setLevel(Level.ERROR);
        context.getLogger("org.eclipse.jetty.util.HostPort").setLevel(Level.ERROR);
        GRPC.setLevel(java.util.logging.Level.WARNING);
        GRPC_STREAMS.setLevel(java.util.logging.Level.SEVERE);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
