package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.syntax.Quantity;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Limit ranges. */
record LimitRangeStrategy(KindFacts facts) implements KindStrategy {
    private static final Set<String> TYPES = Set.of("Container", "PersistentVolumeClaim", "Pod");
    private static final String RATIO = "maxLimitRequestRatio";
    private static final List<String> MAPS = List.of("max", "min", "default", "defaultRequest", RATIO);

    @Override
    public void applyDefaults(JsonObject tree) {
        tree.objects("spec", "limits").forEach(item -> {
            if (!item.string("type").equals("Container")) {
                return;
            }
            JsonObject limits = item.object("default");
            item.object("max").forEach(limits::putIfAbsent);
            JsonObject requests = item.object("defaultRequest");
            limits.forEach(requests::putIfAbsent);
            item.object("min").forEach(requests::putIfAbsent);
            item.setUnlessEmpty("default", limits).setUnlessEmpty("defaultRequest", requests);
        });
    }

    @Override
    public Optional<String> nameFrom(String prefix, Supplier<String> uuid) {
        return prefix.isEmpty() ? Optional.of(uuid.get()) : Optional.empty();
    }

    @Override
    public void validate(Field root) {
        Set<String> types = new HashSet<>();
        for (Field limit : root.at("spec", "limits").items()) {
            Field type = limit.at("type");
            if (type.obeys(Names::qualified) && !type.text().contains("/") && !TYPES.contains(type.text())) {
                type.invalid("must be a standard limit type or fully qualified");
            }
            type.distinct(types);
            names(limit, type.text());
            Set<String> resources = new LinkedHashSet<>();
            MAPS.forEach(map -> resources.addAll(limit.at(map).object().keySet()));
            resources.forEach(resource -> amounts(limit, resource));
        }
    }

    private static void names(Field limit, String type) {
        for (String map : MAPS) {
            Field amounts = limit.at(map);
            if (map.startsWith("default") && type.equals("Pod")) {
                if (!amounts.object().isEmpty()) {
                    amounts.forbidden("may not be specified when `type` is 'Pod'");
                }
                continue;
            }
            if (map.equals(RATIO)
                    && type.equals("PersistentVolumeClaim")
                    && !limit.at("min").object().containsKey("storage")
                    && !limit.at("max").object().containsKey("storage")) {
                limit.at("limits")
                        .missing("either minimum or maximum storage value is required, but neither was provided");
            }
            for (String name : amounts.object().keySet()) {
                if (type.equals("Pod") || type.equals("Container")) {
                    ResourceRules.inContainer(amounts.entry(name), name);
                } else {
                    ResourceRules.any(amounts.entry(name), name);
                }
            }
        }
    }

    /** Compares the amounts of a resource with each other. */
    private static void amounts(Field limit, String name) {
        Optional<Quantity> max = amount(limit, "max", name);
        Optional<Quantity> min = amount(limit, "min", name);
        Optional<Quantity> request = amount(limit, "defaultRequest", name);
        Optional<Quantity> most = amount(limit, "default", name);
        Field asked = limit.at("defaultRequest").entry(name);
        Field given = limit.at("default").entry(name);
        ordered(limit.at("min").entry(name), min, "min value", max, "max value", true);
        ordered(asked, min, "min value", request, "default request value", false);
        ordered(asked, request, "default request value", max, "max value", true);
        ordered(asked, request, "default request value", most, "default limit value", true);
        ordered(given, min, "min value", most, "default value", true);
        ordered(given, most, "default value", max, "max value", false);
        amount(limit, RATIO, name).ifPresent(ratio -> ratio(limit.at(RATIO).entry(name), ratio, min, max));
        boolean overcommitted = ResourceRules.isNative(name) && !ResourceRules.isHugePages(name);
        if (!overcommitted
                && most.isPresent()
                && request.isPresent()
                && most.get().compareTo(request.get()) != 0) {
            asked.invalid(
                    request.get().text(),
                    "default value " + most.get().text() + " must equal to defaultRequest value "
                            + request.get().text() + " in " + name);
        }
    }

    /** Returns an amount; the defaults of pods, which are an error, have none. */
    private static Optional<Quantity> amount(Field limit, String map, String name) {
        if (map.startsWith("default") && limit.at("type").text().equals("Pod")) {
            return Optional.empty();
        }
        return FormatRules.quantity(limit.at(map).entry(name));
    }

    /** Requires an order of two amounts, if both are given. */
    private static void ordered(
            Field shown,
            Optional<Quantity> low,
            String lowName,
            Optional<Quantity> high,
            String highName,
            boolean showLow) {
        if (low.isPresent() && high.isPresent() && low.get().compareTo(high.get()) > 0) {
            shown.invalid(
                    (showLow ? low : high).get().text(),
                    lowName + " " + low.get().text() + " is greater than " + highName + " "
                            + high.get().text());
        }
    }

    private static void ratio(Field field, Quantity ratio, Optional<Quantity> min, Optional<Quantity> max) {
        if (ratio.value().compareTo(BigDecimal.ONE) < 0) {
            field.invalid(ratio.text(), "ratio " + ratio.text() + " is less than 1");
        }
        if (min.isPresent() && max.isPresent() && min.get().value().signum() != 0) {
            BigDecimal possible = max.get().value().divide(min.get().value(), MathContext.DECIMAL64);
            if (ratio.value().compareTo(possible) > 0) {
                field.invalid(
                        ratio.text(),
                        String.format(
                                Locale.ROOT,
                                "ratio %s is greater than max/min = %f",
                                ratio.text(),
                                possible.doubleValue()));
            }
        }
    }
}
