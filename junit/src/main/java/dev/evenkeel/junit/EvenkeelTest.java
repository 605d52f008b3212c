package dev.evenkeel.junit;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives each test method a Kubernetes API of its own, in the process of the test:
 *
 * <pre>{@code
 * @EvenkeelTest(manifests = "crds/")
 * class WebPageTest {
 *     KubernetesClient client;
 *
 *     @Test
 *     void aPageHasAConfigMap() {
 *         client.resource(page()).create();
 *         ...
 *     }
 * }
 * }</pre>
 *
 * <p>Fields without a value, and parameters of methods, get the {@link EngineCluster} of the test, or what it offers: a
 * {@link io.fabric8.kubernetes.client.KubernetesClient} of fabric8, a {@link dev.evenkeel.client.Client}, the
 * {@link dev.evenkeel.engine.Engine}, the {@link TestClock}, and a {@link java.nio.file.Path} or text with
 * {@link Kubeconfig}. With static fields, all tests of the class share a cluster.
 *
 * <p>The definitions in {@code META-INF/fabric8} of the class path, where fabric8's generator puts them, are there in any
 * case. The state that tests begin with is made once for each set of options; a test gets it in microseconds, and tests may
 * run in parallel.
 *
 * <p>When a test fails, its failure tells the latest requests, and the objects that are there.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(EvenkeelExtension.class)
public @interface EvenkeelTest {
    /** Resources of the class path, files or directories with definitions and objects in YAML. */
    String[] manifests() default {};

    /** Classes whose definitions are made by fabric8's generator, which must be on the class path. */
    Class<? extends HasMetadata>[] types() default {};

    /** If true, owners are collected and namespaces emptied, as by a controller manager. */
    boolean controllers() default true;

    /**
     * If true, admission and conversion webhooks at URLs of this machine are called; else their configurations have no
     * effect.
     */
    boolean webhooks() default false;

    /** If true, users need roles for what they do; the injected clients are administrators. */
    boolean authorization() default false;
}
