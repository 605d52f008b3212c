package dev.evenkeel.testing.object;

import com.fasterxml.jackson.databind.AnnotationIntrospector;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.util.NameTransformer;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The type of a value in an object, according to its class.
 *
 * <p>The built-in model classes keep every unknown field. That is right for objects of a newer server, and wrong for
 * tests, where such a field is a mistake: so here they have the declared fields only. Users' classes that keep unknown
 * fields do so intentionally.
 */
sealed interface Shape {
    /** An object of a class, with its fields by their names in JSON; an open one may have others. */
    record Fields(String type, Map<String, JavaType> fields, boolean open) implements Shape {}

    /** A map. */
    record Entries(JavaType value) implements Shape {}

    /** A list. */
    record Elements(JavaType value) implements Shape {}

    /** A scalar, or a value with a form of its own. */
    record Leaf(String type) implements Shape {}

    /** Anything. */
    record Open() implements Shape {}

    static Shape of(Class<?> type) {
        return Shapes.of(Shapes.MAPPER.constructType(type));
    }

    /** Returns the shape of a field; refuses an unknown one, and lists the existing ones. */
    default Shape field(String name) {
        return switch (this) {
            case Fields fields when fields.fields.containsKey(name) -> Shapes.of(fields.fields.get(name));
            case Fields fields when fields.open -> new Open();
            case Fields fields ->
                throw new IllegalArgumentException(fields.type + " has no field \"" + name + "\"; "
                        + Shapes.nearest(name, fields.fields.keySet()));
            case Entries entries -> Shapes.of(entries.value);
            case Elements unused ->
                throw new IllegalArgumentException("a list has no field \"" + name
                        + "\": name an entry, as in [0] or [name=app], or [+] for a new one");
            case Leaf leaf -> throw new IllegalArgumentException(leaf.type + " has no field \"" + name + "\"");
            case Open unused -> this;
        };
    }

    /** Returns the shape of an entry of a list; refuses anything else. */
    default Shape element() {
        return switch (this) {
            case Elements elements -> Shapes.of(elements.value);
            case Open unused -> this;
            case Fields fields -> throw new IllegalArgumentException(fields.type + " is not a list");
            case Entries unused -> throw new IllegalArgumentException("a map is not a list");
            case Leaf leaf -> throw new IllegalArgumentException(leaf.type + " is not a list");
        };
    }

    /** Refuses a value with an unknown field, and names its path. */
    default void check(String path, @Nullable Object value) {
        if (value instanceof Map<?, ?> map && !(this instanceof Leaf)) {
            map.forEach((name, child) -> {
                String at = path.isEmpty() ? name.toString() : path + "." + name;
                Shapes.at(at, () -> field(name.toString())).check(at, child);
            });
        } else if (value instanceof List<?> list && !(this instanceof Leaf)) {
            Shape shape = Shapes.at(path, this::element);
            for (int i = 0; i < list.size(); i++) {
                shape.check(path + "[" + i + "]", list.get(i));
            }
        }
    }

    /** The shapes of classes, as Jackson binds them. */
    final class Shapes {
        private static final JsonMapper MAPPER = JsonMapper.builder().build();
        private static final Map<JavaType, Shape> KNOWN = new ConcurrentHashMap<>();

        private Shapes() {}

        private static Shape at(String path, Supplier<Shape> shape) {
            try {
                return shape.get();
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(path + ": " + e.getMessage(), e);
            }
        }

        static Shape of(JavaType type) {
            return KNOWN.computeIfAbsent(type, Shapes::make);
        }

        private static Shape make(JavaType type) {
            if (type.isMapLikeType()) {
                return new Entries(type.getContentType());
            }
            if (type.hasRawClass(byte[].class)) {
                return new Leaf("byte[]");
            }
            if (type.isContainerType()) {
                return new Elements(type.getContentType());
            }
            if (type.isJavaLangObject() || type.isTypeOrSubTypeOf(JsonNode.class)) {
                return new Open();
            }
            Class<?> raw = type.getRawClass();
            if (type.isPrimitive() || type.isEnumType() || raw.getName().startsWith("java.")) {
                return new Leaf(raw.getSimpleName());
            }
            if (type.isAbstract()) {
                return new Open();
            }
            SerializationConfig config = MAPPER.getSerializationConfig();
            BeanDescription bean = config.introspect(type);
            AnnotationIntrospector annotations = config.getAnnotationIntrospector();
            if (annotations.findSerializer(bean.getClassInfo()) != null || bean.findJsonValueAccessor() != null) {
                // in a form of its own: a quantity is a string, an IntOrString one of two types
                return new Leaf(raw.getSimpleName());
            }
            return new Fields(raw.getSimpleName(), fields(bean, annotations), isOpen(bean));
        }

        private static Map<String, JavaType> fields(BeanDescription bean, AnnotationIntrospector annotations) {
            Map<String, JavaType> fields = new TreeMap<>();
            for (BeanPropertyDefinition property : bean.findProperties()) {
                AnnotatedMember member = property.getAccessor();
                if (member == null) {
                    continue;
                }
                NameTransformer unwrapped = annotations.findUnwrappingNameTransformer(member);
                if (unwrapped != null && make(member.getType()) instanceof Fields inner) {
                    inner.fields().forEach((name, type) -> fields.put(unwrapped.transform(name), type));
                } else if (annotations.findSerializer(member) != null) {
                    fields.put(property.getName(), MAPPER.constructType(Object.class));
                } else {
                    fields.put(property.getName(), member.getType());
                }
            }
            return fields;
        }

        private static boolean isOpen(BeanDescription bean) {
            Class<?> type = bean.getBeanClass();
            return bean.findAnyGetter() != null
                    && (type == GenericKubernetesResource.class
                            || !type.getName().startsWith("io.fabric8.kubernetes.api.model."));
        }

        static String nearest(String name, Collection<String> all) {
            List<String> near = all.stream()
                    .filter(field -> distance(name, field) <= Math.max(2, name.length() / 3))
                    .sorted(Comparator.comparingInt(field -> distance(name, field)))
                    .limit(3)
                    .toList();
            return near.isEmpty()
                    ? "it has " + all.stream().limit(30).collect(Collectors.joining(", "))
                            + (all.size() > 30 ? " and " + (all.size() - 30) + " more" : "")
                    : "nearest " + (near.size() == 1 ? "is " : "are ") + String.join(", ", near);
        }

        /** Returns the edit distance of two words, ignoring case. */
        static int distance(String one, String two) {
            int[] row = new int[two.length() + 1];
            for (int j = 0; j < row.length; j++) {
                row[j] = j;
            }
            for (int i = 1; i <= one.length(); i++) {
                int diagonal = row[0];
                row[0] = i;
                for (int j = 1; j < row.length; j++) {
                    boolean same = Character.toLowerCase(one.charAt(i - 1)) == Character.toLowerCase(two.charAt(j - 1));
                    int next = Math.min(diagonal + (same ? 0 : 1), Math.min(row[j], row[j - 1]) + 1);
                    diagonal = row[j];
                    row[j] = next;
                }
            }
            return row[two.length()];
        }
    }
}
