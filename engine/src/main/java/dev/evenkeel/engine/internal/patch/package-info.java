/**
 * Patches: JSON Patch (RFC 6902), JSON Merge Patch (RFC 7386) and Kubernetes' strategic merge patch, as kube-apiserver
 * applies them. {@link dev.evenkeel.engine.internal.patch.Patches} is the entry point.
 */
@NullMarked
package dev.evenkeel.engine.internal.patch;

import org.jspecify.annotations.NullMarked;
