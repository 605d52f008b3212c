package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.ResourceType.Column;
import dev.evenkeel.engine.internal.type.ResourceType.Origin;
import dev.evenkeel.engine.internal.type.ResourceType.Rules;
import dev.evenkeel.engine.internal.type.ResourceType.Scale;
import dev.evenkeel.engine.internal.type.ResourceType.SelectableField;
import dev.evenkeel.engine.internal.type.ResourceType.Version;
import dev.evenkeel.engine.internal.type.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The kinds of Kubernetes 1.36 that a default server serves.
 *
 * <p>Created from the fact table next to this class. Names, rules and columns are read when this class is first used
 * (about a millisecond); the fields of a type on the first call of its {@link Schema#properties()}. Everything is
 * immutable and safe for concurrent use.
 *
 * <p>Code that stores objects must treat two pairs with care: {@code events} of the core group and of {@code
 * events.k8s.io} are two types over one storage (the core form), and {@code horizontalpodautoscalers} has two versions
 * that differ in shape.
 */
public final class BuiltinTypes {
    /** The selectable fields of events that are none of the facts. */
    private static final List<SelectableField> EVENT_FIELDS = List.of(
            new SelectableField("source", List.of("deprecatedSource", "component"), List.of("reportingController"), ""),
            new SelectableField("regarding.apiVersion", List.of("regarding", "apiVersion")),
            new SelectableField("regarding.resourceVersion", List.of("regarding", "resourceVersion")),
            new SelectableField("regarding.fieldPath", List.of("regarding", "fieldPath")));

    private BuiltinTypes() {}

    private static final class Loaded {
        static final List<ResourceType> ALL = load();
    }

    /** Returns all types, groups in the order of {@code /apis}, resources by name. */
    public static List<ResourceType> all() {
        return Loaded.ALL;
    }

    /** Returns the served groups in the order of {@code /apis}, core first. */
    public static List<BuiltinGroup> groups() {
        return ResourceTable.INSTANCE.groups();
    }

    /** Returns the facts about a resource of a group version, such as subresources and reset fields. */
    public static Optional<BuiltinResource> resource(String group, String version, String plural) {
        return Optional.ofNullable(ResourceTable.INSTANCE.find(group, version, plural));
    }

    /** Returns the facts about a version of a type. */
    public static Optional<BuiltinResource> resource(ResourceType type, Version version) {
        return resource(type.group(), version.name(), type.plural());
    }

    /** Returns the facts about a subresource of a version of a type. */
    public static Optional<Subresource> subresource(ResourceType type, Version version, String name) {
        return resource(type, version)
                .flatMap(resource -> resource.subresources().stream()
                        .filter(subresource -> subresource.name().equals(name))
                        .findFirst());
    }

    /** Returns the name of the OpenAPI definition of a kind, such as {@code io.k8s.api.autoscaling.v1.Scale}. */
    public static String definition(String group, String version, String kind) {
        return "io.k8s.api." + (group.isEmpty() ? "core" : group.split("\\.", 2)[0]) + "." + version + "." + kind;
    }

    /**
     * Returns the schema of an OpenAPI definition, such as {@code io.k8s.api.core.v1.PodSpec}; empty when there is
     * none.
     */
    public static Optional<Schema> schema(String definition) {
        return FactTable.INSTANCE.find(definition) == null
                ? Optional.empty()
                : Optional.of(BuiltinSchemas.of(definition));
    }

    /** Returns the kinds that an OpenAPI definition is registered as, {@code group/version/Kind}. */
    public static List<String> kinds(String definition) {
        TypeFacts facts = FactTable.INSTANCE.find(definition);
        return facts == null || facts.kinds().isEmpty()
                ? List.of()
                : List.of(facts.kinds().split(" ", -1));
    }

    private static List<ResourceType> load() {
        Map<String, List<BuiltinResource>> byId = new LinkedHashMap<>();
        for (BuiltinResource resource : ResourceTable.INSTANCE.resources()) {
            if (resource.served()) {
                List<BuiltinResource> versions = byId.get(resource.id());
                if (versions == null) {
                    versions = new ArrayList<>(2);
                    byId.put(resource.id(), versions);
                }
                versions.add(resource);
            }
        }
        // Plain loops here and below: this runs in every start, often before lambdas are warmed up.
        List<ResourceType> types = new ArrayList<>(byId.size());
        for (List<BuiltinResource> versions : byId.values()) {
            types.add(type(versions));
        }
        return List.copyOf(types);
    }

    private static ResourceType type(List<BuiltinResource> versions) {
        BuiltinResource first = versions.getFirst();
        List<Version> all = new ArrayList<>(versions.size());
        for (BuiltinResource resource : versions) {
            all.add(version(resource, resource.version().equals(first.version())));
        }
        return new ResourceType(
                first.group(),
                first.kind(),
                first.listKind(),
                first.plural(),
                first.singular(),
                first.shortNames(),
                first.categories(),
                first.namespaced(),
                Origin.BUILT_IN,
                new Rules(
                        first.verbs(),
                        first.generation(),
                        first.createOnUpdate(),
                        first.unconditionalUpdate(),
                        first.deleteReturnsObject()),
                List.copyOf(all));
    }

    /** Returns the warning of a deprecated kind; empty for others. */
    private static String deprecation(BuiltinResource resource) {
        return switch (resource.id()) {
            case "componentstatuses" -> "v1 ComponentStatus is deprecated in v1.19+";
            case "endpoints" -> "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice";
            default -> "";
        };
    }

    private static Version version(BuiltinResource resource, boolean storage) {
        List<SelectableField> fields = new ArrayList<>();
        for (String label : resource.fieldSelectors()) {
            if (!label.equals("metadata.name") && !label.equals("metadata.namespace")) {
                fields.add(selectable(label));
            }
        }
        fields.addAll(
                switch (resource.id()) {
                    case "pods" -> List.of(new SelectableField("spec.host", List.of("spec", "nodeName")));
                    case "events.events.k8s.io" -> EVENT_FIELDS;
                    default -> List.of();
                });
        List<Column> columns = new ArrayList<>();
        for (String cell : ResourceTable.INSTANCE.columns(resource)) {
            columns.add(column(resource, cell));
        }
        return new Version(
                resource.version(),
                true,
                storage,
                BuiltinSchemas.ofKind(resource.definition()),
                resource.has("status"),
                resource.has("scale")
                        ? Optional.of(new Scale(".spec.replicas", ".status.replicas", ".spec.selector"))
                        : Optional.empty(),
                List.copyOf(fields),
                List.copyOf(columns),
                deprecation(resource));
    }

    private static SelectableField selectable(String label) {
        // Most labels are the path.
        String path = switch (label) {
            case "status.successful" -> "status.succeeded";
            case "source" -> "source.component";
            // upstream accepts the label, but gives it no value
            case "status.podIPs" -> "";
            default -> label;
        };
        // Written out rather than looked up, so that the start does not load the types.
        String absent = switch (label) {
            case "spec.hostNetwork", "spec.unschedulable" -> "false";
            case "status.replicas", "status.successful" -> "0";
            default -> "";
        };
        List<String> instead = label.equals("source") ? List.of("reportingComponent") : List.of();
        return new SelectableField(label, List.of(path.split("\\.", -1)), instead, absent);
    }

    /** Returns a column that the tables of all kinds share, {@code Name} or {@code Age}. */
    public static Column sharedColumn(String name, String type, String format) {
        ColumnFacts facts = ColumnFacts.of("*", name);
        return new Column(name, type, format, facts.description(), 0, facts.rule());
    }

    private static Column column(BuiltinResource resource, String cell) {
        String[] parts = cell.split("\\|", -1);
        ColumnFacts facts = ColumnFacts.of(resource.id(), parts[0]);
        return new Column(parts[0], parts[1], parts[2], facts.description(), Integer.parseInt(parts[3]), facts.rule());
    }
}
