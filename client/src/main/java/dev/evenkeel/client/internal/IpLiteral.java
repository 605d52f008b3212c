package dev.evenkeel.client.internal;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/** Parses IP addresses; never resolves a name. */
public final class IpLiteral {
    private static final Pattern V4 =
            Pattern.compile("(?:25[0-5]|2[0-4]\\d|[01]?\\d?\\d)(?:\\.(?:25[0-5]|2[0-4]\\d|[01]?\\d?\\d)){3}");
    // the first character and the colon keep the JDK from a lookup, also for malformed text
    private static final Pattern V6 = Pattern.compile("(?=.*:)[0-9a-fA-F:][0-9a-fA-F:.]{1,63}");

    private IpLiteral() {}

    /** Returns the address; empty when the text is a name or malformed. */
    public static Optional<InetAddress> parse(String text) {
        if (!V4.matcher(text).matches() && !V6.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getAllByName(text)[0]);
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }
}
