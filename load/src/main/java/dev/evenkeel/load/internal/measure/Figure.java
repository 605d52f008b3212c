package dev.evenkeel.load.internal.measure;

/**
 * A value that a {@link Meter} has read.
 *
 * @param name the name of the series that it belongs to, such as {@code process.cpu}
 * @param unit the unit of that series; empty for a number of things
 * @param value the value: of a total, since the beginning of what is measured
 * @param total whether the series has the growth of the value for each second, instead of the value
 */
public record Figure(String name, String unit, double value, boolean total) {
    /** Returns a value that stands for itself, such as bytes of memory. */
    public static Figure level(String name, String unit, double value) {
        return new Figure(name, unit, value, false);
    }

    /** Returns a number that stands for itself. */
    public static Figure level(String name, String unit, long value) {
        return level(name, unit, (double) value);
    }

    /**
     * Returns a value that only grows, such as seconds of CPU.
     *
     * @param unit the unit of the growth for each second: cores, if the value is in seconds of CPU
     */
    public static Figure total(String name, String unit, double value) {
        return new Figure(name, unit, value, true);
    }

    /** Returns a number that only grows. */
    public static Figure total(String name, String unit, long value) {
        return total(name, unit, (double) value);
    }
}
