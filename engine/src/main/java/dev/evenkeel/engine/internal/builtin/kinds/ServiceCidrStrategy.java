package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.IpLiterals;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ranges of service addresses. */
record ServiceCidrStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void validate(Field root) {
        Field spec = root.at("spec");
        Field cidrs = spec.at("cidrs");
        int count = cidrs.array().size();
        if (count == 0) {
            cidrs.missing("at least one CIDR required");
        } else if (count > 2) {
            cidrs.invalidText(StructText.of(spec, "CIDRs", "cidrs"), "may only hold up to 2 values");
        } else {
            cidrs.items().forEach(ServiceCidrStrategy::cidr);
            if (areOfOneFamily(cidrs.items())) {
                cidrs.invalid(
                        "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64");
            }
        }
    }

    /** Returns whether several ranges, all of which can be read, have the same family. */
    private static boolean areOfOneFamily(List<Field> cidrs) {
        return cidrs.size() > 1
                && cidrs.stream().allMatch(cidr -> IpLiterals.isPrefix(cidr.text()))
                && cidrs.stream()
                                .map(cidr -> cidr.text().contains(":"))
                                .distinct()
                                .count()
                        == 1;
    }

    private static void cidr(Field cidr) {
        if (!FormatRules.prefix(cidr)) {
            return;
        }
        int slash = cidr.text().indexOf('/');
        String canonical = IpLiterals.canonical(cidr.text().substring(0, slash))
                + cidr.text().substring(slash);
        if (!cidr.text().equals(canonical)) {
            cidr.invalid("must be in canonical form (\"" + canonical + "\")");
        }
    }

    @Override
    public boolean validatesWhole() {
        return false;
    }

    /** Requires that the ranges stay, except that a single one may get a second one of the other family. */
    @Override
    public void validateUpdate(Field root, JsonObject old) {
        Field cidrs = root.at("spec", "cidrs");
        List<@Nullable Object> former = old.array("spec", "cidrs");
        int count = cidrs.array().size();
        if (count == former.size()) {
            stay(cidrs, former);
        } else if (former.size() == 1 && count == 2) {
            stay(cidrs, former);
            validate(root);
        } else {
            cidrs.invalid(Field.IMMUTABLE);
        }
    }

    private static void stay(Field cidrs, List<@Nullable Object> former) {
        for (int i = 0; i < former.size(); i++) {
            Field cidr = cidrs.items().get(i);
            if (!cidr.text().equals(former.get(i))) {
                cidr.invalid(cidr.text(), Field.IMMUTABLE);
            }
        }
    }
}
