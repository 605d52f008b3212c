package dev.evenkeel.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Replaces the annotation of this name of fabric8's {@code kube-api-test}: the imports change, and {@code KubeConfig} becomes
 * {@link Kubeconfig}. A field of type {@link String} with that annotation gets a kubeconfig of a cluster in this process,
 * which starts in milliseconds; nothing is downloaded.
 *
 * <p>As with the original, the tests of a class share a server if the field is static. Flags and versions of kube-apiserver
 * cannot be set. Owned objects are garbage-collected and namespaces emptied, which the original does not do.
 */
@Documented
@Inherited
@EvenkeelTest
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface EnableKubeAPIServer {}
