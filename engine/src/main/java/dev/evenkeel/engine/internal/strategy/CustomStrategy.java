package dev.evenkeel.engine.internal.strategy;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.apply.FieldOwnership;
import dev.evenkeel.engine.internal.cel.Cel;
import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.PrinterColumn;
import dev.evenkeel.engine.internal.json.SentEmpty;
import dev.evenkeel.engine.internal.schema.ObjectSchema;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Schema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The rules of a version of a custom resource or registered type: those of its schema. */
public class CustomStrategy implements ResourceStrategy {
    /** The characters of all cells of an object; cells after them are empty. */
    private static final int MAX_ROW = 2 * 1024 * 1024;

    /** The schema of a version that does not exist. */
    private static final Schema NOTHING = Schema.builder(Schema.Type.OBJECT).build();

    private final ResourceType type;
    private final ResourceType.Version version;
    private final Conversion conversion;
    private final byte[] head;
    /** Further duplicate fields are not listed. */
    private static final int MOST_DUPLICATES = 100;

    private final List<PrinterColumn> columns;
    private volatile @Nullable ObjectSchema schema;

    public CustomStrategy(ResourceType type, ResourceType.Version version) {
        this(type, version, Conversion.NONE);
    }

    /** @param conversion converts objects of the other versions of the type */
    public CustomStrategy(ResourceType type, ResourceType.Version version, Conversion conversion) {
        this.type = type;
        this.conversion = conversion;
        this.version = version;
        head = ResourceStrategy.head(type, version);
        columns = version.columns().stream()
                .map(column ->
                        PrinterColumn.of(column.path().isEmpty() ? ".metadata.name" : column.path(), column.type()))
                .toList();
    }

    /** Compiled on first use; the language of rules is loaded with the first of them. */
    private ObjectSchema schema() {
        ObjectSchema known = schema;
        if (known == null) {
            known = ObjectSchema.of(type, version, (rules, resource) -> Cel.RULES.compile(rules, resource));
            schema = known;
        }
        return known;
    }

    @Override
    public byte[] head() {
        return head;
    }

    @Override
    public String storage() {
        return type.id();
    }

    @Override
    public JsonObject blank() {
        return FieldOwnership.blank(type.apiVersion(version), type.kind());
    }

    @Override
    public List<String> normalise(JsonObject tree, List<String> duplicates, Consumer<SentEmpty> empties) {
        List<String> problems = new ArrayList<>();
        duplicates.stream()
                .distinct()
                .limit(MOST_DUPLICATES)
                .forEach(path -> problems.add("duplicate field " + GoTypes.quoted(path)));
        named(tree).prune(tree).forEach(path -> problems.add("unknown field " + GoTypes.quoted(path)));
        return problems;
    }

    /**
     * Returns the schema of the version that an object names, which may not be this one: a patch can change it, and is
     * refused later. An unknown version allows nothing, and another kind anything.
     */
    private ObjectSchema named(JsonObject tree) {
        String apiVersion = tree.string("apiVersion");
        boolean sameKind = tree.string("kind").equals(type.kind());
        if (sameKind && apiVersion.equals(type.apiVersion(version))) {
            return schema();
        }
        Schema allowed = sameKind && apiVersion.startsWith(type.group() + "/")
                ? type.versions().stream()
                        .filter(other -> type.apiVersion(other).equals(apiVersion))
                        .findFirst()
                        .map(ResourceType.Version::schema)
                        .orElse(NOTHING)
                : Schema.ANY;
        return ObjectSchema.of(type, version.withSchema(allowed));
    }

    @Override
    public void normaliseApplied(JsonObject tree, Consumer<SentEmpty> empties) {
        schema().pruneApplied(tree);
    }

    /** Removes the nulls that validation has accepted, of fields without a type: they are not values. */
    @Override
    public void settleApplied(JsonObject tree) {
        schema().prune(tree);
    }

    /**
     * Converts from another version, with the schema of this one. Its defaults are not filled in: a default is one of the
     * version in which an object is written or stored.
     */
    @Override
    public JsonObject convert(JsonObject tree) {
        tree.put("kind", type.kind());
        if (tree.string("apiVersion").equals(type.apiVersion(version))) {
            schema().prune(tree);
            schema().applyDefaults(tree);
            return tree;
        }
        JsonObject converted = conversion.convert(tree, type, version);
        schema().prune(converted);
        return converted;
    }

    @Override
    public void applyDefaults(JsonObject tree) {
        schema().applyDefaults(tree);
    }

    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
        if (version.status()) {
            tree.remove("status");
            // stored objects are read with defaults, so a new one begins with those of the status
            applyDefaults(tree);
        }
    }

    @Override
    public List<String> resetFields(String subresource) {
        if (subresource.equals("status")) {
            return List.of("metadata", "spec");
        }
        return subresource.isEmpty() && version.status() ? List.of("status") : List.of();
    }

    @Override
    public void reset(JsonObject tree, JsonObject old, String subresource) {
        if (subresource.equals("status")) {
            Object status = tree.get("status");
            Object entries = tree.at("metadata", "managedFields");
            boolean present = tree.containsKey("status");
            tree.clear();
            tree.putAll(old.copy());
            if (present) {
                tree.put("status", status);
            } else {
                tree.remove("status");
            }
            tree.object("metadata").put("managedFields", entries);
        } else if (version.status()) {
            if (old.containsKey("status")) {
                tree.put("status", old.get("status"));
            } else {
                tree.remove("status");
            }
        }
    }

    @Override
    public final List<FieldError> validate(JsonObject tree, @Nullable JsonObject old, String subresource) {
        return validate(tree, old, subresource, tolerated -> {});
    }

    /** Returns the errors of an object or its change; warns about rules that an unchanged part does not obey. */
    @Override
    public final List<FieldError> validate(
            JsonObject tree, @Nullable JsonObject old, String subresource, Context context) {
        return validate(tree, old, subresource, tolerated -> context.warnings().accept(tolerated.text()));
    }

    /**
     * Returns the errors of an object or its change.
     *
     * @param tolerated receives those of rules that an unchanged part does not obey
     */
    protected List<FieldError> validate(
            JsonObject tree, @Nullable JsonObject old, String subresource, Consumer<FieldError> tolerated) {
        return old == null
                ? schema().validate(tree)
                : subresource.equals("status")
                        ? schema().validateStatus(tree, old, tolerated)
                        : schema().validateUpdate(tree, old, tolerated);
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        return schema().warnings(tree, old);
    }

    @Override
    public List<@Nullable Object> cells(JsonObject tree, Instant now) {
        List<@Nullable Object> cells = new ArrayList<>(columns.size());
        int left = MAX_ROW;
        for (PrinterColumn column : columns) {
            Object cell = left < 0 ? null : column.cell(tree, now);
            left -= cell instanceof String text ? text.length() : 0;
            cells.add(left < 0 ? null : cell);
        }
        return cells;
    }
}
