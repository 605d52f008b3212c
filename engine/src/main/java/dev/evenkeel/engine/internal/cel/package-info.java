/** Rules in CEL: declarations, compilation, static and running costs, evaluation, and the libraries of Kubernetes. */
@NullMarked
package dev.evenkeel.engine.internal.cel;

import org.jspecify.annotations.NullMarked;
