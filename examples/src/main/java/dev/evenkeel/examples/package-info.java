/**
 * Examples to copy: a controller from its type to its tests.
 *
 * <p>{@code Website}: a page of HTML becomes a ConfigMap, a Deployment and a Service. Its CustomResourceDefinition and
 * sample objects are in {@code examples/website}.
 */
@NullMarked
package dev.evenkeel.examples;

import org.jspecify.annotations.NullMarked;
