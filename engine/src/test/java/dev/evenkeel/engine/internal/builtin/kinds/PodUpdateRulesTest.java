package dev.evenkeel.engine.internal.builtin.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Changes of pods that are allowed, and the subresources they go through. */
class PodUpdateRulesTest {
    private static final String BASE =
            "'containers':[{'name':'c','image':'i:1','resources':{'requests':{'cpu':'1'},'limits':{'cpu':'2'}}}]";

    private static JsonObject pod(String spec) {
        JsonObject tree = Kinds.read(
                "pods",
                Kinds.tree("{'metadata':{'name':'p','namespace':'n','uid':'u','resourceVersion':'1'},'spec':{" + spec
                        + "}}"));
        Kinds.of("pods").prepareForCreate(tree, Kinds.CONTEXT);
        return tree;
    }

    private static List<String> update(String subresource, JsonObject changed, JsonObject old) {
        KindStrategy strategy = Kinds.of("pods");
        JsonObject tree = changed.copy();
        strategy.prepareForUpdate(tree, old, subresource, Kinds.CONTEXT);
        return strategy.validate(tree, old, subresource).stream()
                .map(FieldError::text)
                .toList();
    }

    private static JsonObject with(String from, String to) {
        return pod(BASE.replace(from, to));
    }

    @Test
    void imagesMayChange() {
        assertThat(update("", with("i:1", "i:2"), pod(BASE))).isEmpty();
        assertThat(update("", pod(BASE + ",'activeDeadlineSeconds':5"), pod(BASE)))
                .isEmpty();
        assertThat(update("", pod(BASE), pod(BASE + ",'activeDeadlineSeconds':5")))
                .containsExactly("spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive"
                        + " integer to nil value");
    }

    @Test
    void otherFieldsAreForbiddenAndTheDifferenceIsShown() {
        assertThat(update("", pod(BASE + ",'hostname':'h'"), pod(BASE)))
                .singleElement()
                .satisfies(text -> assertThat(text)
                        .startsWith("spec: Forbidden: pod updates may not change fields other than"
                                + " `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
                                + "`spec.tolerations` (only additions to existing tolerations),"
                                + "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously"
                                + " negative)\n")
                        .contains("- \"Hostname\": \"\",\n", "+ \"Hostname\": \"h\",\n"));
    }

    @Test
    void resourcesChangeThroughResize() {
        assertThat(update("resize", with("'cpu':'2'", "'cpu':'3'"), pod(BASE))).isEmpty();
        assertThat(update("resize", with("'cpu':'2'", "'cpu':'0.5'"), pod(BASE)))
                .containsExactly("spec.containers[0].resources.requests: Invalid value: \"1\": must be less than or"
                        + " equal to cpu limit of 500m");
        assertThat(update("resize", with("'limits':{'cpu':'2'}", "'limits':{}"), pod(BASE)))
                .isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'name':'d','image':'i:1'} | ",
                "{'name':'c','image':'i:1'} | spec.ephemeralContainers[0].name: Duplicate value: `c`",
                "{'name':'d','image':'i:1','ports':[{'containerPort':1}]} | spec.ephemeralContainers[0].ports:"
                        + " Forbidden: cannot be set for an Ephemeral Container",
                "{'name':'d','image':'i:1','targetContainerName':'x'} |"
                        + " spec.ephemeralContainers[0].targetContainerName: Not found: `x`",
            })
    void ephemeralContainersAreAddedThroughTheirSubresource(String container, String error) {
        List<String> texts =
                update("ephemeralcontainers", pod(BASE + ",'ephemeralContainers':[" + container + "]"), pod(BASE));
        assertThat(texts).isEqualTo(error == null ? List.of() : List.of(error.replace('`', '"')));
    }
}
