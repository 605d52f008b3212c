package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.builtin.BuiltinDecoder;
import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.schema.MetadataRules;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Events of the core group and of {@code events.k8s.io}: one storage, in the core form, with two names for the same
 * fields.
 */
record EventStrategy(KindFacts facts) implements KindStrategy {
    /** Alternating core names and events.k8s.io names; other fields have one name. */
    private static final String[] FIELDS = {
        "involvedObject", "regarding",
        "message", "note",
        "source", "deprecatedSource",
        "firstTimestamp", "deprecatedFirstTimestamp",
        "lastTimestamp", "deprecatedLastTimestamp",
        "count", "deprecatedCount",
        "reportingComponent", "reportingController"
    };

    private static final int MOST_CHARACTERS = 128;
    private static final int LONGEST_MESSAGE = 1024;
    /** The fields that updates through events.k8s.io may not change, by their core names; as upstream, one twice. */
    private static final List<String> FIXED = List.of(
            "involvedObject",
            "reason",
            "message",
            "source",
            "firstTimestamp",
            "lastTimestamp",
            "count",
            "reason",
            "type",
            "eventTime",
            "action",
            "related",
            "reportingComponent",
            "reportingInstance");

    private static final String[] REFERENCE = {
        "Kind", "kind",
        "Namespace", "namespace",
        "Name", "name",
        "UID", "uid",
        "APIVersion", "apiVersion",
        "ResourceVersion", "resourceVersion",
        "FieldPath", "fieldPath"
    };

    @Override
    public String storage() {
        return "events";
    }

    @Override
    public JsonObject convert(JsonObject tree) {
        Object from = tree.get("apiVersion");
        KindStrategy.super.convert(tree);
        if (from != null && !from.equals(tree.get("apiVersion"))) {
            rename(tree, facts.core() ? 1 : 0);
            BuiltinDecoder.normalize(tree, facts.resource().definition());
        }
        return tree;
    }

    private static void rename(JsonObject tree, int from) {
        for (int i = 0; i < FIELDS.length; i += 2) {
            if (tree.containsKey(FIELDS[i + from])) {
                tree.put(FIELDS[i + 1 - from], tree.remove(FIELDS[i + from]));
            }
        }
    }

    @Override
    public void validate(Field root) {
        rules(root);
        if (!facts.core()) {
            strictly(root);
        }
    }

    /** Checks what events.k8s.io requires of a new event in addition. */
    private void strictly(Field root) {
        series(root);
        if (!root.at("eventTime").given()) {
            root.at("eventTime").missing();
        }
        String type = root.at("type").text();
        if (!List.of("Normal", "Warning").contains(type)) {
            root.at("type").invalid("", "has invalid value: " + type);
        }
        for (String unset : List.of("firstTimestamp", "lastTimestamp", "count", "source")) {
            Object value = core(root, unset).value();
            boolean empty = value == null || value.equals(0L) || (value instanceof JsonObject o && o.isEmpty());
            if (!empty) {
                root.with(unset, "").invalid("needs to be unset");
            }
        }
    }

    /** Returns a field by its name in the core form, under which errors show it. */
    private Field core(Field root, String name) {
        String own = name;
        for (int i = 0; i < FIELDS.length && !facts.core(); i += 2) {
            own = FIELDS[i].equals(name) ? FIELDS[i + 1] : own;
        }
        return root.with(name, root.at(own).value());
    }

    /**
     * Checks an event: one without {@code eventTime} must be in the namespace of its object, or in {@code default} for
     * cluster-scoped ones; one with it must name its reporter.
     */
    private void rules(Field root) {
        String namespace = root.at("metadata", "namespace").text();
        Field involved = core(root, "involvedObject").at("namespace");
        String wanted = involved.text().isEmpty() ? "default" : involved.text();
        boolean timed = root.at("eventTime").given();
        boolean fits = timed
                ? !involved.text().isEmpty()
                        || List.of("default", "kube-system").contains(namespace)
                : namespace.equals(wanted);
        if (!fits && !namespace.isEmpty()) {
            involved.invalid(involved.text(), "does not match event.namespace");
        }
        if (!timed) {
            return;
        }
        Field controller = root.with(
                facts.core() ? "reportingComponent" : "reportingController",
                core(root, "reportingComponent").value());
        controller.require();
        controller.obeys(Names::qualified);
        for (String field : List.of("reportingInstance", "action", "reason")) {
            if (root.at(field).require() && Names.bytes(root.at(field).text()) > MOST_CHARACTERS) {
                root.with(field, "").invalid("can have at most " + MOST_CHARACTERS + " characters");
            }
        }
        if (Names.bytes(core(root, "message").text()) > LONGEST_MESSAGE) {
            root.with("message", "").invalid("can have at most " + LONGEST_MESSAGE + " characters");
        }
    }

    private static void series(Field root) {
        Field series = root.at("series");
        if (series.given()) {
            if (series.at("count").number() < 2) {
                series.at("count").invalid("", "should be at least 2");
            }
            if (!series.at("lastObservedTime").given()) {
                series.at("lastObservedTime").missing();
            }
        }
    }

    @Override
    public List<FieldError> validate(JsonObject tree, @Nullable JsonObject old, String subresource) {
        if (facts.core()) {
            return KindStrategy.super.validate(tree, old, subresource);
        }
        List<FieldError> errors = new ArrayList<>();
        Field root = Field.of(tree, errors);
        if (old == null) {
            rules(root);
            errors.addAll(MetadataRules.validate(facts.type(), facts.names(), tree));
            errors.addAll(MetadataRules.validateFinalizers(tree));
            strictly(root);
            return errors;
        }
        // upstream checks the metadata of every kind, then again by the rules of events
        List<FieldError> metadata = MetadataRules.validateUpdate(facts.type(), tree, old);
        errors.addAll(metadata);
        rules(root);
        errors.addAll(metadata);
        errors.addAll(MetadataRules.validateFinalizers(tree));
        if (!Objects.equals(tree.get("series"), old.get("series"))) {
            series(root);
        }
        Field before = Field.of(old, new ArrayList<>());
        for (String fixed : FIXED) {
            Field field = core(root, fixed);
            if (Objects.equals(field.value(), core(before, fixed).value())) {
                continue;
            }
            if (field.value() instanceof JsonObject && !fixed.equals("source")) {
                field.invalidText(StructText.ofTexts(field, REFERENCE), Field.IMMUTABLE);
            } else {
                field.invalid(Field.IMMUTABLE);
            }
        }
        return errors;
    }

    /** Events are checked in their core form. */
    @Override
    public String errorGroup(ResourceType type) {
        return "";
    }

    @Override
    public GarbageCollection garbageCollection() {
        return GarbageCollection.UNSUPPORTED;
    }

    @Override
    public List<@Nullable Object> cells(JsonObject tree, Instant now) {
        if (facts.core()) {
            return KindStrategy.super.cells(tree, now);
        }
        JsonObject core = tree.copy();
        rename(core, 1);
        return KindStrategy.super.cells(core, now);
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return switch (column) {
            case "Last Seen" ->
                tree.has("series")
                        ? Times.since(tree, now, "series", "lastObservedTime")
                        : tree.has("lastTimestamp") ? Times.since(tree, now, "lastTimestamp") : firstSeen(tree, now);
            case "First Seen" -> firstSeen(tree, now);
            case "Object" -> {
                String kind = tree.string("involvedObject", "kind").toLowerCase(Locale.ROOT);
                String name = tree.string("involvedObject", "name");
                yield name.isEmpty() ? kind : kind + "/" + name;
            }
            case "Source" -> source(tree);
            case "Message" -> tree.string("message").strip();
            default -> tree.has("series") ? tree.integer("series", "count") : Math.max(tree.integer("count"), 1);
        };
    }

    private static String firstSeen(JsonObject tree, Instant now) {
        return Times.since(tree, now, tree.has("firstTimestamp") ? "firstTimestamp" : "eventTime");
    }

    private static String source(JsonObject tree) {
        String component = tree.string("source", "component");
        String host = tree.string("source", "host");
        component = component.isEmpty() ? tree.string("reportingComponent") : component;
        host = host.isEmpty() ? tree.string("reportingInstance") : host;
        return host.isEmpty() ? component : component + ", " + host;
    }
}
