package dev.evenkeel.engine.internal.crd;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.CrdVersions;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.schema.FieldPaths;
import dev.evenkeel.engine.internal.schema.MetadataRules;
import dev.evenkeel.engine.internal.schema.RuleCompiler;
import dev.evenkeel.engine.internal.schema.RuleCosts;
import dev.evenkeel.engine.internal.schema.SchemaRules;
import dev.evenkeel.engine.internal.schema.SchemaSource;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Validates a CustomResourceDefinition as a whole; see {@link SchemaRules} for its schemas. */
final class CrdValidation {
    private static final ResourceType TYPE = new ResourceType(
            "apiextensions.k8s.io",
            "CustomResourceDefinition",
            "CustomResourceDefinitionList",
            "customresourcedefinitions",
            "customresourcedefinition",
            List.of("crd", "crds"),
            List.of("api-extensions"),
            false,
            ResourceType.Origin.BUILT_IN,
            ResourceType.Rules.CUSTOM,
            List.of());
    private static final String SCHEMA = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";
    private static final Set<String> COLUMN_TYPES = Set.of("integer", "number", "string", "boolean", "date");
    private static final String COLUMN_TYPES_TEXT = "must be one of boolean,date,integer,number,string";
    private static final Set<String> COLUMN_FORMATS =
            Set.of("int32", "int64", "float", "double", "byte", "date", "date-time", "password");
    private static final Set<String> SELECTABLE = Set.of("string", "boolean", "integer");
    private static final int MAX_SELECTABLE = 8;

    private final JsonObject crd;
    private final @Nullable JsonObject old;
    private final RuleCompiler compiler;
    private final CrdVersions versions;
    private final List<FieldError> errors = new ArrayList<>(0);
    private final Field root;
    private final Field spec;

    CrdValidation(JsonObject crd, @Nullable JsonObject old, RuleCompiler compiler) {
        this.crd = crd;
        this.old = old;
        this.compiler = compiler;
        versions = CrdVersions.of(crd);
        root = Field.of(crd, errors);
        spec = root.at("spec");
    }

    List<FieldError> validate() {
        metadata();
        group();
        if (spec.at("scope").require()) {
            spec.at("scope").oneOf("Cluster", "Namespaced");
        }
        schemasThere();
        versions();
        versionsTogether();
        for (String name : List.of("plural", "singular", "kind", "listKind")) {
            spec.at("names", name).require();
        }
        names(spec.at("names"));
        shared();
        conversion();
        immutable();
        names(root.at("status", "acceptedNames"));
        storedVersions();
        approval();
        preserveUnknown();
        return errors;
    }

    List<FieldError> validateStatus() {
        metadata();
        names(root.at("status", "acceptedNames"));
        return errors;
    }

    private void metadata() {
        if (old != null) {
            errors.addAll(MetadataRules.validateUpdate(TYPE, crd, old));
            return;
        }
        errors.addAll(MetadataRules.validate(TYPE, crd));
        String expected =
                spec.at("names", "plural").text() + "." + spec.at("group").text();
        for (String field : List.of("generateName", "name")) {
            String text = crd.string("metadata", field);
            if (!text.isEmpty() && !text.equals(expected)) {
                String path = "metadata." + field;
                int after = 0;
                for (int i = 0; i < errors.size(); i++) {
                    after = List.of("metadata.generateName", path)
                                    .contains(errors.get(i).field())
                            ? i + 1
                            : after;
                }
                errors.add(after, FieldError.invalid(path, text, "must be spec.names.plural+\".\"+spec.group"));
            }
        }
    }

    private void group() {
        Field group = spec.at("group");
        if (group.require()
                && obeys(group, Names::subdomain, "")
                && group.text().indexOf('.') < 0) {
            group.invalid("should be a domain with at least one dot");
        }
    }

    /** Requires a rule; what it has to say is one error, unlike that of {@link Field#obeys}. */
    private static boolean obeys(Field field, Function<String, List<String>> rule, String before) {
        List<String> wrong = rule.apply(field.text());
        if (!wrong.isEmpty()) {
            field.invalid(field.text(), before + String.join(",", wrong));
        }
        return wrong.isEmpty();
    }

    private static void label(Field field) {
        obeys(field, Names::label1035, "");
    }

    private void schemasThere() {
        List<CrdVersions.Located> schemas = versions.schemas();
        if (!versions.shared().contains("schema") || schemas.isEmpty()) {
            for (Field version : spec.at("versions").items()) {
                if (CrdVersions.schema(version.object()).isEmpty()) {
                    version.at("schema", "openAPIV3Schema").missing();
                }
            }
        }
        Field preserve = spec.at("preserveUnknownFields");
        if (Boolean.TRUE.equals(preserve.value())
                && schemas.stream()
                        .anyMatch(s -> SchemaSource.has(s.source(), schema -> schema.get("default") != null))) {
            preserve.invalid("must be false in order to use defaults in the schema");
        }
    }

    private void versions() {
        for (Field version : spec.at("versions").items()) {
            JsonObject tree = version.object();
            label(version.at("name"));
            deprecation(version);
            if (!versions.shared().contains("schema")) {
                String path = version.at("schema", "openAPIV3Schema").path();
                CrdVersions.schema(tree)
                        .ifPresent(
                                schema -> schema(new CrdVersions.Located(path, schema, CrdVersions.hasStatus(tree))));
            }
            CrdVersions.PARTS.stream()
                    .filter(part -> !versions.shared().contains(part))
                    .forEach(part -> part(version.at(part), part, tree));
        }
    }

    /** Checks a property that versions have or share, other than the schema. */
    private void part(Field field, String part, JsonObject version) {
        switch (part) {
            case "subresources" -> subresources(field);
            case "additionalPrinterColumns" -> columns(field);
            case "selectableFields" -> selectableFields(field, version);
            default -> {}
        }
    }

    private static void deprecation(Field version) {
        Field field = version.at("deprecationWarning");
        if (!(field.value() instanceof String warning)) {
            return;
        }
        if (!version.object().bool("deprecated")) {
            field.invalid("can only be set for deprecated versions");
            return;
        }
        if (Names.bytes(warning) > 256) {
            field.invalid("must be <= 256 characters long");
        }
        if (warning.isEmpty()) {
            field.invalid("must not be an empty string");
        }
        int position = 0;
        for (int character : warning.codePoints().toArray()) {
            if (!MetadataRules.isPrintable(character)) {
                field.invalid("must only contain printable UTF-8 characters; non-printable character found at index "
                        + position);
                return;
            }
            position += Names.bytes(Character.toString(character));
        }
    }

    private void versionsTogether() {
        List<JsonObject> all = versions.versions();
        Field field = spec.at("versions");
        if (all.stream().map(version -> version.string("name")).distinct().count() < all.size()) {
            field.invalid(shown(), "must contain unique version names");
        }
        if (all.stream().filter(version -> version.bool("storage")).count() != 1) {
            field.invalid(shown(), "must have exactly one version marked as storage version");
        }
        if (!all.isEmpty() && !all.getFirst().string("name").isEmpty()) {
            label(spec.with("version", all.getFirst().get("name")));
        }
    }

    /** Returns the versions in the form in which upstream shows them: its internal one. */
    private List<JsonObject> shown() {
        return versions.versions().stream()
                .map(version -> new JsonObject()
                        .set("Name", version.string("name"))
                        .set("Served", version.bool("served"))
                        .set("Storage", version.bool("storage"))
                        .set("Deprecated", version.bool("deprecated"))
                        .set("DeprecationWarning", version.get("deprecationWarning"))
                        .set("Schema", own(version, "schema"))
                        .set("Subresources", own(version, "subresources"))
                        .set("AdditionalPrinterColumns", own(version, "additionalPrinterColumns"))
                        .set("SelectableFields", own(version, "selectableFields")))
                .toList();
    }

    private @Nullable Object own(JsonObject version, String part) {
        return versions.shared().contains(part) ? null : version.get(part);
    }

    private static void names(Field names) {
        for (String name : List.of("plural", "singular")) {
            if (!names.at(name).text().isEmpty()) {
                label(names.at(name));
            }
        }
        Field kind = names.at("kind");
        Field listKind = names.at("listKind");
        kind(kind);
        kind(listKind);
        names.at("shortNames").items().forEach(CrdValidation::label);
        if (!kind.text().isEmpty() && kind.text().equals(listKind.text())) {
            listKind.invalid("kind and listKind may not be the same");
        }
        names.at("categories").items().forEach(CrdValidation::label);
    }

    private static void kind(Field kind) {
        if (!kind.text().isEmpty()) {
            obeys(
                    kind,
                    text -> Names.label1035(text.toLowerCase(Locale.ROOT)),
                    "may have mixed case, but should otherwise match: ");
        }
    }

    /** Existing rules may stay, whatever they cost. */
    private void schema(CrdVersions.Located schema) {
        boolean unchanged = old != null
                && CrdVersions.of(old).versions().stream()
                        .anyMatch(version -> CrdVersions.schema(version)
                                .filter(schema.source()::equals)
                                .isPresent());
        errors.addAll(SchemaRules.check(
                schema, new RuleCosts(compiler, unchanged), source -> InternalForm.text(SCHEMA, source)));
    }

    /** Checks the properties that all versions share. */
    private void shared() {
        if (versions.versions().isEmpty()) {
            return;
        }
        JsonObject first = versions.versions().getFirst();
        if (versions.shared().contains("schema")) {
            versions.schemas().forEach(this::schema);
        }
        CrdVersions.PARTS.stream()
                .filter(versions.shared()::contains)
                .forEach(part -> part(spec.with(part, first.get(part)), part, first));
    }

    private static void subresources(Field subresources) {
        Field scale = subresources.at("scale");
        if (scale.value() instanceof JsonObject) {
            if (scale.at("specReplicasPath").require()) {
                scalePath(scale.at("specReplicasPath"), List.of(".spec."), "under .spec");
            }
            if (scale.at("statusReplicasPath").require()) {
                scalePath(scale.at("statusReplicasPath"), List.of(".status."), "under .status");
            }
            if (!scale.at("labelSelectorPath").text().isEmpty()) {
                List<String> starts = List.of(".spec.", ".status.");
                scalePath(scale.at("labelSelectorPath"), starts, "under either .spec or .status");
            }
        }
    }

    private static void scalePath(Field path, List<String> starts, String where) {
        if (path.text().charAt(0) != '.') {
            path.invalid("must be a simple json path starting with .");
        } else if (starts.stream().noneMatch(path.text()::startsWith)) {
            path.invalid("should be a json path " + where);
        }
    }

    private static void columns(Field columns) {
        for (Field column : columns.items()) {
            column.at("name").require();
            Field type = column.at("type");
            if (type.require(COLUMN_TYPES_TEXT) && !COLUMN_TYPES.contains(type.text())) {
                type.invalid(COLUMN_TYPES_TEXT);
            }
            Field format = column.at("format");
            if (!format.text().isEmpty() && !COLUMN_FORMATS.contains(format.text())) {
                format.invalid("must be one of byte,date,date-time,double,float,int32,int64,password");
            }
            Field path = column.with("JSONPath", column.at("jsonPath").value());
            if (path.require() && path.text().charAt(0) != '.') {
                path.invalid("must be a simple json path starting with .");
            }
        }
    }

    private void selectableFields(Field fields, JsonObject version) {
        if (fields.array().isEmpty()) {
            return;
        }
        // upstream looks for the schema only where the fields are: in the version, or in the definition
        boolean together = versions.shared().contains("selectableFields");
        JsonObject schema = together == versions.shared().contains("schema")
                ? CrdVersions.schema(version).orElse(null)
                : null;
        if (schema == null) {
            fields.invalid(
                    "",
                    together
                            ? "may only be set when validations.schema is included"
                            : "may only be set when `version.schema.openAPIV3Schema` is not included"); // as upstream
            return;
        }
        Set<List<String>> seen = new HashSet<>();
        for (Field each : fields.items()) {
            Field path = each.at("jsonPath");
            if (!path.require()) {
                continue;
            }
            FieldPaths found = FieldPaths.follow(path.text(), schema, false);
            if (!found.wrong().isEmpty()) {
                path.invalid("is an invalid path: " + found.wrong());
                continue;
            }
            if (found.names().getFirst().equals("metadata")) {
                path.invalid("must not point to fields in metadata");
            }
            if (!SELECTABLE.contains(Json.string(found.schema(), "type"))) {
                path.invalid("must point to a field of type string, boolean or integer. Enum string fields and strings"
                        + " with formats are allowed.");
            }
            if (!seen.add(found.names())) {
                path.duplicate(path.value());
            }
        }
        if (seen.size() > MAX_SELECTABLE && !keptSelectableFields(version)) {
            fields.tooMany(seen.size(), MAX_SELECTABLE);
        }
    }

    private boolean keptSelectableFields(JsonObject version) {
        return old != null
                && CrdVersions.of(old).versions().stream()
                        .anyMatch(v -> Objects.equals(v.get("name"), version.get("name"))
                                && Objects.equals(v.get("selectableFields"), version.get("selectableFields")));
    }

    private void conversion() {
        Field conversion = spec.at("conversion");
        if (!(conversion.value() instanceof JsonObject)) {
            return;
        }
        Field strategy = conversion.at("strategy");
        if (spec.object().bool("preserveUnknownFields") && !strategy.text().equals("None")) {
            strategy.invalid(strategy.text(), "must be None if spec.preserveUnknownFields is true");
        }
        // a definition that is not served yet, or already has an unreadable bundle, may have one
        boolean anyBundle = old == null
                || !Crds.isEstablished(old)
                || !ConversionRules.hasReadableBundle(old.at("spec", "conversion"));
        new ConversionRules(conversion, anyBundle).check();
    }

    private void immutable() {
        if (old == null) {
            return;
        }
        if (Crds.isEstablished(old)) {
            unchanged(old, "scope");
            unchanged(old, "names", "kind");
        }
        unchanged(old, "group");
        unchanged(old, "names", "plural");
    }

    private void unchanged(JsonObject before, String... path) {
        Field field = spec.at(path);
        if (!field.text().equals(before.object("spec").string(path))) {
            field.invalid(field.text(), Field.IMMUTABLE);
        }
    }

    private void storedVersions() {
        Field stored = root.at("status", "storedVersions");
        if (stored.array().isEmpty()) {
            stored.invalid("must have at least one stored version");
            return;
        }
        Set<String> known = new HashSet<>();
        for (JsonObject version : versions.versions()) {
            String name = version.string("name");
            if (version.bool("storage") && !stored.array().contains(name)) {
                stored.invalid("must have the storage version " + name);
            }
            known.add(name);
        }
        for (Field version : stored.items()) {
            String name = version.text();
            if (!known.contains(name)) {
                version.invalid("missing from spec.versions; " + name + " was previously a storage version, and must"
                        + " remain in spec.versions until a storage migration ensures no data remains persisted in "
                        + name + " and removes " + name + " from status.storedVersions");
            }
        }
    }

    private void approval() {
        if (!Approval.isProtected(spec.at("group").text())) {
            return;
        }
        Approval approval = Approval.of(crd);
        if (old != null && Approval.of(old).state() == approval.state()) {
            return;
        }
        Field annotation = root.at("metadata", "annotations").entry(Approval.ANNOTATION);
        switch (approval.state()) {
            case MISSING -> annotation.missing(approval.text());
            case INVALID -> annotation.invalid(approval.text());
            case BYPASSED, APPROVED -> {}
        }
    }

    private void preserveUnknown() {
        Field preserve = spec.at("preserveUnknownFields");
        boolean before = old != null && old.bool("spec", "preserveUnknownFields");
        if (!before && Boolean.TRUE.equals(preserve.value())) {
            preserve.invalid("cannot set to true, set x-kubernetes-preserve-unknown-fields to true in"
                    + " spec.versions[*].schema instead");
        }
    }
}
