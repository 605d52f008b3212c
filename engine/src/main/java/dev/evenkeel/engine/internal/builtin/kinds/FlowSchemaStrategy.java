package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Flow schemas, which assign requests to priority levels. */
record FlowSchemaStrategy(KindFacts facts) implements KindStrategy {
    private static final long MOST = 10_000;
    private static final List<String> VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch");

    @Override
    public void validateStatusUpdate(Field root, JsonObject old) {
        ConditionRules.validateTypes(root.at("status", "conditions"));
    }

    @Override
    public void validate(Field root) {
        Field spec = root.at("spec");
        Field precedence = spec.at("matchingPrecedence");
        if (precedence.number() <= 0) {
            precedence.invalid(precedence.number(), "must be a positive value");
        }
        if (precedence.number() > MOST) {
            precedence.invalid("must not be greater than " + MOST);
        }
        if (precedence.number() == 1 && !root.at("metadata", "name").text().equals("exempt")) {
            precedence.invalid("only the schema named 'exempt' may have matchingPrecedence 1");
        }
        Field method = spec.at("distinguisherMethod");
        if (method.given()
                && !List.of("ByNamespace", "ByUser").contains(method.at("type").text())) {
            method.at("type")
                    .notSupportedText(StructText.ofTexts(method, "Type", "type"), List.of("ByNamespace", "ByUser"));
        }
        Field level = spec.at("priorityLevelConfiguration", "name");
        if (level.require("must reference a priority level")) {
            level.obeys(Names::subdomain);
        }
        spec.at("rules").items().forEach(FlowSchemaStrategy::rule);
        mandatory(spec, root.at("metadata", "name").text());
    }

    /** Requires that the two schemas which every server has are as they are. */
    private static void mandatory(Field spec, String name) {
        boolean changed = List.of("exempt", "catch-all").contains(name)
                && BootstrapObjects.flowSchemas().stream()
                        .filter(schema -> name.equals(schema.string("metadata", "name")))
                        .noneMatch(schema -> schema.object("spec").equals(spec.object()));
        if (changed) {
            spec.invalidText(
                    InternalForm.text("flowcontrol.v1.FlowSchemaSpec", spec.value()),
                    "spec of '" + name + "' must equal the fixed value");
        }
    }

    private static void rule(Field rule) {
        Field subjects = rule.at("subjects");
        if (subjects.array().isEmpty()) {
            subjects.missing("subjects must contain at least one value");
        }
        subjects.items().forEach(FlowSchemaStrategy::subject);
        Field resources = rule.at("resourceRules");
        Field others = rule.at("nonResourceRules");
        if (resources.array().isEmpty() && others.array().isEmpty()) {
            rule.missing("at least one of resourceRules and nonResourceRules has to be non-empty");
        }
        resources.items().forEach(FlowSchemaStrategy::resources);
        for (Field other : others.items()) {
            verbs(other.at("verbs"));
            Field urls = other.at("nonResourceURLs");
            if (values(urls, "nonResourceURLs must contain at least one value", "non-resource URLs")) {
                urls.items().forEach(FlowSchemaStrategy::url);
            }
        }
    }

    private static void subject(Field subject) {
        String kind = subject.at("kind").text();
        List<String> kinds = List.of("Group", "ServiceAccount", "User");
        if (!kinds.contains(kind)) {
            subject.at("kind").notSupported(kind, kinds);
            return;
        }
        Field named = subject.at(field(kind));
        if (!named.given()) {
            named.missing(field(kind) + " is required when subject kind is '" + kind + "'");
        } else {
            Field name = named.at("name");
            if (name.require() && kind.equals("ServiceAccount") && !name.text().equals("*")) {
                name.obeys(Names::subdomain);
            }
            if (kind.equals("ServiceAccount")
                    && named.at("namespace").require("must specify namespace for service account")) {
                named.at("namespace").obeys(Names::label);
            }
        }
        for (String other : List.of("ServiceAccount", "User", "Group")) {
            if (!other.equals(kind) && subject.at(field(other)).given()) {
                subject.at(field(other))
                        .forbidden(field(other) + " is forbidden when subject kind is not '" + other + "'");
            }
        }
    }

    private static String field(String kind) {
        return kind.substring(0, 1).toLowerCase(Locale.ROOT) + kind.substring(1);
    }

    private static void resources(Field rule) {
        verbs(rule.at("verbs"));
        values(rule.at("apiGroups"), "resource rules must supply at least one api group", "api groups");
        values(rule.at("resources"), "resource rules must supply at least one resource", "resources");
        Field namespaces = rule.at("namespaces");
        if (namespaces.array().isEmpty()
                && Boolean.TRUE.equals(rule.at("clusterScope").value())) {
            return;
        }
        if (values(
                namespaces,
                "resource rules that are not cluster scoped must supply at least one namespace",
                "namespaces")) {
            for (Field namespace : namespaces.items()) {
                Names.label(namespace.text())
                        .forEach(detail -> namespace.invalid(
                                namespace.text(),
                                "each member of this list must be '*' or a DNS-1123 label; " + detail));
            }
        }
    }

    private static void verbs(Field verbs) {
        if (values(verbs, "verbs must contain at least one value", "verbs") && !VERBS.containsAll(verbs.array())) {
            verbs.notSupported(verbs.value(), VERBS);
        }
    }

    /** Requires values, of which a star must be the only one; returns true if there are some and no star. */
    private static boolean values(Field values, String missing, String what) {
        if (values.array().isEmpty()) {
            values.missing(missing);
            return false;
        }
        boolean star = values.array().contains("*");
        if (star && values.array().size() > 1) {
            values.invalid("if '*' is present, must not specify other " + what);
        }
        return !star;
    }

    private static void url(Field url) {
        String path = url.text();
        int star = path.indexOf('*');
        if (path.isEmpty()) {
            url.invalid("must not be empty");
        } else if (!path.startsWith("/")) {
            url.invalid("must start with slash");
        } else if (path.contains(" ")) {
            url.invalid("must not contain white-space");
        } else if (path.contains("//")) {
            url.invalid("must not contain double slash");
        } else if (star >= 0 && (star < path.length() - 1 || !path.endsWith("/*"))) {
            url.invalid("wildcard can only do suffix matching");
        }
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return Cells.missingPriorityLevel(column, tree);
    }

    /** Shows those first that are tried first. */
    @Override
    public Optional<Comparator<JsonObject>> rowOrder() {
        return Optional.of(Comparator.<JsonObject>comparingLong(tree -> tree.integer("spec", "matchingPrecedence"))
                .thenComparing(tree -> tree.string("metadata", "name")));
    }
}
