package dev.evenkeel.load.junit;

import dev.evenkeel.load.LoadPlan;
import dev.evenkeel.load.LoadSimulation;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** Runs methods with {@link LoadTest} once for each seed. */
final class LoadTestExtension implements TestTemplateInvocationContextProvider {
    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return context.getRequiredTestMethod().isAnnotationPresent(LoadTest.class);
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        LoadTest test = context.getRequiredTestMethod().getAnnotation(LoadTest.class);
        LoadPlan plan = plan(context.getRequiredTestClass(), test.plan());
        long[] seeds = test.seeds().length == 0 ? new long[] {plan.seed()} : test.seeds();
        return Arrays.stream(seeds).mapToObj(seed -> new Invocation(plan.seed(seed)));
    }

    private static LoadPlan plan(Class<?> type, String name) {
        try (InputStream text = type.getResourceAsStream(name)) {
            if (text == null) {
                throw new ExtensionConfigurationException(
                        "plan of @LoadTest: " + type.getName() + " has no resource " + name);
            }
            return LoadPlan.parse(new String(text.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw new ExtensionConfigurationException(name + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Invocation(LoadPlan plan) implements TestTemplateInvocationContext, ParameterResolver {
        @Override
        public String getDisplayName(int index) {
            return plan.name() + ", seed " + plan.seed();
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(this);
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == LoadSimulation.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return LoadSimulation.of(plan);
        }
    }
}
