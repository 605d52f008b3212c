package dev.evenkeel.engine.internal.schema;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.type.ObjectMeta;
import dev.evenkeel.engine.internal.type.Schema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The branches of a schema that lead to relevant schemas: a walk over an object follows only these, so that unused
 * features of schemas cost nothing. A null trie has no relevant schemas.
 *
 * <p>Metadata of resources is never relevant: it has rules of its own. A recursive reference of a schema to itself,
 * which structural schemas cannot have, is not followed.
 *
 * @param schema the schema at this node
 * @param here whether this node is relevant itself
 * @param fields the named fields with relevant schemas, by name: reports about them come in that order
 * @param items the items of an array
 * @param additional the values of a map
 * @param named the names of all fields, which {@code additional} does not concern
 */
record SchemaTrie(
        Schema schema,
        boolean here,
        List<Map.Entry<String, SchemaTrie>> fields,
        @Nullable SchemaTrie items,
        @Nullable SchemaTrie additional,
        Set<String> named) {

    /** Receives the values of relevant schemas. */
    interface Visitor {
        void visit(Schema schema, Object value, Trail trail);
    }

    /** Returns the branches that lead to a relevant schema; null when there are none. */
    static @Nullable SchemaTrie of(Schema schema, Predicate<Schema> interest) {
        return of(schema, interest, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    private static @Nullable SchemaTrie of(@Nullable Schema schema, Predicate<Schema> interest, Set<Schema> above) {
        if (schema == null || schema.reference().equals(ObjectMeta.DEFINITION) || !above.add(schema)) {
            return null;
        }
        List<Map.Entry<String, SchemaTrie>> fields = new ArrayList<>();
        new TreeMap<>(schema.properties()).forEach((name, property) -> {
            SchemaTrie field = of(property, interest, above);
            if (field != null) {
                fields.add(Map.entry(name, field));
            }
        });
        SchemaTrie items = of(schema.items(), interest, above);
        SchemaTrie additional = of(schema.additional(), interest, above);
        above.remove(schema);
        boolean here = interest.test(schema);
        if (!here && fields.isEmpty() && items == null && additional == null) {
            return null;
        }
        Set<String> named = additional == null ? Set.of() : schema.properties().keySet();
        return new SchemaTrie(schema, here, List.copyOf(fields), items, additional, named);
    }

    /** Visits the values of relevant schemas, except nulls; a value comes before those in it. */
    static void walk(@Nullable SchemaTrie root, @Nullable Object value, Visitor visitor) {
        if (root != null) {
            root.walk(value, new Trail(), visitor);
        }
    }

    private void walk(@Nullable Object value, Trail trail, Visitor visitor) {
        if (value == null) {
            return;
        }
        if (here) {
            visitor.visit(schema, value, trail);
        }
        if (value instanceof JsonObject) {
            JsonObject object = Json.asObject(value);
            for (Map.Entry<String, SchemaTrie> field : fields) {
                trail.field(field.getKey());
                field.getValue().walk(object.get(field.getKey()), trail, visitor);
                trail.pop();
            }
            if (additional != null) {
                object.forEach((name, child) -> {
                    if (!named.contains(name)) {
                        trail.key(name);
                        additional.walk(child, trail, visitor);
                        trail.pop();
                    }
                });
            }
        } else if (value instanceof List<?> list && items != null) {
            for (int i = 0; i < list.size(); i++) {
                trail.index(i);
                items.walk(list.get(i), trail, visitor);
                trail.pop();
            }
        }
    }
}
