package dev.evenkeel.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ListOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.examples.database.DatabaseBackupCasesTest;
import dev.evenkeel.examples.database.DatabaseCasesTest;
import dev.evenkeel.server.Server;
import io.fabric8.kubernetes.api.model.Namespace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.opentest4j.TestAbortedException;

/**
 * Runs the tables and scenarios of the examples, unchanged, on an API server over HTTP with TLS: that of the engine, or
 * any other with {@code -Devenkeel.cluster=KUBECONFIG}.
 */
@Isolated("sets a system property that all tables read")
class CasesOnServerTest {
    private static final String PROPERTY = "evenkeel.cluster";

    @TempDir
    private static Path folder;

    private static final Engine ENGINE = Engine.create();
    private static final Server SERVER = Server.builder(ENGINE).start();
    /** Whether to run the cases of databases, too, which the build leaves out to be quick. */
    private static final boolean ALL = Boolean.getBoolean("cases.all");

    private static final String GIVEN = System.getProperty(PROPERTY, "");

    @BeforeAll
    static void configure() throws Exception {
        if (GIVEN.isEmpty()) {
            Path kubeconfig = folder.resolve("kubeconfig");
            Files.writeString(kubeconfig, SERVER.kubeconfig());
            System.setProperty(PROPERTY, kubeconfig.toString());
        }
    }

    @AfterAll
    static void stop() {
        if (GIVEN.isEmpty()) {
            System.clearProperty(PROPERTY);
        }
        SERVER.close();
        ENGINE.close();
    }

    @Test
    void casesPassOrAreSkippedWithAReason() throws Exception {
        Stream<DynamicTest> websites =
                Stream.concat(new WebsiteCasesTest().reconciliations(), new WebsiteCasesTest().scenarios());
        Stream<DynamicTest> databases = Stream.of(
                        new DatabaseCasesTest().reconciliations(),
                        new DatabaseCasesTest().scenarios(),
                        new DatabaseBackupCasesTest().reconciliations(),
                        new DatabaseBackupCasesTest().scenarios())
                .flatMap(each -> each);
        List<DynamicTest> cases = (ALL ? Stream.concat(websites, databases) : websites).toList();
        int passed = 0;
        List<String> failed = new ArrayList<>();
        Map<String, List<String>> skipped = new LinkedHashMap<>();
        for (DynamicTest one : cases) {
            try {
                one.getExecutable().execute();
                passed++;
            } catch (TestAbortedException e) {
                String reason = String.valueOf(e.getMessage());
                skipped.computeIfAbsent(reason.replaceFirst("^\\S+ \\S+ ", "... "), any -> new ArrayList<>())
                        .add(one.getDisplayName());
            } catch (Throwable e) {
                failed.add(one.getDisplayName() + ": " + e);
            }
        }
        System.out.printf("cases on a server: %d of %d passed%n", passed, cases.size());
        skipped.forEach((reason, names) -> System.out.println("skipped " + names.size() + ": " + reason));
        assertThat(failed).isEmpty();
        assertThat(passed).isGreaterThan(cases.size() / 2);
        if (GIVEN.isEmpty()) {
            awaitEmptyServer();
        }
    }

    /** Waits until the namespaces of the cases are gone: a server deletes them after it has answered. */
    private static void awaitEmptyServer() {
        long end = System.nanoTime() + Duration.ofSeconds(120).toNanos();
        while (System.nanoTime() < end && !namespaces().isEmpty()) {
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        assertThat(namespaces()).isEmpty();
    }

    private static List<String> namespaces() {
        return ENGINE.client().list(Namespace.class, ListOptions.ALL).items().stream()
                .map(namespace -> namespace.getMetadata().getName())
                .filter(name -> name.startsWith("case-"))
                .toList();
    }
}
