package dev.evenkeel.engine.internal.read;

import dev.evenkeel.client.FieldSelector;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.ResourceType.SelectableField;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.Store.Range;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The entries of a collection that a list or a watch selects. Labels and names are available without parsing; only
 * selectors on other fields require parsing the object. Fields are those of the target's version, whatever the version
 * in which the object was written.
 */
final class Selection {
    private static final String NAME = "metadata.name";
    private static final String NAMESPACE = "metadata.namespace";

    private final WriteContext cluster;
    private final Target target;
    private final LabelSelector labels;
    private final FieldSelector fields;
    private final boolean parsing;
    private final Optional<Predicate<Store.Entry>> visible;

    /**
     * Creates a selection within the target's namespace and name.
     *
     * @param visible selects the objects that the user may see; empty for all
     * @throws dev.evenkeel.client.BadRequestException when a field may not be selected by
     */
    Selection(
            WriteContext cluster,
            Target target,
            LabelSelector labels,
            FieldSelector fields,
            Optional<Predicate<Store.Entry>> visible) {
        this.visible = visible;
        this.cluster = cluster;
        this.target = target;
        this.labels = labels;
        this.fields = fields;
        boolean others = false;
        for (FieldSelector.Requirement requirement : fields.requirements()) {
            String field = requirement.field();
            if (!field.equals(NAME) && !(field.equals(NAMESPACE) && selectsByNamespace())) {
                others = true;
                requireSelectable(field);
            }
        }
        parsing = others;
    }

    /** Returns whether a selector may name the namespace: of kinds without one, if they have no field of their own. */
    private boolean selectsByNamespace() {
        return target.type().namespaced() || isPlain();
    }

    private boolean isPlain() {
        return target.type().origin() == ResourceType.Origin.BUILT_IN
                && target.version().selectableFields().isEmpty();
    }

    private void requireSelectable(String field) {
        if (target.version().selectableFields().stream()
                .anyMatch(selectable -> selectable.label().equals(field))) {
            return;
        }
        if (isPlain()) {
            throw Refusal.badRequest(
                    "\"" + field + "\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"");
        }
        throw Refusal.badRequest(
                switch (target.type().id()) {
                    case "jobs.batch" -> "field label \"" + field + "\" not supported for Job";
                    case "resourceslices.resource.k8s.io" ->
                        "field label not supported for resource.k8s.io/"
                                + target.version().name() + ", Kind=ResourceSlice: " + field;
                    default -> "field label not supported: " + field;
                });
    }

    /** Returns true if all objects of the namespace are selected. */
    boolean everything() {
        return labels.isEverything() && fields.isEverything() && target.name().isEmpty() && visible.isEmpty();
    }

    /** Returns the only name that can be selected, if there is one. */
    Optional<String> name() {
        return target.name().isEmpty() ? fields.exactValue(NAME) : Optional.of(target.name());
    }

    /**
     * Returns the range of the keys that can be selected, as narrow as a store can tell, so that changes of other keys
     * need not wake a watch.
     */
    Range range(String collection) {
        Optional<String> name = name();
        boolean single = name.isPresent()
                && (!target.type().namespaced() || !target.namespace().isEmpty());
        return single
                ? new Range(collection, target.namespace(), name.get())
                : Range.of(collection, target.namespace());
    }

    /** Returns true if what the selection selects may change for one user and not for another. */
    boolean guarded() {
        return visible.isPresent();
    }

    boolean matches(Store.Entry entry) {
        return selects(entry) && (visible.isEmpty() || visible.get().test(entry));
    }

    private boolean selects(Store.Entry entry) {
        if (!target.namespace().isEmpty()
                && !target.namespace().equals(entry.key().namespace())) {
            return false;
        }
        if (!target.name().isEmpty() && !target.name().equals(entry.key().name())) {
            return false;
        }
        if (!labels.isEverything() && !labels.matches(entry.value().labels())) {
            return false;
        }
        if (fields.isEverything()) {
            return true;
        }
        JsonObject tree = parsing ? cluster.tree(entry, target) : new JsonObject();
        return fields.matches(field -> value(field, entry, tree));
    }

    private String value(String field, Store.Entry entry, JsonObject tree) {
        return switch (field) {
            case NAME -> entry.key().name();
            case NAMESPACE -> entry.key().namespace();
            default -> text(tree, selectable(field));
        };
    }

    private SelectableField selectable(String field) {
        return target.version().selectableFields().stream()
                .filter(f -> f.label().equals(field))
                .findFirst()
                .orElseThrow();
    }

    private static String text(JsonObject tree, SelectableField field) {
        String text = text(tree, field.path());
        if (text.isEmpty() && !field.instead().isEmpty()) {
            text = text(tree, field.instead());
        }
        return text.isEmpty() ? field.absent() : text;
    }

    private static String text(JsonObject tree, List<String> path) {
        Object value = tree.at(path.toArray(String[]::new));
        return switch (value) {
            case null -> "";
            case String text -> text;
            default -> Json.text(value);
        };
    }
}
