package dev.evenkeel.controller;

/** Hears what happens to controllers. */
@FunctionalInterface
public interface ControllerListener {
    /** Something happened. Called by the task in which it did; must be quick. What it throws is logged. */
    void on(ControllerEvent event);
}
