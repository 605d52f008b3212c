package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.syntax.IpLiterals;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Warnings about IP addresses and ranges that are valid, but not in their usual form, in upstream's words. */
final class AddressWarnings {
    private static final int V4_BITS = 32;
    private static final int V6_BITS = 128;

    private AddressWarnings() {}

    /**
     * Returns the warnings about an address; none if it is malformed.
     *
     * @param path of the field that has it
     */
    static List<String> ip(String path, String text) {
        if (!FormatRules.isIp(text)) {
            return List.of();
        }
        String usual = IpLiterals.canonical(decimal(text));
        if (FormatRules.hasOctal(text) || FormatRules.isMapped(text)) {
            return List.of(
                    path + ": non-standard IP address " + Json.text(text) + " is invalid: use " + Json.text(usual));
        }
        if (text.contains(":") && !usual.equals(text)) {
            return List.of(path + ": IPv6 address " + Json.text(text) + " should be in RFC 5952 canonical format ("
                    + Json.text(usual) + ")");
        }
        return List.of();
    }

    /** Returns the warnings about the addresses of a list. */
    static List<String> ips(String path, List<String> texts) {
        return each(texts.size(), i -> ip(path + "[" + i + "]", texts.get(i)));
    }

    /** Returns the warnings about a field of each object of a list. */
    static List<String> ips(String path, List<JsonObject> objects, String field) {
        return each(
                objects.size(),
                i -> ip(path + "[" + i + "]." + field, objects.get(i).string(field)));
    }

    /** Returns the warnings about the ranges of a list. */
    static List<String> ranges(String path, List<String> texts) {
        return each(texts.size(), i -> range(path + "[" + i + "]", texts.get(i)));
    }

    private static List<String> each(int count, IntFunction<List<String>> warnings) {
        return IntStream.range(0, count)
                .mapToObj(warnings)
                .flatMap(List::stream)
                .toList();
    }

    /**
     * Returns the warnings about a range of addresses; none if it is malformed.
     *
     * @param path of the field that has it
     */
    static List<String> range(String path, String text) {
        if (!IpLiterals.isPrefix(text)) {
            return List.of();
        }
        int slash = text.indexOf('/');
        String address = text.substring(0, slash);
        boolean mapped = FormatRules.isMapped(decimal(address));
        int size = address.contains(":") ? V6_BITS : V4_BITS;
        int length = Integer.parseInt(text.substring(slash + 1)) - (mapped ? V6_BITS - V4_BITS : 0);
        if (length < 0) {
            return List.of();
        }
        String bits = FormatRules.bits(decimal(address));
        String network =
                IpLiterals.ofBits(bits.substring(0, length) + "0".repeat(bits.length() - length)) + "/" + length;
        List<String> warnings = new ArrayList<>();
        if (bits.indexOf('1', length) >= 0) {
            warnings.add(path + ": CIDR value " + Json.text(text) + " is ambiguous in this context (should be "
                    + Json.text(network) + " or " + Json.text(IpLiterals.ofBits(bits) + "/" + size) + "?)");
        }
        boolean octal = FormatRules.hasOctal(address) || text.matches(".*/0\\d+");
        if (octal || mapped) {
            warnings.add(
                    path + ": non-standard CIDR value " + Json.text(text) + " is invalid: use " + Json.text(network));
        }
        if (warnings.isEmpty() && size == V6_BITS && !network.equals(text)) {
            warnings.add(path + ": IPv6 CIDR value " + Json.text(text) + " should be in RFC 5952 canonical format ("
                    + Json.text(network) + ")");
        }
        return warnings;
    }

    /** Removes zeros before the numbers of an IPv4 address, which are not octal. */
    static String decimal(String address) {
        return address.replaceAll("(^|[.:])0+(?=\\d+(\\.|$))", "$1");
    }
}
