package dev.evenkeel.testing.object;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import io.fabric8.kubernetes.api.model.AnyType;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every field that a model class declares, however deep, can be set by its path, and is then in the object. */
class CompletenessTest {
    @TestFactory
    Stream<DynamicTest> everyFieldCanBeSet() {
        return Stream.<Class<? extends HasMetadata>>of(
                        ConfigMap.class,
                        DaemonSet.class,
                        Deployment.class,
                        Lease.class,
                        Namespace.class,
                        Node.class,
                        PersistentVolume.class,
                        PersistentVolumeClaim.class,
                        Pod.class,
                        Secret.class,
                        Service.class,
                        StatefulSet.class)
                .map(type -> DynamicTest.dynamicTest(type.getSimpleName(), () -> everyFieldOf(type)));
    }

    private static <T extends HasMetadata> void everyFieldOf(Class<T> type) {
        Map<String, Object> leaves = new JsonObject();
        leaves(type, "", leaves, new ArrayList<>());
        leaves.keySet().removeAll(List.of("apiVersion", "kind"));
        Given<T> empty = Given.yaml(type, "{}");

        assertThat(leaves).hasSizeGreaterThan(15);
        leaves.forEach((path, value) -> {
            Object tree = Json.parse(ModelCodec.encode(empty.at(path, value).object()), JsonLimits.DEFAULT);
            Object found = tree;
            for (String step : path.replace("[+]", ".0").split("\\.")) {
                found = step.equals("0")
                        ? Json.asArray(found).getFirst()
                        : Json.asObject(found).get(step);
                assertThat(found).as("%s in %s", path, Json.text(tree)).isNotNull();
            }
            assertThat(found)
                    .as(path)
                    .hasToString(value instanceof ZonedDateTime ? found.toString() : value.toString());
        });
    }

    /** Found by reflection, not as the code does it. */
    private static void leaves(Type type, String path, Map<String, Object> leaves, List<Class<?>> around) {
        if (type instanceof ParameterizedType generic) {
            Type last = generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
            leaves(last, path + (generic.getRawType() == Map.class ? ".key" : "[+]"), leaves, around);
            return;
        }
        Class<?> raw = (Class<?>) type;
        Object value = sample(raw);
        if (value != null) {
            leaves.put(path, value);
        } else if (!around.contains(raw)) {
            around.add(raw);
            for (Field field : raw.getDeclaredFields()) {
                JsonProperty property = field.getAnnotation(JsonProperty.class);
                if (property != null) {
                    leaves(
                            field.getGenericType(),
                            path + (path.isEmpty() ? "" : ".") + property.value(),
                            leaves,
                            around);
                }
            }
            around.removeLast();
        }
    }

    private static Object sample(Class<?> type) {
        if (type == String.class || type == Object.class) {
            return "x";
        }
        if (type == Integer.class || type == Long.class || AnyType.class.isAssignableFrom(type)) {
            return 7L;
        }
        if (type == Double.class) {
            return 1.5;
        }
        if (type == Boolean.class) {
            return true;
        }
        if (type == Quantity.class) {
            return "5Mi";
        }
        return type == ZonedDateTime.class ? ZonedDateTime.parse("2026-01-01T00:00:00Z") : null;
    }
}
