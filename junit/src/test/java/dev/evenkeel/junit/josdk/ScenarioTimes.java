package dev.evenkeel.junit.josdk;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Writes a table of the scenarios of a class below target: the test of JOSDK, the milliseconds, and those of processor time,
 * with starting and stopping an operator.
 */
final class ScenarioTimes implements BeforeTestExecutionCallback, AfterTestExecutionCallback, AfterAllCallback {
    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(ScenarioTimes.class);

    private final Map<String, String> lines = new ConcurrentSkipListMap<>();

    @Override
    public void beforeTestExecution(ExtensionContext context) {
        context.getStore(STORE).put("begin", System.nanoTime());
        context.getStore(STORE).put("cpu", cpuNanos());
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        ((OperatorScenarios) context.getRequiredTestInstance()).stop();
        long nanos = System.nanoTime() - context.getStore(STORE).get("begin", Long.class);
        long cpu = cpuNanos() - context.getStore(STORE).get("cpu", Long.class);
        Scenario scenario = context.getRequiredTestMethod().getAnnotation(Scenario.class);
        if (scenario != null) {
            String name = words(context.getRequiredTestMethod().getName());
            lines.put(
                    name,
                    "| %s | %s | %d | %d |"
                            .formatted(name, scenario.value(), Math.round(nanos / 1e6), Math.round(cpu / 1e6)));
        }
    }

    /** Returns the processor time of this process, which other processes do not lengthen, but other tests do. */
    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
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
