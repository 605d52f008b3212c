/** Requests of fabric8's client that an engine answers without a connection; definitions and objects of tests. */
@NullMarked
package dev.evenkeel.junit.internal;

import org.jspecify.annotations.NullMarked;
