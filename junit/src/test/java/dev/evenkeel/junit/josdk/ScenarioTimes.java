package dev.evenkeel.junit.josdk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Writes a table of the scenarios of a class and their times, with starting and stopping an operator, below target. */
final class ScenarioTimes implements BeforeTestExecutionCallback, AfterTestExecutionCallback, AfterAllCallback {
    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(ScenarioTimes.class);

    private final Map<String, String> lines = new ConcurrentSkipListMap<>();

    @Override
    public void beforeTestExecution(ExtensionContext context) {
        context.getStore(STORE).put("begin", System.nanoTime());
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        ((OperatorScenarios) context.getRequiredTestInstance()).stop();
        long nanos = System.nanoTime() - context.getStore(STORE).get("begin", Long.class);
        Scenario scenario = context.getRequiredTestMethod().getAnnotation(Scenario.class);
        if (scenario != null) {
            String name = words(context.getRequiredTestMethod().getName());
            lines.put(name, "| %s | %s | %d |".formatted(name, scenario.value(), Math.round(nanos / 1e6)));
        }
    }

    /** Returns the words of a name such as {@code aConfigMapFollows}. */
    private static String words(String name) {
        return name.replaceAll("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ")
                .toLowerCase(Locale.ROOT);
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        if (!lines.isEmpty()) {
            Path directory = Files.createDirectories(Path.of("target", "scenarios"));
            Files.write(directory.resolve(context.getRequiredTestClass().getSimpleName() + ".md"), lines.values());
        }
    }
}
