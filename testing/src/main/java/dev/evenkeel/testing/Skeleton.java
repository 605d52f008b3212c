package dev.evenkeel.testing;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Controller.Dependencies.Relation;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.testing.diff.Normalization;
import dev.evenkeel.testing.diff.Paste;
import dev.evenkeel.testing.internal.Definitions;
import dev.evenkeel.testing.internal.Source;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PartialObjectMetadata;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Generates the source of a test class for a controller: a named case for each situation that follows from the
 * controller's declarations, with the existing objects, and without the expected effects.
 *
 * <pre>{@code
 * public static void main(String[] arguments) {
 *     Skeleton.of(WebsiteReconciler.controller())
 *             .definitions(Path.of("website", "crd.yaml"))
 *             .writeTo(Path.of("src/test/java"));
 * }
 * }</pre>
 *
 * <p>The class compiles and runs as it is. Each case fails with the observed effects and with the lines that expect
 * them: check whether they are right, and paste them where the case indicates. A case without any effects passes at
 * once.
 */
public final class Skeleton {
    private static final String PASTE = "// paste the expectations here";
    private static final String VERB = "static dev.evenkeel.testing.call.RecordedCall.Verb.";

    private final Controller<?> controller;
    private final List<Given<?>> given = new ArrayList<>();
    private String definitions = "";
    private String definitionsSource = "";
    private String factory;
    private String packageName;
    private String className;

    private Skeleton(Controller<?> controller) {
        this.controller = controller;
        Class<?> home = home(controller);
        packageName = home.getPackageName();
        factory = factory(controller, home);
        Kind<?> primary = controller.primary();
        className = (controller.name().equals(primary.id())
                        ? primary.kind() + "Controller"
                        : Source.type(controller.name()))
                + "Test";
    }

    /** Returns a generator for a controller, whose declarations determine the cases. The controller is not run. */
    public static Skeleton of(Controller<?> controller) {
        return new Skeleton(controller);
    }

    /** Returns the class that the reconciler was written in. */
    private static Class<?> home(Controller<?> controller) {
        Class<?> type = controller.reconciler().getClass();
        if (type.isHidden()) {
            String name = type.getName();
            try {
                type = Class.forName(name.substring(0, name.indexOf("$$")), false, type.getClassLoader());
            } catch (ClassNotFoundException e) {
                throw new IllegalArgumentException("the class around reconciler " + name + " was not found", e);
            }
        }
        return type.getNestHost();
    }

    /** Returns a call that creates the controller; empty when none is found. */
    private static String factory(Controller<?> controller, Class<?> home) {
        return Stream.of(home.getDeclaredMethods())
                .filter(method -> Modifier.isStatic(method.getModifiers())
                        && !Modifier.isPrivate(method.getModifiers())
                        && method.getParameterCount() == 0
                        && method.getReturnType() == Controller.class
                        && method.getGenericReturnType() instanceof ParameterizedType type
                        && type.getActualTypeArguments()[0].equals(
                                controller.primary().javaType()))
                .map(Method::getName)
                .sorted()
                .findFirst()
                .map(name -> home.getSimpleName() + "." + name + "()")
                .orElse("");
    }

    /** Adds the CustomResourceDefinitions of a file; the test reads it by this path. */
    public Skeleton definitions(Path file) {
        String root = file.isAbsolute() ? "/" : "";
        definitionsSource = IntStream.range(0, file.getNameCount())
                .mapToObj(i -> Source.literal((i == 0 ? root : "") + file.getName(i)))
                .collect(Collectors.joining(", ", "Path.of(", ")"));
        definitions = Definitions.read(file);
        return this;
    }

    /**
     * Adds objects of the primary kind and of kinds that are read, to be used instead of generated ones: for kinds
     * without a definition that need more than a name.
     */
    public Skeleton given(Given<?>... objects) {
        given.addAll(List.of(objects));
        return this;
    }

    /**
     * Sets the Java expression that creates the controller; by default the static method of the reconciler's class that
     * does.
     */
    public Skeleton madeBy(String expression) {
        factory = expression;
        return this;
    }

    /** Sets the package of the class; by default that of the reconciler. */
    public Skeleton inPackage(String name) {
        packageName = name;
        return this;
    }

    /**
     * Sets the name of the class; by default derived from the controller, or from its kind when it has no name of its
     * own.
     */
    public Skeleton name(String name) {
        className = name;
        return this;
    }

    /** Returns the name of the class. */
    public String className() {
        return className;
    }

    /**
     * Writes the class to a source directory.
     *
     * @param sources root of the packages, such as {@code src/test/java}
     * @throws UncheckedIOException when it exists already, or cannot be written
     */
    public Path writeTo(Path sources) {
        Path file = sources.resolve(packageName.replace('.', '/')).resolve(className + ".java");
        try {
            Files.createDirectories(file.getParent());
            return Files.writeString(file, source(), StandardOpenOption.CREATE_NEW);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be written; existing files are not overwritten", e);
        }
    }

    /**
     * Returns the source of the class.
     *
     * @throws IllegalArgumentException when no call that creates the controller is known, or no valid object of a kind
     *     can be made from its definition; the message describes what to do
     */
    public String source() {
        if (factory.isEmpty()) {
            throw new IllegalArgumentException("no static method of "
                    + home(controller).getSimpleName() + " creates a Controller<"
                    + Source.name(controller.primary().javaType())
                    + ">: set the expression, as in madeBy(\"Websites.controller()\")");
        }
        return new Writer().write();
    }

    private final class Writer {
        private final StringBuilder out = new StringBuilder();
        private final Set<String> imports = new TreeSet<>();
        private final Kind<?> primary = controller.primary();
        private final String what = primary.kind();
        private final String constant = Source.constant(what);
        private final List<Kind<?>> owned = distinct(Relation.OWNS);
        private final Map<Kind<?>, String> read = new LinkedHashMap<>();

        Writer() {
            for (Kind<?> kind : distinct(Relation.TRACKS, Relation.WATCHES, Relation.READS)) {
                if (owned.stream().noneMatch(other -> same(other, kind)) && !same(primary, kind)) {
                    read.put(kind, Source.constant(kind.kind()));
                }
            }
        }

        private List<Kind<?>> distinct(Relation... relations) {
            List<Kind<?>> kinds = new ArrayList<>();
            Stream.of(relations)
                    .flatMap(relation -> controller.kinds(relation).stream())
                    .filter(kind -> kinds.stream().noneMatch(other -> same(other, kind)))
                    .forEach(kinds::add);
            return kinds;
        }

        private static boolean same(Kind<?> one, Kind<?> other) {
            return one.group().equals(other.group()) && one.kind().equals(other.kind());
        }

        String write() {
            fields();
            cases();
            scenarios();
            convergence();
            out.append("}\n");
            Map<Boolean, List<String>> used = imports.stream()
                    .filter(name -> !name.substring(0, name.lastIndexOf('.')).equals(packageName))
                    .map(name -> "import " + name + ";\n")
                    .collect(Collectors.partitioningBy(line -> line.startsWith("import static ")));
            String statics = String.join("", used.get(true));
            String plain = String.join("", used.get(false));
            String begin = packageName.isEmpty() ? "" : "package " + packageName + ";\n\n";
            return begin + statics + (statics.isEmpty() ? "" : "\n") + plain + "\n" + out;
        }

        private void use(String... names) {
            imports.addAll(List.of(names));
        }

        private String use(Class<?> type) {
            imports.add(type.getNestHost().getName());
            return Source.name(type);
        }

        private Class<? extends HasMetadata> type(Kind<?> kind) {
            Class<? extends HasMetadata> type = kind.javaType();
            return type == Encoded.class || type == PartialObjectMetadata.class
                    ? Given.typeOf(kind.apiVersion(), kind.kind())
                    : type;
        }

        private String told(Kind<?> kind) {
            Class<? extends HasMetadata> type = type(kind);
            if (type != GenericKubernetesResource.class) {
                return use(type) + ".class";
            }
            return use(Kind.class) + ".generic(" + Source.literal(kind.group()) + ", " + Source.literal(kind.version())
                    + ", " + Source.literal(kind.kind()) + ", " + Source.literal(kind.plural()) + ", "
                    + kind.namespaced() + ")";
        }

        private void fields() {
            use(Given.class);
            use(Controller.class);
            if (factory.equals(factory(controller, home(controller)))) {
                use(home(controller));
            }
            out.append("""
                    /**
                     * The effects of the controller {@code %s}, by case.
                     *
                     * <p>A case fails until it expects all effects. Run it, check whether they are right, and paste the lines
                     * at the end of the message.
                     */
                    class %s {
                    """.formatted(controller.name(), className));
            if (!definitions.isEmpty()) {
                out.append("    private static final %s DEFINITIONS = %s;\n\n"
                        .formatted(use(Path.class), definitionsSource));
            }
            object("The reconciled object.", constant, primary);
            read.forEach((kind, name) -> {
                out.append("\n");
                object("The other objects that it reads.", name, kind);
            });
            out.append("""

                        private static Controller<%s> controller() {
                            return %s;
                        }
                    """.formatted(use(primary.javaType()), factory));
        }

        private void object(String comment, String name, Kind<?> kind) {
            String object =
                    Paste.of(sample(kind).object(), Normalization.written().comparingEmpty());
            out.append("""
                        /** %s */
                        private static final Given<%s> %s = %s;
                    """.formatted(comment, use(type(kind)), name, object));
        }

        private Given<?> sample(Kind<?> kind) {
            for (Given<?> object : given) {
                if (object.type() == type(kind)
                        && object.object().getKind().equals(kind.kind())
                        && object.object().getApiVersion().equals(kind.apiVersion())) {
                    return checked(kind, object);
                }
            }
            try {
                return checked(kind, made(kind, false));
            } catch (IllegalArgumentException e) {
                if (definition(kind).isEmpty()) {
                    throw e;
                }
                return checked(kind, made(kind, true));
            }
        }

        private Given<?> made(Kind<?> kind, boolean optional) {
            JsonObject metadata = kind.namespaced() ? JsonObject.of("namespace", "default") : new JsonObject();
            metadata.put("name", kind.kind().toLowerCase(Locale.ROOT));
            JsonObject tree = JsonObject.of("apiVersion", kind.apiVersion(), "kind", kind.kind(), "metadata", metadata);
            definition(kind).ifPresent(definition -> tree.putAll(Sample.fields(definition, kind.version(), optional)));
            return Given.yaml(type(kind), Json.text(tree));
        }

        private Optional<JsonObject> definition(Kind<?> kind) {
            return Given.all(definitions).stream()
                    .map(object -> Json.parseObject(ModelCodec.encode(object.object()), JsonLimits.DEFAULT))
                    .filter(definition -> definition.string("spec", "group").equals(kind.group())
                            && definition.string("spec", "names", "kind").equals(kind.kind()))
                    .findFirst();
        }

        private Given<?> checked(Kind<?> kind, Given<?> object) {
            Fixture fixture = new Fixture();
            if (!definitions.isEmpty()) {
                fixture.definitions.add(definitions);
            }
            try (TestCluster cluster = fixture.inProcess(TestCluster.NOW)) {
                cluster.put(object);
                return object;
            } catch (ApiException | IllegalArgumentException e) {
                String how = "given(Given.yaml(" + Source.name(type(kind)) + ".class, ...))";
                String what = "no valid " + kind.kind() + " is known: give one, with " + how + ". This one is not: ";
                throw new IllegalArgumentException(what + e.getMessage() + "\n" + object, e);
            }
        }

        private boolean statusIsApart() {
            return definition(primary).stream()
                    .flatMap(definition -> definition.array("spec", "versions").stream())
                    .anyMatch(version -> Json.string(version, "name").equals(primary.version())
                            && Json.object(Json.at(version, "subresources", "status"))
                                    .isPresent());
        }

        private void begin(String method, Class<?> suite) {
            use(suite);
            use("java.util.stream.Stream", "org.junit.jupiter.api.DynamicTest", "org.junit.jupiter.api.TestFactory");
            out.append("""

                        @TestFactory
                        Stream<DynamicTest> %s() {
                            return %s.of(%s::controller)
                    """.formatted(method, suite.getSimpleName(), className));
            out.append(definitions.isEmpty() ? "" : "                .definitions(DEFINITIONS)\n");
        }

        private void end() {
            out.append("                .stream();\n    }\n");
        }

        private void test(String name, String... steps) {
            out.append("                .test(\n                        %s,\n".formatted(Source.literal(name)));
            out.append("                        c -> c.%s\n".formatted(steps[0]));
            for (String step : List.of(steps).subList(1, steps.length)) {
                out.append(" ".repeat(32) + (step.startsWith("//") ? "" : ".") + step + "\n");
            }
            out.append("                )\n");
        }

        private String all() {
            return given("", constant);
        }

        private String given(String without, String first) {
            Stream<String> others = read.values().stream().filter(name -> !name.equals(without));
            return Stream.concat(Stream.of(first), others).collect(Collectors.joining(", ", "given(", ")"));
        }

        private void react(String name, String calls, String failure) {
            use("static dev.evenkeel.testing.call.Calls.on");
            use("static dev.evenkeel.testing.call.Reactor.Failure." + failure);
            String error = failure + (failure.equals("forbidden") ? "(\"quota\")" : "()");
            test(name, all(), "react(" + calls + ".fails(" + error + "))", PASTE);
        }

        private void cases() {
            begin("cases", ReconcilerTests.class);
            String request = "request(" + constant + ".key().namespace(), " + constant + ".key().name())";
            test("a " + what + " that does not exist", request, PASTE);
            test("a new " + what, all(), PASTE);
            use(TestCluster.class);
            String deleted = constant + ".finalizers(\"example.com/hold\").deleted(TestCluster.NOW)";
            test("a " + what + " that is being deleted", given("", deleted), PASTE);
            read.forEach((kind, name) -> test("without the " + kind.kind(), given(name, constant), PASTE));
            for (Kind<?> kind : owned) {
                use(VERB + "CREATE", VERB + "APPLY");
                react(kind.kind() + ": is refused", "on(CREATE, APPLY).kind(" + told(kind) + ")", "forbidden");
            }
            if (statusIsApart()) {
                use(VERB + "UPDATE", VERB + "PATCH", VERB + "APPLY");
                String writes = "on(UPDATE, PATCH, APPLY).kind(" + told(primary) + ").status()";
                react("the status is refused", writes, "conflict");
            }
            end();
        }

        private void scenarios() {
            begin("scenarios", ScenarioTests.class);
            String calm = "reconcile(" + constant + ")";
            String settled = "settled(" + constant + ")";
            String indent = " ".repeat(32);
            String paste = "reconcile(" + constant + ", r -> r.verify(run -> {})\n" + indent + "        " + PASTE + "\n"
                    + indent + ")";
            test("nothing is left to do", all(), calm, settled);
            test("a second reconciliation", all(), calm, paste);
            test("another process continues", all(), calm, "restarts()", settled);
            for (Kind<?> kind : owned) {
                use(Map.class);
                use(List.class);
                String each = "then(cluster -> cluster.owned(" + told(kind) + ", " + constant + ").forEach(child -> ";
                String child = type(kind) == GenericKubernetesResource.class
                        ? told(kind) + ", " + use(ObjectKey.class) + ".of(child)" + options(kind)
                        : "child";
                String delete = each + "cluster.client().delete(" + child + ")))";
                test(kind.kind() + ": is deleted", all(), calm, delete, paste, settled);
                String hint = "// make the change that the controller should revert";
                String change = each + "cluster.put(\n" + indent
                        + "        Given.of(child).with(changed -> changed.getMetadata().setLabels(Map.of())))))";
                test(kind.kind() + ": is changed", all(), calm, hint, change, paste, settled);
                String disown = each + "cluster.put(Given.of(child).with(foreign -> {\n"
                        + indent + "    foreign.getMetadata().setOwnerReferences(List.of());\n"
                        + indent + "    foreign.getMetadata().setManagedFields(List.of());\n"
                        + indent + "}))))";
                test(kind.kind() + ": an unowned one has the name", all(), calm, disown, paste);
            }
            String arguments = told(primary) + ", " + constant + ".key()" + options(primary);
            String delete = "then(cluster -> cluster.client().delete(" + arguments + "))";
            test("a " + what + " is deleted", all(), calm, delete, paste);
            end();
        }

        /** Returns the last argument of a deletion, which generic kinds need. */
        private String options(Kind<?> kind) {
            return type(kind) == GenericKubernetesResource.class ? ", " + use(DeleteOptions.class) + ".DEFAULT" : "";
        }

        private void convergence() {
            use("dev.evenkeel.testing.convergence.Convergence", "org.junit.jupiter.api.Test");
            String source = definitions.isEmpty() ? "" : "                .definitions(DEFINITIONS)\n";
            out.append("""

                        /** Checks that the controller converges to the same state whatever faults occur. */
                        @Test
                        void converges() {
                            Convergence.of(%s::controller)
                    %s                .%s
                                    .schedules(200)
                                    .assertConverges();
                        }
                    """.formatted(className, source, all()));
        }
    }
}
