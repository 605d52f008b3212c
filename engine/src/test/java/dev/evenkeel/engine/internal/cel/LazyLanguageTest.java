package dev.evenkeel.engine.internal.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.crd.Crds;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** An engine that meets no rules does not pay for their language. */
class LazyLanguageTest {
    /** Loads all classes again, and records them. */
    private static final class Fresh extends URLClassLoader {
        Fresh() {
            super(
                    Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                            .map(Fresh::url)
                            .toArray(URL[]::new),
                    ClassLoader.getPlatformClassLoader());
        }

        private static URL url(String path) {
            try {
                return new File(path).toURI().toURL();
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException(path, e);
            }
        }

        boolean has(String name) {
            return findLoadedClass(name) != null;
        }
    }

    /** Writes a definition, and an object of it; runs among the fresh classes. */
    public static final class Life implements Runnable {
        private final String rules;

        /** With or without rules. */
        public Life(boolean rules) {
            this.rules = rules ? ",'x-kubernetes-validations':[{'rule':'self.a > 1'}]" : "";
        }

        @Override
        public void run() {
            JsonObject crd = dev.evenkeel.engine.internal.json.Json.asObject(
                    Rules.value("{'metadata':{'name':'as.b.c'},'spec':{'group':'b.c','scope':'Namespaced',"
                            + "'names':{'plural':'as','kind':'A'},'versions':[{'name':'v1','served':true,'storage':true,"
                            + "'schema':{'openAPIV3Schema':{'type':'object','properties':{'a':{'type':'integer'}}"
                            + rules
                            + "}}}]}}"));
            Crds.prepareForCreate(crd);
            Crds.validate(crd, null, (schema, resource) -> Cel.RULES.compile(schema, resource));
        }
    }

    private static void live(Fresh classes, boolean rules) throws Exception {
        ((Runnable) classes.loadClass(Life.class.getName())
                        .getConstructor(boolean.class)
                        .newInstance(rules))
                .run();
    }

    @Test
    void onlyRulesLoadTheLanguage() throws Exception {
        try (Fresh classes = new Fresh()) {
            live(classes, false);
            assertThat(classes.has(Crds.class.getName())).isTrue();
            assertThat(classes.has(Cel.class.getName())).isFalse();
            assertThat(classes.has("dev.cel.compiler.CelCompiler")).isFalse();
            live(classes, true);
            assertThat(classes.has("dev.cel.compiler.CelCompiler")).isTrue();
        }
    }
}
