/** Reports of kubelets, without anything that runs. */
@NullMarked
package dev.evenkeel.simulation.internal.workload;

import org.jspecify.annotations.NullMarked;
