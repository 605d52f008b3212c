package dev.evenkeel.engine.internal.builtin.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How often the errors of metadata are reported, by kind. */
class KindFactsTest {
    private static final String METADATA =
            "{'metadata':{'name':'a','namespace':'n','uid':'u','resourceVersion':'1'%s}}";

    private static JsonObject tree(KindStrategy strategy, String more) {
        JsonObject tree = strategy.convert(Kinds.tree(METADATA.formatted(more)));
        strategy.normalise(tree, List.of());
        strategy.applyDefaults(tree);
        return tree;
    }

    private static List<String> fields(KindStrategy strategy, JsonObject tree, JsonObject old, String subresource) {
        return strategy.validate(tree, old, subresource).stream()
                .map(FieldError::field)
                .filter(field -> field.startsWith("metadata."))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "configmaps,2",
        "deployments.apps,1",
        "endpointslices.discovery.k8s.io,1",
        "events,0",
        "events.events.k8s.io,1",
        "jobs.batch,2",
        "leases.coordination.k8s.io,0",
        "limitranges,1",
        "poddisruptionbudgets.policy,0",
        "resourcequotas,1",
        "services,1",
    })
    void finalizersAreCheckedAsOftenAsUpstreamValidatesTheObject(String id, int times) {
        KindStrategy strategy = Kinds.of(id);
        JsonObject old = tree(strategy, "");
        JsonObject changed = tree(strategy, ",'finalizers':['x']");
        assertThat(fields(strategy, changed, old, "")).hasSize(times).allMatch("metadata.finalizers[0]"::equals);
        assertThat(strategy.validate(changed, null, "").stream()
                        .map(FieldError::field)
                        .filter("metadata.finalizers[0]"::equals))
                .hasSize(Math.min(times, 1));
    }

    @ParameterizedTest
    @CsvSource({"nodes,2,1", "persistentvolumes,2,1", "poddisruptionbudgets.policy,0,0"})
    void aStatusIsNotValidatedAsAWhole(String id, int object, int status) {
        KindStrategy strategy = Kinds.of(id);
        JsonObject old = tree(strategy, "");
        JsonObject changed = tree(strategy, ",'finalizers':['x']");
        assertThat(fields(strategy, changed, old, "")).hasSize(object);
        assertThat(fields(strategy, changed, old, "status")).hasSize(status);
    }

    @ParameterizedTest
    @CsvSource({"configmaps,2", "events,1", "events.events.k8s.io,2", "limitranges,1", "resourcequotas,2"})
    void changesOfMetadataAreCheckedByTheGeneralRulesAndMostlyByThoseOfTheKind(String id, int times) {
        KindStrategy strategy = Kinds.of(id);
        JsonObject changed = tree(strategy, ",'deletionGracePeriodSeconds':5");
        assertThat(fields(strategy, changed, tree(strategy, ""), ""))
                .hasSize(times)
                .allMatch("metadata.deletionGracePeriodSeconds"::equals);
    }
}
