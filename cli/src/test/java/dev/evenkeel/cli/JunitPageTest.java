package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** The tests on the page about JUnit pass, as they are there. */
class JunitPageTest {
    @TempDir
    Path classes;

    @TestFactory
    Stream<DynamicTest> tests() throws IOException {
        return Page.all().stream()
                .filter(page -> page.file().endsWith("junit.md"))
                .flatMap(page -> page.blocks().stream())
                .filter(block -> block.isJava() && block.content().contains("@Test\n"))
                .map(block -> DynamicTest.dynamicTest(block.type(), () -> run(block)));
    }

    private void run(Page.Block block) throws IOException, ClassNotFoundException {
        assertThat(Page.compile(Map.of(block.type(), block.content()), classes)).isEmpty();
        URL[] url = {classes.toUri().toURL()};
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(url, getClass().getClassLoader())) {
            thread.setContextClassLoader(loader);
            LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                    .selectors(selectClass(loader.loadClass(block.type())))
                    .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                    .build();
            SummaryGeneratingListener listener = new SummaryGeneratingListener();
            LauncherFactory.create().execute(request, listener);
            StringWriter failures = new StringWriter();
            listener.getSummary().printFailuresTo(new PrintWriter(failures, true));
            assertThat(failures.toString()).isEmpty();
            assertThat(listener.getSummary().getTestsSucceededCount()).isEqualTo(1);
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
