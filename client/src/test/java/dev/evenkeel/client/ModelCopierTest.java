package dev.evenkeel.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ModelCopierTest {
    private static final String MODEL = "io.fabric8.kubernetes.api.model.";

    /** Fills objects of the model, down to a depth. */
    private static final class Filler {
        private int next;

        Object object(Class<?> type, int depth) throws ReflectiveOperationException {
            if (type == Quantity.class) {
                return new Quantity(Integer.toString(next++), "Gi");
            }
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            Object object = constructor.newInstance();
            for (Class<?> owner = type; owner != Object.class; owner = owner.getSuperclass()) {
                for (Field field : owner.getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers())
                            && !field.getName().equals("apiVersion")) {
                        field.setAccessible(true);
                        Object value = value(field.getGenericType(), depth - 1);
                        if (value != null) {
                            field.set(object, value);
                        }
                    }
                }
            }
            return object;
        }

        private Object value(Type type, int depth) throws ReflectiveOperationException {
            if (type instanceof ParameterizedType generic) {
                Type last = generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
                Object item = value(last, depth);
                if (generic.getRawType() == List.class) {
                    return item == null ? null : new ArrayList<>(List.of(item));
                }
                return item == null ? null : new LinkedHashMap<>(Map.of("key" + next++, item));
            }
            if (type == String.class || type == Object.class) {
                return "text" + next++;
            }
            if (type == Integer.class) {
                return next++;
            }
            if (type == Long.class) {
                return (long) next++ << 40;
            }
            if (type == Double.class) {
                return next++ + 0.5;
            }
            if (type == Boolean.class) {
                return next++ % 2 == 0;
            }
            Class<?> raw = (Class<?>) type;
            return raw.getName().startsWith(MODEL) && !Modifier.isAbstract(raw.getModifiers()) && depth > 0
                    ? object(raw, depth)
                    : null;
        }
    }

    /** Adds all that can change in a value. */
    private static void parts(Object value, Set<Object> found) throws IllegalAccessException {
        if (value instanceof List<?> list) {
            found.add(list);
            for (Object item : list) {
                parts(item, found);
            }
        } else if (value instanceof Map<?, ?> map) {
            found.add(map);
            for (Object item : map.values()) {
                parts(item, found);
            }
        } else if (value != null && value.getClass().getName().startsWith(MODEL)) {
            found.add(value);
            for (Class<?> owner = value.getClass(); owner != Object.class; owner = owner.getSuperclass()) {
                for (Field field : owner.getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers())) {
                        field.setAccessible(true);
                        parts(field.get(value), found);
                    }
                }
            }
        }
    }

    private static Set<Object> parts(Object value) throws IllegalAccessException {
        Set<Object> found = Collections.newSetFromMap(new IdentityHashMap<>());
        parts(value, found);
        return found;
    }

    @Test
    void copiesOfAllKindsEqualThemAndShareNothing() throws Exception {
        int kinds = 0;
        for (KubernetesResource kind : ServiceLoader.load(KubernetesResource.class)) {
            if (!(kind instanceof HasMetadata)) {
                continue;
            }
            HasMetadata object = (HasMetadata) new Filler().object(kind.getClass(), 7);
            HasMetadata copy = ModelCopier.copy(object).orElseThrow();

            assertThat(ModelCodec.encode(copy)).as(kind.getClass().getName()).isEqualTo(ModelCodec.encode(object));
            assertThat(copy).isEqualTo(object).isExactlyInstanceOf(kind.getClass());
            Set<Object> shared = parts(copy);
            shared.retainAll(parts(object));
            assertThat(shared).as(kind.getClass().getName()).isEmpty();
            kinds++;
        }
        assertThat(kinds).isGreaterThan(60);
    }

    @Test
    void emptyObjectsStayEmptyAndNullContainersAreMadeAsByTheConstructor() {
        Secret secret = new Secret();
        secret.setMetadata(null);
        secret.setData(null);

        Secret copy = ModelCopier.copy(secret).orElseThrow();

        assertThat(copy.getMetadata()).isNull();
        assertThat(copy.getData()).isEqualTo(new Secret().getData());
    }

    @Test
    void unmodifiableContainersCanBeChangedInCopies() {
        ConfigMap map = new ConfigMapBuilder().withNewMetadata().endMetadata().build();
        map.setData(Map.of("a", "1"));
        map.getMetadata().setFinalizers(List.of("x/y"));

        ConfigMap copy = ModelCodec.copy(map);
        copy.getData().put("b", "2");
        copy.getMetadata().getFinalizers().add("x/z");

        assertThat(map.getData()).containsOnlyKeys("a");
        assertThat(map.getMetadata().getFinalizers()).containsExactly("x/y");
    }

    @Test
    void quantitiesAreNotShared() {
        Quantity quantity = new Quantity("1", "Gi");

        Quantity copy = ModelCopier.copy(quantity).orElseThrow();
        copy.setAmount("2");

        assertThat(quantity.getAmount()).isEqualTo("1");
    }

    @Test
    void objectsWithPartsOfOtherClassesAreNotCopied() {
        GenericKubernetesResource generic = new GenericKubernetesResource();
        generic.setAdditionalProperty("spec", Map.of("node", new StringBuilder("text")));
        JSONSchemaProps schema = new JSONSchemaProps();
        schema.setDefault(TextNode.valueOf("a"));

        assertThat(ModelCopier.copy(generic)).isEmpty();
        assertThat(ModelCopier.copy(schema)).isEmpty();
        assertThat(ModelCopier.copy(new Object())).isEmpty();
    }
}
