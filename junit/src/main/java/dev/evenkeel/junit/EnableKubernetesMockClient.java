package dev.evenkeel.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Replaces the annotation of this name of fabric8's {@code kubernetes-server-mock}: the import changes, the test does not. A
 * field of type {@link io.fabric8.kubernetes.client.KubernetesClient} gets a client of a cluster with the semantics of an
 * API server instead of the mock's.
 *
 * <p>The namespace of the client is {@code default} rather than {@code test}. A field of type {@code KubernetesMockServer}
 * becomes an {@link EngineCluster}: expectations of answers are not kept, faults are set by {@link EngineCluster#on}.
 */
@Documented
@Inherited
@EvenkeelTest
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface EnableKubernetesMockClient {
    /** If true, objects are kept; false, the default as of fabric8's annotation, is not supported. */
    boolean crud() default false;

    /** Has no effect: there is no connection. */
    boolean https() default true;
}
