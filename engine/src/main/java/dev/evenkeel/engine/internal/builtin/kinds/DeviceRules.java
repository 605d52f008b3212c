package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.cel.DeviceExpressions;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Rules that kinds of dynamic resource allocation share: claims, selectors, configurations, names. */
final class DeviceRules {
    static final int MOST_CONFIGURATIONS = 32;
    private static final int MOST = 32;
    private static final int MOST_ALTERNATIVES = 8;
    private static final int MOST_BINDINGS = 4;
    private static final int LONGEST_EXPRESSION = 10 * 1024;
    private static final int LONGEST_PARAMETERS = 10 * 1024;
    private static final int LONGEST_POOL = 253;
    private static final int LONGEST_ID = 32;
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern UUID = Pattern.compile("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}");
    private static final Pattern BARE_UUID = Pattern.compile("[0-9A-Fa-f]{32}");
    private static final int LENGTH_OF_UUID = 36;
    private static final String REFERENCE =
            "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

    private DeviceRules() {}

    /** Validates the specification of a claim. */
    static void claim(Field spec) {
        Field devices = spec.at("devices");
        Map<String, Set<String>> names = requestNames(devices.object());
        set(
                devices.at("requests"),
                MOST,
                DeviceRules::request,
                request -> request.at("name").text());
        each(devices.at("constraints"), MOST, constraint -> constraint(constraint, names));
        each(devices.at("config"), MOST_CONFIGURATIONS, config -> {
            references(config.at("requests"), names);
            configuration(config);
        });
    }

    /** Returns the names of the requests, each with those of its alternatives. */
    static Map<String, Set<String>> requestNames(JsonObject devices) {
        Map<String, Set<String>> names = new HashMap<>();
        for (JsonObject request : devices.objects("requests")) {
            Set<String> alternatives = new HashSet<>();
            request.objects("firstAvailable").forEach(each -> alternatives.add(each.string("name")));
            names.put(request.string("name"), alternatives);
        }
        return names;
    }

    /** Validates items, unless there are more than a limit, of which -1 is none. */
    static void each(Field list, int most, Consumer<Field> rule) {
        if (fits(list, most)) {
            list.items().forEach(rule);
        } else {
            list.tooMany(list.array().size(), most);
        }
    }

    /** Validates items as {@link #each} does, and requires that they have different keys. */
    static void set(Field list, int most, Consumer<Field> rule, Function<Field, String> key) {
        set(list, most, rule, key, Field::duplicate);
    }

    /**
     * Validates items in the same way.
     *
     * @param repeated adds the error of an item with a key that another one has
     */
    static void set(
            Field list,
            int most,
            Consumer<Field> rule,
            Function<Field, String> key,
            BiConsumer<Field, String> repeated) {
        each(list, most, rule);
        if (fits(list, most)) {
            distinct(list, key, repeated);
        }
    }

    private static boolean fits(Field list, int most) {
        return most < 0 || list.array().size() <= most;
    }

    private static void distinct(Field list, Function<Field, String> key, BiConsumer<Field, String> repeated) {
        Set<String> seen = new HashSet<>();
        for (Field item : list.items()) {
            String found = key.apply(item);
            if (!seen.add(found)) {
                repeated.accept(item, found);
            }
        }
    }

    private static void request(Field request) {
        request.at("name").obeys(Names::label);
        Field exactly = request.at("exactly");
        Field alternatives = request.at("firstAvailable");
        boolean several = !alternatives.array().isEmpty();
        if (exactly.given() && several) {
            request.invalid(
                    null, "exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set");
        } else if (exactly.given()) {
            devices(exactly);
        } else if (several) {
            set(
                    alternatives,
                    MOST_ALTERNATIVES,
                    alternative -> {
                        alternative.at("name").obeys(Names::label);
                        devices(alternative);
                    },
                    alternative -> alternative.at("name").text());
        } else {
            request.missing("exactly one of `exactly` or `firstAvailable` is required");
        }
    }

    private static void devices(Field request) {
        request.at("deviceClassName").require(Names::subdomain);
        selectors(request.at("selectors"));
        Field mode = request.at("allocationMode");
        Field count = request.at("count");
        switch (mode.text()) {
            case "All" -> {
                if (count.number() != 0) {
                    count.invalid("must not be specified when allocationMode is 'All'");
                }
            }
            case "ExactCount" -> {
                if (count.number() <= 0) {
                    count.invalid(count.number(), "must be greater than zero");
                }
            }
            default -> mode.oneOf("All", "ExactCount");
        }
        request.at("tolerations").items().forEach(DeviceRules::toleration);
    }

    static void selectors(Field selectors) {
        each(selectors, MOST, selector -> {
            Field cel = selector.at("cel");
            if (!cel.given()) {
                cel.missing();
                return;
            }
            Field expression = cel.at("expression");
            if (Names.bytes(expression.text()) > LONGEST_EXPRESSION) {
                expression.tooLong(LONGEST_EXPRESSION);
                return;
            }
            DeviceExpressions.Selector compiled = DeviceExpressions.of(expression.text());
            if (!compiled.error().isEmpty()) {
                expression.invalid(expression.text(), compiled.error());
            } else if (compiled.cost() > DeviceExpressions.MOST_COST) {
                expression.forbidden("too complex, exceeds cost limit");
            }
        });
    }

    private static void toleration(Field toleration) {
        toleration.at("key").requireIfGiven(Names::qualified);
        Field operator = toleration.at("operator");
        Field value = toleration.at("value");
        switch (operator.text()) {
            case "Exists" -> {
                if (!value.text().isEmpty()) {
                    value.invalid("must be empty for operator `Exists`");
                }
            }
            case "Equal" -> value.obeys(Names::labelValue);
            case "" -> operator.missing();
            default -> operator.oneOf("Equal", "Exists");
        }
        toleration.at("effect").oneOfIfGiven("NoExecute", "NoSchedule", "None");
    }

    static void taint(Field taint) {
        taint.at("key").obeys(Names::qualified);
        taint.at("value").requireIfGiven(Names::labelValue);
        Field effect = taint.at("effect");
        if (effect.require()) {
            effect.oneOf("NoExecute", "NoSchedule", "None");
        }
    }

    private static void constraint(Field constraint, Map<String, Set<String>> names) {
        references(constraint.at("requests"), names);
        Field match = constraint.at("matchAttribute");
        Field distinct = constraint.at("distinctAttribute");
        if (match.given()) {
            fullyQualified(match);
        } else if (distinct.given()) {
            fullyQualified(distinct);
        } else {
            constraint.missing("exactly one of \"matchAttribute\" or \"distinctAttribute\" is required, but multiple"
                    + " fields are set");
        }
    }

    static void references(Field list, Map<String, Set<String>> names) {
        set(list, MOST, name -> reference(name, names), Field::text);
    }

    static void reference(Field name, Map<String, Set<String>> names) {
        String[] parts = name.text().split("/", -1);
        if (parts.length > 2) {
            name.invalid(name.text(), REFERENCE);
            return;
        }
        for (String part : parts) {
            Names.label(part).forEach(detail -> name.invalid(part, detail));
        }
        Set<String> alternatives = names.get(parts[0]);
        if (alternatives == null || (parts.length == 2 && !alternatives.contains(parts[1]))) {
            name.invalid(name.text(), REFERENCE);
        }
    }

    static void configuration(Field config) {
        Field opaque = config.at("opaque");
        if (!opaque.given()) {
            opaque.missing();
            return;
        }
        VolumeRules.csiDriver(opaque.at("driver"));
        parameters(opaque.at("parameters"), LONGEST_PARAMETERS);
    }

    /** Requires a JSON object of a limited size. */
    static void parameters(Field parameters, int longest) {
        if (!parameters.given()) {
            parameters.missing();
        } else if (Names.bytes(Json.text(parameters.value())) > longest) {
            parameters.tooLong(longest);
        } else if (!(parameters.value() instanceof JsonObject)) {
            parameters.invalid("<value omitted>", "must be a valid JSON object");
        }
    }

    /** Checks the conditions that a device waits for, and those that end the wait. */
    static void bindings(Field device) {
        Field conditions = device.at("bindingConditions");
        Field failures = device.at("bindingFailureConditions");
        each(conditions, MOST_BINDINGS, name -> name.obeys(Names::qualified));
        each(failures, MOST_BINDINGS, name -> name.obeys(Names::qualified));
        distinct(conditions, Field::text, Field::duplicate);
        Set<String> seen = new HashSet<>();
        for (Field failure : failures.items()) {
            failure.distinct(seen);
            if (conditions.array().contains(failure.value())) {
                failure.invalid("bindingFailureConditions must not overlap with bindingConditions");
            }
        }
        if (conditions.array().isEmpty() && !failures.array().isEmpty()) {
            conditions.invalid(null, "bindingConditions are required to use bindingFailureConditions");
        }
        if (failures.array().isEmpty() && !conditions.array().isEmpty()) {
            failures.invalid(null, "bindingFailureConditions are required to use bindingConditions");
        }
    }

    /** Checks the identifier of a share of a device: a UUID in its usual form, of those that upstream's library reads. */
    static void share(Field share) {
        String id = share.text();
        if (!share.given()) {
            return;
        }
        String wrong = wrongUuid(id);
        if (!wrong.isEmpty()) {
            share.invalid("error validating uid: " + wrong);
        } else if (id.length() != LENGTH_OF_UUID || !id.equals(id.toLowerCase(Locale.ROOT))) {
            share.invalid(
                    "uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase"
                            + " hexadecimal characters");
        }
    }

    private static String wrongUuid(String id) {
        String digits = id;
        switch (Names.bytes(id)) {
            case LENGTH_OF_UUID -> {}
            case LENGTH_OF_UUID + 9 -> {
                String prefix = id.substring(0, 9);
                if (!prefix.equalsIgnoreCase("urn:uuid:")) {
                    return "invalid urn prefix: " + Json.text(prefix);
                }
                digits = id.substring(9);
            }
            case LENGTH_OF_UUID + 2 -> {
                if (!id.startsWith("{") || !id.endsWith("}")) {
                    return "invalid bracketed UUID format";
                }
                digits = id.substring(1, id.length() - 1);
            }
            case LENGTH_OF_UUID - 4 -> {
                return BARE_UUID.matcher(id).matches() ? "" : "invalid UUID format";
            }
            default -> {
                return "invalid UUID length: " + Names.bytes(id);
            }
        }
        return UUID.matcher(digits).matches() ? "" : "invalid UUID format";
    }

    static void pool(Field pool) {
        if (!pool.require()) {
            return;
        }
        if (Names.bytes(pool.text()) > LONGEST_POOL) {
            pool.tooLong(LONGEST_POOL);
        }
        for (String part : pool.text().split("/", -1)) {
            Names.subdomain(part).forEach(detail -> pool.invalid(part, detail));
        }
    }

    /** Validates the name of an attribute or capacity, which may have a domain. */
    static void qualified(Field field, String name) {
        String[] parts = name.split("/", -1);
        if (parts.length == 1) {
            identifier(field, parts[0]);
        } else if (parts.length == 2) {
            if (parts[0].isEmpty()) {
                field.invalid("", "the domain must not be empty");
            } else {
                VolumeRules.csiDriver(field, parts[0]);
            }
            if (parts[1].isEmpty()) {
                field.invalid("", "the name must not be empty");
            } else {
                identifier(field, parts[1]);
            }
        }
    }

    private static void fullyQualified(Field field) {
        qualified(field, field.text());
        if (!field.text().contains("/")) {
            field.invalid(field.text(), "a fully qualified name must be a domain and a name separated by a slash");
        }
    }

    private static void identifier(Field field, String name) {
        if (Names.bytes(name) > LONGEST_ID) {
            field.tooLong(LONGEST_ID);
        }
        if (!IDENTIFIER.matcher(name).matches()) {
            field.invalid(
                    name,
                    "a valid C identifier must start with alphabetic character or '_', followed by a string of"
                            + " alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used"
                            + " for validation is '[A-Za-z_][A-Za-z0-9_]*')");
        }
    }
}
