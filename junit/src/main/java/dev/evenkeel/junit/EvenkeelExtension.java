package dev.evenkeel.junit;

import dev.evenkeel.client.Client;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/** Gives tests with {@link EvenkeelTest} their clusters. */
final class EvenkeelExtension
        implements BeforeAllCallback,
                AfterAllCallback,
                BeforeEachCallback,
                AfterEachCallback,
                ParameterResolver,
                LifecycleMethodExecutionExceptionHandler,
                TestExecutionExceptionHandler {
    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(EvenkeelExtension.class);

    /** The prepared states, which live as long as the JVM. */
    private static final Map<Options, EngineCluster.Builder> PREPARED = new ConcurrentHashMap<>();

    /** The same by test, since reading annotations takes longer than a fork. */
    private static final Map<Test, EngineCluster.Builder> BUILDERS = new ConcurrentHashMap<>();

    /** The fields of classes that get values. */
    private static final ClassValue<List<Field>> FIELDS = new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> type) {
            List<Field> fields = ReflectionSupport.findFields(
                    type,
                    field -> !Modifier.isFinal(field.getModifiers())
                            && offered(field.getType(), field).isPresent(),
                    HierarchyTraversalMode.TOP_DOWN);
            fields.forEach(field -> field.setAccessible(true));
            return fields;
        }
    };

    private static final Map<Class<?>, Function<EngineCluster, Object>> OFFERED = offered();

    private static Map<Class<?>, Function<EngineCluster, Object>> offered() {
        try {
            return Map.of(
                    EngineCluster.class, cluster -> cluster,
                    KubernetesClient.class, EngineCluster::kubernetesClient,
                    Client.class, EngineCluster::client,
                    Engine.class, EngineCluster::engine,
                    TestClock.class, EngineCluster::clock);
        } catch (NoClassDefFoundError e) {
            throw new ExtensionConfigurationException(
                    "@EvenkeelTest needs fabric8's client: add the dependency io.fabric8:kubernetes-client, of version 7.5"
                            + " or newer, in test scope",
                    e);
        }
    }

    private static final Map<Class<?>, Function<EngineCluster, Object>> KUBECONFIGS =
            Map.of(Path.class, EngineCluster::kubeconfig, String.class, EngineCluster::kubeConfigYaml);

    private record Options(
            Set<String> manifests, Set<Class<?>> types, boolean controllers, boolean webhooks, boolean authorization) {
        static Options of(EvenkeelTest test) {
            return new Options(
                    Set.of(test.manifests()),
                    Set.of(test.types()),
                    test.controllers(),
                    test.webhooks(),
                    test.authorization());
        }
    }

    /** A class of tests, and a method of it or itself. */
    private record Test(Class<?> type, AnnotatedElement element) {
        static Test of(ExtensionContext context) {
            return new Test(context.getRequiredTestClass(), context.getElement().orElseThrow());
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        List<Field> fields = fields(context.getRequiredTestClass(), true);
        if (!fields.isEmpty()) {
            inject(fields, null, start(context));
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        EngineCluster cluster = shared(context).orElseGet(() -> start(context));
        for (Object instance : context.getRequiredTestInstances().getAllInstances()) {
            inject(fields(instance.getClass(), false), instance, cluster);
        }
    }

    private static EngineCluster start(ExtensionContext context) {
        EngineCluster cluster = BUILDERS.computeIfAbsent(Test.of(context), test -> builder(context))
                .start();
        context.getStore(STORE).put(EngineCluster.class, cluster);
        return cluster;
    }

    private static EngineCluster.Builder builder(ExtensionContext context) {
        AnnotationSupport.findAnnotation(context.getRequiredTestClass(), EnableKubernetesMockClient.class)
                .filter(mock -> !mock.crud())
                .ifPresent(mock -> {
                    throw new ExtensionConfigurationException(
                            "@EnableKubernetesMockClient needs crud = true: answers that a test sets are not supported");
                });
        EvenkeelTest test = annotation(context);
        return PREPARED.computeIfAbsent(
                Options.of(test),
                options -> EngineCluster.builder()
                        .manifests(test.manifests())
                        .types(test.types())
                        .controllers(test.controllers())
                        .webhooks(test.webhooks())
                        .authorization(test.authorization()));
    }

    private static EvenkeelTest annotation(ExtensionContext context) {
        for (ExtensionContext at = context; ; ) {
            Optional<EvenkeelTest> found =
                    at.getElement().flatMap(element -> AnnotationSupport.findAnnotation(element, EvenkeelTest.class));
            if (found.isPresent()) {
                return found.get();
            }
            at = at.getParent()
                    .orElseThrow(
                            () -> new ExtensionConfigurationException("no @EvenkeelTest at " + context.getUniqueId()));
        }
    }

    /** Returns the cluster of the test, or the one that all tests of its class share. */
    private static Optional<EngineCluster> shared(ExtensionContext context) {
        return Optional.ofNullable(context.getStore(STORE).get(EngineCluster.class, EngineCluster.class));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        boolean own = context.getParent().flatMap(EvenkeelExtension::shared).isEmpty();
        if (own) {
            for (Object instance : context.getRequiredTestInstances().getAllInstances()) {
                inject(fields(instance.getClass(), false), instance, null);
            }
            close(context);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        close(context);
    }

    private static void close(ExtensionContext context) {
        EngineCluster cluster = context.getStore(STORE).remove(EngineCluster.class, EngineCluster.class);
        if (cluster != null) {
            cluster.close();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return offered(parameter.getParameter().getType(), parameter.getParameter())
                .isPresent();
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        EngineCluster cluster = shared(context).orElseGet(() -> start(context));
        return offered(parameter.getParameter().getType(), parameter.getParameter())
                .orElseThrow()
                .apply(cluster);
    }

    private static Optional<Function<EngineCluster, Object>> offered(Class<?> type, AnnotatedElement place) {
        return Optional.ofNullable((place.isAnnotationPresent(Kubeconfig.class) ? KUBECONFIGS : OFFERED).get(type));
    }

    private static List<Field> fields(Class<?> type, boolean ofClass) {
        return FIELDS.get(type).stream()
                .filter(field -> Modifier.isStatic(field.getModifiers()) == ofClass)
                .toList();
    }

    private static void inject(List<Field> fields, @Nullable Object instance, @Nullable EngineCluster cluster) {
        for (Field field : fields) {
            try {
                field.set(
                        instance,
                        cluster == null
                                ? null
                                : offered(field.getType(), field).orElseThrow().apply(cluster));
            } catch (IllegalAccessException e) {
                throw new ExtensionConfigurationException("field " + field + " cannot be set", e);
            }
        }
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        report(context, failure);
    }

    @Override
    public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        report(context, failure);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        report(context, failure);
    }

    @Override
    public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        report(context, failure);
    }

    private static void report(ExtensionContext context, Throwable failure) throws Throwable {
        shared(context).ifPresent(cluster -> failure.addSuppressed(ClusterState.of(cluster)));
        throw failure;
    }
}
