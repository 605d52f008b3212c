/**
 * Reconcilers and what runs them: informers that follow the API, a work queue that hands out keys, controllers whose
 * workers reconcile them, and a manager that starts and stops it all.
 *
 * <p>Everything here sees the world through a {@link dev.evenkeel.client.Client}, and time through what it is given.
 */
@NullMarked
package dev.evenkeel.controller;

import org.jspecify.annotations.NullMarked;
