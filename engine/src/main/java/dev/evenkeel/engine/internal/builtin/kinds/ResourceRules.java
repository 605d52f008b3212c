package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.syntax.Quantity;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Rules of resource names and amounts: of containers and pods, quotas, limits and nodes. */
final class ResourceRules {
    private static final String NOT_INTEGER = "must be an integer";
    private static final Set<String> STANDARD = Set.of(("cpu memory ephemeral-storage requests.cpu requests.memory"
                    + " requests.ephemeral-storage limits.cpu limits.memory limits.ephemeral-storage pods"
                    + " resourcequotas services replicationcontrollers secrets configmaps persistentvolumeclaims"
                    + " services.nodeports services.loadbalancers storage requests.storage")
            .split(" ", -1));
    private static final Set<String> COUNTED = Set.of(("pods resourcequotas services replicationcontrollers secrets"
                    + " configmaps persistentvolumeclaims services.nodeports services.loadbalancers")
            .split(" ", -1));
    private static final Set<String> IN_CONTAINERS = Set.of("cpu", "memory", "ephemeral-storage");

    private ResourceRules() {}

    /** Validates the requests and limits of a container. */
    static void container(Field resources, Set<String> claims) {
        requirements(resources, ResourceRules::inContainer);
        claims(resources.at("claims"), claims);
    }

    /** Validates the requests and limits of a pod as a whole. */
    static void pod(Field resources) {
        if (resources.at("claims").given()) {
            resources.at("claims").forbidden("claims cannot be set for Resources at pod-level");
        }
        requirements(resources, (entry, name) -> {
            if (any(entry, name) && !name.equals("cpu") && !name.equals("memory") && !isHugePages(name)) {
                entry.notSupported(name, List.of("cpu", "hugepages-", "memory"));
            }
            return true;
        });
    }

    /** Validates the overhead of pods, as if it were the limits of a container. */
    static void overhead(Field spec, Field amounts) {
        JsonObject limits = JsonObject.of("limits", amounts.value());
        requirements(spec.with("overhead", limits), ResourceRules::inContainer);
    }

    /** Checks the resources of a pod as a whole against those of its containers. */
    static void consistent(Field spec) {
        Field whole = spec.at("resources");
        for (String which : List.of("requests", "limits")) {
            PodRequests.of(spec.object(), which).forEach((name, sum) -> {
                Field entry = whole.at(which).entry(name);
                FormatRules.quantity(entry)
                        .filter(amount -> which.equals("requests") || isHugePages(name))
                        .filter(amount -> sum.compareTo(amount) > 0)
                        .ifPresent(amount -> entry.invalid(
                                amount.text(),
                                "must be greater than or equal to aggregate container " + which + " of " + sum.text()));
            });
        }
        List<Field> containers = spec.at("containers").items();
        for (int i = 0; i < containers.size(); i++) {
            Field limits = containers.get(i).at("resources", "limits");
            Field shown = whole.at("containers").with("[" + i + "]", null);
            for (String name : limits.object().keySet()) {
                Optional<Quantity> limit = FormatRules.quantity(limits.entry(name));
                Optional<Quantity> most =
                        FormatRules.quantity(whole.at("limits").entry(name));
                if (limit.isPresent() && most.isPresent() && limit.get().compareTo(most.get()) > 0) {
                    shown.entry(name)
                            .at("limits")
                            .invalid(
                                    limit.get().text(),
                                    "must be less than or equal to pod limits of "
                                            + most.get().text());
                }
            }
        }
    }

    /** A rule of resource names; returns whether the name is valid. */
    interface NameRule {
        boolean check(Field entry, String name);
    }

    private static void requirements(Field resources, NameRule names) {
        Field limits = resources.at("limits");
        Field requests = resources.at("requests");
        limits.object().forEach((name, value) -> {
            amount(limits.entry(name), name, names);
            pages(limits.entry(name), name);
        });
        requests.object().forEach((name, value) -> {
            amount(requests.entry(name), name, names);
            Optional<Quantity> requested = FormatRules.quantity(requests.entry(name));
            Optional<Quantity> limit = FormatRules.quantity(limits.entry(name));
            boolean overcommit = isNative(name) && !isHugePages(name);
            if (limit.isEmpty() && !overcommit) {
                limits.missing("Limit must be set for non overcommitable resources");
            }
            if (requested.isPresent() && limit.isPresent()) {
                int order = requested.get().compareTo(limit.get());
                if (order != 0 && !overcommit) {
                    requests.invalid(
                            requested.get().text(),
                            "must be equal to " + name + " limit of "
                                    + limit.get().text());
                } else if (order > 0) {
                    requests.invalid(
                            requested.get().text(),
                            "must be less than or equal to " + name + " limit of "
                                    + limit.get().text());
                }
            }
            pages(requests.entry(name), name);
        });
        Set<String> all = new HashSet<>(limits.object().keySet());
        all.addAll(requests.object().keySet());
        if (all.stream().anyMatch(ResourceRules::isHugePages) && !all.contains("cpu") && !all.contains("memory")) {
            resources.forbidden("HugePages require cpu or memory");
        }
    }

    private static void amount(Field entry, String name, NameRule names) {
        names.check(entry, name);
        value(entry, name);
    }

    /** Requires an amount of huge pages to be one of whole pages. */
    private static void pages(Field entry, String name) {
        if (isHugePages(name)) {
            BigDecimal size = Quantity.read(name.substring("hugepages-".length()))
                    .map(Quantity::value)
                    .orElse(BigDecimal.ZERO);
            FormatRules.quantity(entry)
                    .filter(amount ->
                            size.signum() <= 0 || amount.value().remainder(size).signum() != 0)
                    .ifPresent(amount -> entry.invalid(
                            amount.text(), amount.text() + " is not positive integer multiple of " + name));
        }
    }

    /** Requires an amount that is not negative, and whole if the resource is counted. */
    static void value(Field entry, String name) {
        FormatRules.quantity(entry).ifPresent(amount -> {
            if (amount.value().signum() < 0) {
                entry.invalid(amount.text(), "must be greater than or equal to 0");
            }
            if ((COUNTED.contains(name) || isExtended(name)) && !isWhole(amount.value())) {
                entry.invalid(amount.text(), NOT_INTEGER);
            }
        });
    }

    private static boolean isWhole(BigDecimal value) {
        return value.remainder(BigDecimal.ONE).signum() == 0;
    }

    static boolean isHugePages(String name) {
        return name.startsWith("hugepages-");
    }

    static boolean isNative(String name) {
        return !name.contains("/") || name.contains("kubernetes.io/");
    }

    static boolean isExtended(String name) {
        return !isNative(name)
                && !name.startsWith("requests.")
                && Names.qualified("requests." + name).isEmpty();
    }

    /** Checks the name of any resource. */
    static boolean any(Field entry, String name) {
        List<String> details = Names.qualified(name);
        details.forEach(detail -> entry.invalid(name, detail));
        if (!details.isEmpty()) {
            return false;
        }
        if (!name.contains("/") && !STANDARD.contains(name) && !isHugePagesInQuota(name)) {
            entry.invalid(name, "must be a standard resource type or fully qualified");
            return false;
        }
        return true;
    }

    /** Checks the name of a resource of containers. */
    static boolean inContainer(Field entry, String name) {
        boolean valid = any(entry, name);
        if (!name.contains("/") && !IN_CONTAINERS.contains(name) && !isHugePages(name)) {
            entry.invalid(name, "must be a standard resource for containers");
            return false;
        }
        if (!isNative(name) && !isExtended(name)) {
            entry.invalid(name, "doesn't follow extended resource name standard");
            return false;
        }
        return valid;
    }

    /** Checks the name of a resource that quotas limit. */
    static void inQuota(Field entry, String name) {
        any(entry, name);
        if (!name.contains("/") && !isStandardInQuota(name)) {
            entry.invalid(name, "must be a standard resource for quota");
        }
    }

    /** Returns whether quotas know the resource without a domain. */
    static boolean isStandardInQuota(String name) {
        return (STANDARD.contains(name) && !name.equals("storage")) || isHugePagesInQuota(name);
    }

    private static boolean isHugePagesInQuota(String name) {
        return isHugePages(name) || name.startsWith("requests.hugepages-");
    }

    private static void claims(Field claims, Set<String> known) {
        Set<String> seen = new HashSet<>();
        for (Field claim : claims.items()) {
            String name = claim.at("name").text();
            if (name.isEmpty()) {
                claim.missing();
                continue;
            }
            if (seen.contains(name)) {
                claim.duplicate(name);
            } else {
                claim.at("request").requireIfGiven(Names::label);
                String request = claim.at("request").text();
                String key = request.isEmpty() ? name : name + "/" + request;
                if (seen.contains(key)) {
                    claim.duplicate(key);
                } else if (request.isEmpty()) {
                    seen.stream().filter(other -> other.startsWith(name + "/")).forEach(other -> claim.duplicate(name));
                }
                seen.add(key);
            }
            if (!known.contains(name)) {
                claim.notFound(
                        name,
                        "must be one of the names in pod.spec.resourceClaims"
                                + (known.isEmpty()
                                        ? " which is empty"
                                        : ": " + String.join(", ", new TreeSet<>(known))));
            }
        }
    }
}
