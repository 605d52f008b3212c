package dev.evenkeel.load.internal.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.evenkeel.kubernetes.Connection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** The log at its finest level has no credentials, also when requests fail. */
@Isolated("sets the level of loggers")
@Timeout(300)
class ApiProxyLogTest {
    @Test
    void theLogHasNoCredentials() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger("dev.evenkeel");
        Level before = logger.getLevel();
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        logger.setLevel(Level.TRACE);
        Connection refusing = Connection.to(URI.create("http://127.0.0.1:1"))
                .token("secret-of-the-server")
                .build();
        try (ApiProxy proxy = ApiProxy.start(refusing);
                HttpClient client = HttpClient.newBuilder()
                        .sslContext(proxy.connection().tls().orElseThrow())
                        .build()) {
            for (String token : List.of(proxy.token(), "wrong-secret")) {
                HttpRequest request = HttpRequest.newBuilder(proxy.url().resolve("/api/v1/pods"))
                        .header("Authorization", "Bearer " + token)
                        .build();
                String body = client.send(request, BodyHandlers.ofString()).body();
                assertThat(body).doesNotContain("secret", proxy.token());
            }

            assertThat(lines.list).isNotEmpty();
            for (ILoggingEvent line : List.copyOf(lines.list)) {
                String text = line.getFormattedMessage() + line.getKeyValuePairs() + line.getThrowableProxy();
                assertThat(text).doesNotContain("secret", proxy.token());
            }
        } finally {
            logger.detachAppender(lines);
            logger.setLevel(before);
        }
    }
}
