package dev.evenkeel.engine.internal.crd;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.CrdVersions;
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
    private static final Set<String> COLUMN_TYPES = Set.of("integer", "number", "string", "boolean", "date");
    private static final String COLUMN_TYPES_TEXT = "must be one of boolean,date,integer,number,string";
    private static final Set<String> COLUMN_FORMATS =
            Set.of("int32", "int64", "float", "double", "byte", "date", "date-time", "password");
    private static final Set<String> SELECTABLE = Set.of("string", "boolean", "integer");
    private static final int MAX_SELECTABLE = 8;

    private final JsonObject crd;
    private final @Nullable JsonObject old;
    private final RuleCompiler compiler;
    private final JsonObject spec;
    private final CrdVersions versions;
    private final List<FieldError> errors = new ArrayList<>(0);

    CrdValidation(JsonObject crd, @Nullable JsonObject old, RuleCompiler compiler) {
        this.crd = crd;
        this.old = old;
        this.compiler = compiler;
        this.versions = CrdVersions.of(crd);
        this.spec = versions.spec();
    }

    List<FieldError> validate() {
        metadata();
        group();
        scope();
        schemasThere();
        versions();
        versionsTogether();
        requiredNames();
        names("spec.names", spec.object("names"));
        shared();
        conversion();
        immutable();
        names("status.acceptedNames", crd.object("status", "acceptedNames"));
        storedVersions();
        approval();
        preserveUnknown();
        return errors;
    }

    List<FieldError> validateStatus() {
        metadata();
        names("status.acceptedNames", crd.object("status", "acceptedNames"));
        return errors;
    }

    private void metadata() {
        if (old != null) {
            errors.addAll(MetadataRules.validateUpdate(TYPE, crd, old));
            return;
        }
        errors.addAll(MetadataRules.validate(TYPE, crd));
        String name = crd.string("metadata", "name");
        String expected = spec.string("names", "plural") + "." + spec.string("group");
        if (!name.isEmpty() && !name.equals(expected)) {
            int after = 0;
            for (int i = 0; i < errors.size(); i++) {
                after = errors.get(i).field().equals("metadata.name") ? i + 1 : after;
            }
            errors.add(after, FieldError.invalid("metadata.name", name, "must be spec.names.plural+\".\"+spec.group"));
        }
    }

    private void group() {
        String group = spec.string("group");
        if (group.isEmpty()) {
            errors.add(FieldError.required("spec.group", ""));
            return;
        }
        List<String> wrong = Names.subdomain(group);
        if (!wrong.isEmpty()) {
            errors.add(FieldError.invalid("spec.group", group, String.join(",", wrong)));
        } else if (group.indexOf('.') < 0) {
            errors.add(FieldError.invalid("spec.group", group, "should be a domain with at least one dot"));
        }
    }

    private void scope() {
        oneOf("spec.scope", spec.string("scope"), List.of("Cluster", "Namespaced"));
    }

    private void oneOf(String field, String value, List<String> allowed) {
        if (value.isEmpty()) {
            errors.add(FieldError.required(field, ""));
        } else if (!allowed.contains(value)) {
            errors.add(FieldError.notSupported(field, value, allowed));
        }
    }

    private void schemasThere() {
        boolean preserve = spec.bool("preserveUnknownFields");
        List<CrdVersions.Located> schemas = versions.schemas();
        if (!versions.sharedSchema() || schemas.isEmpty()) {
            for (int i = 0; i < versions.versions().size(); i++) {
                if (CrdVersions.schema(versions.versions().get(i)).isEmpty()) {
                    errors.add(FieldError.required("spec.versions[" + i + "].schema.openAPIV3Schema", ""));
                }
            }
        }
        if (preserve
                && schemas.stream()
                        .anyMatch(s -> SchemaSource.has(s.source(), schema -> schema.get("default") != null))) {
            errors.add(FieldError.invalid(
                    "spec.preserveUnknownFields", true, "must be false in order to use defaults in the schema"));
        }
    }

    private void versions() {
        for (int i = 0; i < versions.versions().size(); i++) {
            JsonObject version = versions.versions().get(i);
            String path = "spec.versions[" + i + "]";
            String name = version.string("name");
            label(path + ".name", name, name);
            deprecation(version, path + ".deprecationWarning");
            if (!versions.sharedSchema()) {
                CrdVersions.schema(version)
                        .ifPresent(schema -> schema(new CrdVersions.Located(
                                path + ".schema.openAPIV3Schema", schema, CrdVersions.hasStatus(version))));
            }
            if (!versions.sharedSubresources()) {
                subresources(version, path + ".subresources");
            }
            if (!versions.sharedColumns()) {
                columns(version, path + ".additionalPrinterColumns");
            }
            if (!versions.sharedSelectableFields()) {
                selectableFields(version, path + ".selectableFields");
            }
        }
    }

    private void deprecation(JsonObject version, String field) {
        if (!(version.get("deprecationWarning") instanceof String warning)) {
            return;
        }
        if (!version.bool("deprecated")) {
            errors.add(FieldError.invalid(field, warning, "can only be set for deprecated versions"));
            return;
        }
        if (Names.bytes(warning) > 256) {
            errors.add(FieldError.invalid(field, warning, "must be <= 256 characters long"));
        }
        if (warning.isEmpty()) {
            errors.add(FieldError.invalid(field, warning, "must not be an empty string"));
        }
        int position = 0;
        for (int i = 0; i < warning.length(); i += Character.charCount(warning.codePointAt(i))) {
            if (!MetadataRules.isPrintable(warning.codePointAt(i))) {
                errors.add(FieldError.invalid(
                        field,
                        warning,
                        "must only contain printable UTF-8 characters; non-printable character found at index "
                                + position));
                return;
            }
            position += Names.bytes(Character.toString(warning.codePointAt(i)));
        }
    }

    private void versionsTogether() {
        Set<String> seen = new HashSet<>();
        int storage = 0;
        boolean unique = true;
        for (JsonObject version : versions.versions()) {
            unique &= seen.add(version.string("name"));
            storage += version.bool("storage") ? 1 : 0;
        }
        if (!unique) {
            errors.add(FieldError.invalid("spec.versions", shown(), "must contain unique version names"));
        }
        if (storage != 1) {
            errors.add(FieldError.invalid(
                    "spec.versions", shown(), "must have exactly one version marked as storage version"));
        }
        if (!versions.versions().isEmpty()) {
            String first = versions.versions().getFirst().string("name");
            label("spec.version", first, first);
        }
    }

    /** Returns the versions in the form in which upstream shows them: its internal one. */
    private List<Object> shown() {
        List<Object> shown = new ArrayList<>();
        for (JsonObject version : versions.versions()) {
            JsonObject row = new JsonObject();
            row.put("Name", version.string("name"));
            row.put("Served", version.bool("served"));
            row.put("Storage", version.bool("storage"));
            row.put("Deprecated", version.bool("deprecated"));
            row.put("DeprecationWarning", version.get("deprecationWarning"));
            row.put("Schema", versions.sharedSchema() ? null : version.get("schema"));
            row.put("Subresources", versions.sharedSubresources() ? null : version.get("subresources"));
            row.put(
                    "AdditionalPrinterColumns",
                    versions.sharedColumns() ? null : version.get("additionalPrinterColumns"));
            row.put("SelectableFields", versions.sharedSelectableFields() ? null : version.get("selectableFields"));
            shown.add(row);
        }
        return shown;
    }

    private void requiredNames() {
        for (String name : List.of("plural", "singular", "kind", "listKind")) {
            if (spec.string("names", name).isEmpty()) {
                errors.add(FieldError.required("spec.names." + name, ""));
            }
        }
    }

    private void names(String path, JsonObject names) {
        for (String name : List.of("plural", "singular")) {
            String value = names.string(name);
            if (!value.isEmpty()) {
                label(path + "." + name, value, value);
            }
        }
        String kind = names.string("kind");
        String listKind = names.string("listKind");
        kind(path + ".kind", kind);
        kind(path + ".listKind", listKind);
        labels(path + ".shortNames", names.strings("shortNames"));
        if (!kind.isEmpty() && kind.equals(listKind)) {
            errors.add(FieldError.invalid(path + ".listKind", listKind, "kind and listKind may not be the same"));
        }
        labels(path + ".categories", names.strings("categories"));
    }

    private void labels(String path, List<String> list) {
        for (int i = 0; i < list.size(); i++) {
            label(path + "[" + i + "]", list.get(i), list.get(i));
        }
    }

    private void label(String field, String value, String shown) {
        List<String> wrong = Names.label1035(value);
        if (!wrong.isEmpty()) {
            errors.add(FieldError.invalid(field, shown, String.join(",", wrong)));
        }
    }

    private void kind(String field, String kind) {
        List<String> wrong = kind.isEmpty() ? List.of() : Names.label1035(kind.toLowerCase(Locale.ROOT));
        if (!wrong.isEmpty()) {
            errors.add(FieldError.invalid(
                    field, kind, "may have mixed case, but should otherwise match: " + String.join(",", wrong)));
        }
    }

    /** Existing rules may stay, whatever they cost. */
    private void schema(CrdVersions.Located schema) {
        boolean unchanged = old != null
                && CrdVersions.of(old).versions().stream()
                        .anyMatch(version -> CrdVersions.schema(version)
                                .filter(schema.source()::equals)
                                .isPresent());
        errors.addAll(SchemaRules.check(schema, new RuleCosts(compiler, unchanged)));
    }

    /** Checks the properties that all versions share. */
    private void shared() {
        if (versions.versions().isEmpty()) {
            return;
        }
        JsonObject first = versions.versions().getFirst();
        if (versions.sharedSchema()) {
            versions.schemas().forEach(this::schema);
        }
        if (versions.sharedSubresources()) {
            subresources(first, "spec.subresources");
        }
        if (versions.sharedColumns()) {
            columns(first, "spec.additionalPrinterColumns");
        }
        if (versions.sharedSelectableFields()) {
            selectableFields(first, "spec.selectableFields");
        }
    }

    private void subresources(JsonObject version, String path) {
        version.findObject("subresources", "scale").ifPresent(scale -> {
            scalePath(path, scale, "specReplicasPath", true, List.of(".spec."), "under .spec");
            scalePath(path, scale, "statusReplicasPath", true, List.of(".status."), "under .status");
            scalePath(
                    path,
                    scale,
                    "labelSelectorPath",
                    false,
                    List.of(".spec.", ".status."),
                    "under either .spec or .status");
        });
    }

    private void scalePath(
            String path, JsonObject scale, String name, boolean required, List<String> starts, String where) {
        String value = scale.string(name);
        String field = path + ".scale." + name;
        if (value.isEmpty()) {
            if (required) {
                errors.add(FieldError.required(field, ""));
            }
        } else if (value.charAt(0) != '.') {
            errors.add(FieldError.invalid(field, value, "must be a simple json path starting with ."));
        } else if (starts.stream().noneMatch(value::startsWith)) {
            errors.add(FieldError.invalid(field, value, "should be a json path " + where));
        }
    }

    private void columns(JsonObject version, String path) {
        List<?> columns = version.array("additionalPrinterColumns");
        for (int i = 0; i < columns.size(); i++) {
            Object column = columns.get(i);
            String at = path + "[" + i + "]";
            if (Json.string(column, "name").isEmpty()) {
                errors.add(FieldError.required(at + ".name", ""));
            }
            String type = Json.string(column, "type");
            if (type.isEmpty()) {
                errors.add(FieldError.required(at + ".type", COLUMN_TYPES_TEXT));
            } else if (!COLUMN_TYPES.contains(type)) {
                errors.add(FieldError.invalid(at + ".type", type, COLUMN_TYPES_TEXT));
            }
            String format = Json.string(column, "format");
            if (!format.isEmpty() && !COLUMN_FORMATS.contains(format)) {
                errors.add(FieldError.invalid(
                        at + ".format",
                        format,
                        "must be one of byte,date,date-time,double,float,int32,int64,password"));
            }
            String jsonPath = Json.string(column, "jsonPath");
            if (jsonPath.isEmpty()) {
                errors.add(FieldError.required(at + ".JSONPath", ""));
            } else if (jsonPath.charAt(0) != '.') {
                errors.add(
                        FieldError.invalid(at + ".JSONPath", jsonPath, "must be a simple json path starting with ."));
            }
        }
    }

    private void selectableFields(JsonObject version, String path) {
        List<?> fields = version.array("selectableFields");
        JsonObject schema = CrdVersions.schema(version).orElse(null);
        if (fields.isEmpty()) {
            return;
        }
        if (schema == null) {
            errors.add(FieldError.invalid(path, "", "may only be set when validations.schema is included"));
            return;
        }
        Set<List<String>> seen = new HashSet<>();
        for (int i = 0; i < fields.size(); i++) {
            String jsonPath = Json.string(fields.get(i), "jsonPath");
            String field = path + "[" + i + "].jsonPath";
            if (jsonPath.isEmpty()) {
                errors.add(FieldError.required(field, ""));
                continue;
            }
            FieldPaths found = FieldPaths.follow(jsonPath, schema, false);
            if (!found.wrong().isEmpty()) {
                errors.add(FieldError.invalid(field, jsonPath, "is an invalid path: " + found.wrong()));
                continue;
            }
            if (found.names().getFirst().equals("metadata")) {
                errors.add(FieldError.invalid(field, jsonPath, "must not point to fields in metadata"));
            }
            if (!SELECTABLE.contains(Json.string(found.schema(), "type"))) {
                errors.add(FieldError.invalid(
                        field,
                        jsonPath,
                        "must point to a field of type string, boolean or integer. Enum string fields and strings with "
                                + "formats are allowed."));
            }
            if (!seen.add(found.names())) {
                errors.add(FieldError.duplicate(field, jsonPath));
            }
        }
        if (seen.size() > MAX_SELECTABLE && !keptSelectableFields(version)) {
            errors.add(FieldError.tooMany(path, seen.size(), MAX_SELECTABLE));
        }
    }

    private boolean keptSelectableFields(JsonObject version) {
        return old != null
                && CrdVersions.of(old).versions().stream()
                        .anyMatch(v -> Objects.equals(v.get("name"), version.get("name"))
                                && Objects.equals(v.get("selectableFields"), version.get("selectableFields")));
    }

    private void conversion() {
        if (!(spec.get("conversion") instanceof JsonObject)) {
            return;
        }
        String strategy = spec.string("conversion", "strategy");
        if (spec.bool("preserveUnknownFields") && !strategy.equals("None")) {
            errors.add(FieldError.invalid(
                    "spec.conversion.strategy", strategy, "must be None if spec.preserveUnknownFields is true"));
        }
        // a definition that is not served yet, or already has an unreadable bundle, may have one
        boolean anyBundle = old == null
                || !Crds.isEstablished(old)
                || !ConversionRules.hasReadableBundle(Json.at(old, "spec", "conversion"));
        new ConversionRules(spec.object("conversion"), anyBundle, errors::add).check();
    }

    private void immutable() {
        if (old == null) {
            return;
        }
        if (Crds.isEstablished(old)) {
            unchanged("scope");
            unchanged("names", "kind");
        }
        unchanged("group");
        unchanged("names", "plural");
    }

    private void unchanged(String... path) {
        String value = spec.string(path);
        if (!value.equals(Json.string(Json.at(old, "spec"), path))) {
            errors.add(FieldError.invalid("spec." + String.join(".", path), value, "field is immutable"));
        }
    }

    private void storedVersions() {
        Object stored = crd.at("status", "storedVersions");
        List<String> names = crd.strings("status", "storedVersions");
        if (names.isEmpty()) {
            errors.add(FieldError.invalid("status.storedVersions", stored, "must have at least one stored version"));
            return;
        }
        Set<String> known = new HashSet<>();
        for (JsonObject version : versions.versions()) {
            String name = version.string("name");
            if (version.bool("storage") && !names.contains(name)) {
                errors.add(FieldError.invalid("status.storedVersions", names, "must have the storage version " + name));
            }
            known.add(name);
        }
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            if (!known.contains(name)) {
                errors.add(FieldError.invalid(
                        "status.storedVersions[" + i + "]",
                        name,
                        "missing from spec.versions; " + name + " was previously a storage version, and must remain in "
                                + "spec.versions until a storage migration ensures no data remains persisted in " + name
                                + " and removes " + name + " from status.storedVersions"));
            }
        }
    }

    private void approval() {
        if (!Approval.isProtected(spec.string("group"))) {
            return;
        }
        Approval approval = Approval.of(crd);
        if (old != null && Approval.of(old).state() == approval.state()) {
            return;
        }
        String field = "metadata.annotations[" + Approval.ANNOTATION + "]";
        switch (approval.state()) {
            case MISSING -> errors.add(FieldError.required(field, approval.text()));
            case INVALID -> errors.add(FieldError.invalid(field, approval.annotation(), approval.text()));
            case BYPASSED, APPROVED -> {}
        }
    }

    private void preserveUnknown() {
        boolean before = old != null && Boolean.TRUE.equals(Json.at(old, "spec", "preserveUnknownFields"));
        if (!before && spec.bool("preserveUnknownFields")) {
            errors.add(FieldError.invalid(
                    "spec.preserveUnknownFields",
                    true,
                    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema "
                            + "instead"));
        }
    }
}
