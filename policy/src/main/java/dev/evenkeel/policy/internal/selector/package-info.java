/** The selector language: parser, canonical text, evaluation, and content-addressed names of IP sets. */
@NullMarked
package dev.evenkeel.policy.internal.selector;

import org.jspecify.annotations.NullMarked;
