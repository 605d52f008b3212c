package dev.evenkeel.policy.internal.convert;

import dev.evenkeel.policy.internal.model.PortRange;
import dev.evenkeel.policy.internal.model.Ports;
import io.fabric8.kubernetes.api.model.IntOrString;
import java.util.List;
import java.util.regex.Pattern;

/** Ports of rules: numbers, ranges and names. */
final class PortTexts {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,5}");

    /** A name of a port of a container: it has a letter, and no hyphens at its ends or side by side. */
    private static final Pattern NAME = Pattern.compile("(?=.*[a-z])[a-z0-9]+(-[a-z0-9]+)*", Pattern.CASE_INSENSITIVE);

    private PortTexts() {}

    /**
     * Reads a number, the name of a port, or a range of two numbers with a separator between them.
     *
     * @throws IllegalArgumentException if it is none of them
     */
    static Ports parse(IntOrString port, char separator) {
        Integer number = port.getIntVal();
        if (number != null) {
            return new Ports(List.of(), List.of(PortRange.of(number)));
        }
        String text = port.getStrVal() == null ? "" : port.getStrVal();
        int at = text.indexOf(separator);
        String first = at < 0 ? text : text.substring(0, at);
        String last = at < 0 ? text : text.substring(at + 1);
        if (NUMBER.matcher(first).matches() && NUMBER.matcher(last).matches()) {
            return new Ports(List.of(), List.of(new PortRange(Integer.parseInt(first), Integer.parseInt(last))));
        }
        if (at >= 0 || !NAME.matcher(text).matches()) {
            throw new IllegalArgumentException("the port \"" + text + "\" must be a number or a name");
        }
        return new Ports(List.of(text), List.of());
    }
}
