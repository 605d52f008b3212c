package dev.evenkeel.testing.diff;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.LiteralTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.Yaml;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

class PasteTest {
    @Test
    void isAnExpectationToPaste() {
        ConfigMap observed = new ConfigMapBuilder()
                .withNewMetadata()
                .withName("a")
                .withUid("1")
                .withResourceVersion("7")
                .endMetadata()
                .addToData("path", "C:\\x")
                .addToData("script", "one\n  \"\"\"two\"\"\"\n")
                .build();

        assertThat(Paste.of(observed)).isEqualTo("""
                Given.yaml(ConfigMap.class, \"""
                        apiVersion: v1
                        kind: ConfigMap
                        metadata:
                          name: a
                        data:
                          path: C:\\\\x
                          script: |
                            one
                              \\"\\"\\"two\\"\\"\\"
                        \""")""");
    }

    @Test
    void namesNestedClasses() {
        Inner object = new Inner();
        assertThat(Paste.of(object)).startsWith("Given.yaml(PasteTest.Inner.class, ");
    }

    /** A class within another. */
    public static class Inner extends GenericKubernetesResource {}

    @Test
    void thePastedSourceIsTheObject() throws Exception {
        long seed = System.nanoTime();
        System.out.println("PasteTest seed " + seed);
        RandomTrees trees = new RandomTrees(seed);
        List<GenericKubernetesResource> objects = new ArrayList<>();
        StringBuilder source = new StringBuilder("class Pasted { Object[] all = {\n");
        for (int i = 0; i < 300; i++) {
            JsonObject tree = Json.asObject(Json.copy(
                    JsonObject.of("apiVersion", "e.com/v1", "kind", "Thing", "metadata", JsonObject.of("name", "n"))));
            tree.put("spec", trees.object(4));
            GenericKubernetesResource object = ModelCodec.decode(Json.write(tree), GenericKubernetesResource.class);
            objects.add(object);
            source.append(Paste.of(object, Normalization.exact())).append(",\n");
        }
        List<String> blocks = literals(source.append("};}\n").toString());

        assertThat(blocks).as("seed %d", seed).hasSameSizeAs(objects);
        for (int i = 0; i < blocks.size(); i++) {
            assertThat(Json.sorted(Yaml.parse(blocks.get(i).getBytes(UTF_8), JsonLimits.DEFAULT)))
                    .as("seed %d, number %d:%n%s", seed, i, blocks.get(i))
                    .isEqualTo(Json.sorted(Json.parse(ModelCodec.encode(objects.get(i)), JsonLimits.DEFAULT)));
            assertThat(Given.yaml(GenericKubernetesResource.class, blocks.get(i)))
                    .as("seed %d, number %d", seed, i)
                    .isEqualTo(Given.of(objects.get(i)));
        }
    }

    /** The strings of a source, as the Java compiler reads them. */
    private static List<String> literals(String source) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavaFileObject file =
                new SimpleJavaFileObject(URI.create("string:///Pasted.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                };
        List<String> errors = new ArrayList<>();
        JavacTask task = (JavacTask)
                compiler.getTask(null, null, problem -> errors.add(problem.toString()), null, null, List.of(file));
        List<String> literals = new ArrayList<>();
        task.parse()
                .forEach(unit -> unit.accept(
                        new TreeScanner<Void, Void>() {
                            @Override
                            public Void visitLiteral(LiteralTree literal, Void none) {
                                literals.add((String) literal.getValue());
                                return null;
                            }
                        },
                        null));
        assertThat(errors).isEmpty();
        return literals;
    }
}
