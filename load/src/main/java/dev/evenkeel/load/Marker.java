package dev.evenkeel.load;

/**
 * Objects that are created, and deleted again, all the time, to see how long a change needs to have its effect while the
 * controller is busy with others.
 *
 * @param template the objects; its count is not used
 * @param perSecond the number that is created each second
 * @param effect the visible effect of their creation
 */
public record Marker(Template template, double perSecond, Effect effect) {
    public Marker {
        if (!(perSecond > 0)) {
            throw new IllegalArgumentException("the rate of the marker must be positive: " + perSecond);
        }
    }
}
