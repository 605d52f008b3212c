package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.IpLiterals;
import java.util.ArrayList;
import java.util.List;

/** Ranges of service addresses. */
record ServiceCidrStrategy(KindFacts facts) implements KindStrategy {
    private static final String ERROR = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

    @Override
    public void validate(Field root) {
        Field cidrs = root.at("spec", "cidrs");
        if (cidrs.array().isEmpty()) {
            cidrs.missing("at least one CIDR required");
        } else if (cidrs.array().size() > 2) {
            cidrs.invalid("may only hold up to 2 values");
        } else if (cidrs.array().size() == 2
                && cidrs.items().get(0).text().contains(":")
                        == cidrs.items().get(1).text().contains(":")) {
            cidrs.invalid("may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64");
        }
        cidrs.items().forEach(ServiceCidrStrategy::cidr);
    }

    private static void cidr(Field cidr) {
        String text = cidr.text();
        int slash = text.indexOf('/');
        String address = slash < 0 ? "" : text.substring(0, slash);
        String plain = address.contains(":") ? address : address.replaceAll("(^|\\.)0+(\\d)", "$1$2");
        if (slash < 0 || !FormatRules.isIp(plain) || !text.substring(slash + 1).matches("\\d{1,3}")) {
            cidr.invalid(ERROR);
        } else if (!plain.equals(address) || text.substring(slash + 1).matches("0\\d+")) {
            cidr.invalid("must not have leading 0s in IP or prefix length");
        } else if (IpLiterals.isV4(address) && hasHostBits(address, Integer.parseInt(text.substring(slash + 1)))) {
            cidr.invalid("must not have bits set beyond the prefix length");
        }
    }

    private static boolean hasHostBits(String address, int length) {
        long bits = 0;
        for (String part : address.split("\\.", -1)) {
            bits = bits << 8 | Long.parseLong(part);
        }
        return length < 32 && (bits & ((1L << (32 - length)) - 1)) != 0;
    }

    /** Keeps an empty list, which is refused, so that the error shows it. */
    @Override
    public List<String> normalise(JsonObject tree, List<String> duplicates) {
        boolean empty = hasEmpty(tree);
        List<String> problems = KindStrategy.super.normalise(tree, duplicates);
        if (empty) {
            keepEmpty(tree);
        }
        return problems;
    }

    @Override
    public void settle(JsonObject tree) {
        boolean empty = hasEmpty(tree);
        KindStrategy.super.settle(tree);
        if (empty) {
            keepEmpty(tree);
        }
    }

    private static boolean hasEmpty(JsonObject tree) {
        return tree.object("spec").get("cidrs") instanceof List<?> list && list.isEmpty();
    }

    private static void keepEmpty(JsonObject tree) {
        tree.withObject("spec").put("cidrs", new ArrayList<>());
    }

    @Override
    public boolean validatesWhole() {
        return false;
    }

    /** Checks only that the ranges stay: upstream does not repeat the other rules. */
    @Override
    public void validateUpdate(Field root, JsonObject old) {
        root.immutable(old, "spec", "cidrs");
    }
}
