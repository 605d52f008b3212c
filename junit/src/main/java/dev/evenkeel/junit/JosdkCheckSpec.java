package dev.evenkeel.junit;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The settings of a {@link JosdkConvergence}. */
final class JosdkCheckSpec {
    /** A change of a user. */
    record Edit(String what, Consumer<KubernetesClient> edit) {}

    /** A rule that must hold after each write. */
    record Always(String what, Predicate<KubernetesClient> holds) {}

    final List<Consumer<Operator>> reconcilers = new ArrayList<>();
    final List<Consumer<ConfigurationServiceOverrider>> settings = new ArrayList<>();
    final Set<Class<? extends HasMetadata>> types = new LinkedHashSet<>();
    final List<String> manifests = new ArrayList<>();
    final List<HasMetadata> given = new ArrayList<>();
    final List<Edit> edits = new ArrayList<>();
    final List<Always> always = new ArrayList<>();
    final Set<String> outlives = new TreeSet<>();
    final Set<String> ignored = new TreeSet<>();
    Duration patience = Duration.ofMinutes(10);

    JosdkCheckSpec copy() {
        JosdkCheckSpec copy = new JosdkCheckSpec();
        copy.reconcilers.addAll(reconcilers);
        copy.settings.addAll(settings);
        copy.types.addAll(types);
        copy.manifests.addAll(manifests);
        copy.given.addAll(given);
        copy.edits.addAll(edits);
        copy.always.addAll(always);
        copy.outlives.addAll(outlives);
        copy.ignored.addAll(ignored);
        copy.patience = patience;
        return copy;
    }

    /** Returns the given objects of some kinds. */
    List<HasMetadata> givenOf(Set<String> kinds) {
        return given.stream().filter(object -> kinds.contains(object.getKind())).toList();
    }

    /** Returns the last given object of each of some kinds of which there are several. */
    List<HasMetadata> severalOf(Set<String> kinds) {
        return kinds.stream()
                .sorted()
                .map(kind -> givenOf(Set.of(kind)))
                .filter(objects -> objects.size() > 1)
                .map(List::getLast)
                .toList();
    }

    /** Returns the names of the given objects, such as {@code configmaps default/blog}. */
    Set<String> names() {
        return given.stream().map(JosdkCheckSpec::name).collect(Collectors.toSet());
    }

    static String name(HasMetadata object) {
        String namespace = object.getMetadata().getNamespace();
        return resource(object.getClass()) + " " + (namespace == null ? "" : namespace + "/")
                + object.getMetadata().getName();
    }

    /** Returns the name of the resource of a class, such as {@code deployments.apps}. */
    static String resource(Class<? extends HasMetadata> type) {
        String group = HasMetadata.getGroup(type);
        String plural = HasMetadata.getPlural(type);
        return group == null || group.isEmpty() ? plural : plural + "." + group;
    }

    /** Builds clusters with the definitions and objects that exist at the start. */
    EngineCluster.Builder clusters() {
        EngineCluster.Builder builder = EngineCluster.builder();
        builder.manifests(manifests.toArray(String[]::new));
        types.forEach(builder::types);
        return builder.objects(given);
    }
}
