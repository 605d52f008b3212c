/** A scheduler and kubelets that run no containers. */
@NullMarked
package dev.evenkeel.load.internal.kubelet;

import org.jspecify.annotations.NullMarked;
