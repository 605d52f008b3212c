package dev.evenkeel.load.internal.plan;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.load.Distribution;
import dev.evenkeel.load.Effect;
import dev.evenkeel.load.Kinds;
import dev.evenkeel.load.Limits;
import dev.evenkeel.load.LoadObject;
import dev.evenkeel.load.LoadPlan;
import dev.evenkeel.load.Marker;
import dev.evenkeel.load.Operation;
import dev.evenkeel.load.Pattern;
import dev.evenkeel.load.Patterns;
import dev.evenkeel.load.Phase;
import dev.evenkeel.load.PodDelays;
import dev.evenkeel.load.Rate;
import dev.evenkeel.load.Stop;
import dev.evenkeel.load.Template;
import dev.evenkeel.load.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads a plan. */
public final class PlanReader {
    /** The largest text of a plan, in characters. */
    private static final int LARGEST = 4 << 20;

    private final Map<String, Kind<Encoded>> defined = new HashMap<>();
    private final Map<String, Function<Fields, Pattern>> patterns = new TreeMap<>();

    private PlanReader() {
        patterns.put("rotate-labels", fields -> Patterns.rotateLabels(fields.text("label")));
        patterns.put("pod-ring", fields -> Patterns.podRing(fields.count("pods")));
        patterns.put(
                "policy-churn", fields -> Patterns.policyChurn(fields.count("keep", 10), fields.count("rules", 10)));
        patterns.put(
                "scale",
                fields -> Patterns.scale(
                        fields.count("pods"),
                        fields.has("labels") ? labels(fields, "labels") : Patterns.skewedLabels()));
        patterns.put("clear-addresses", fields -> Patterns.clearAddresses(fields.count("pods")));
        patterns.put("drain-nodes", fields -> Patterns.drainNodes(fields.count("nodes", 1)));
        patterns.put("recreate-namespaces", fields -> Patterns.recreateNamespaces(fields.count("namespaces", 1)));
        patterns.put(
                "rolling-update",
                fields -> Patterns.rollingUpdate(fields.count("deployments"), fields.count("replicas")));
        patterns.put("churn", fields -> {
            int count = fields.count("count", 1);
            return Patterns.churn(
                    template(fields.fields("template"), count), fields.count("edits", 1), texts(fields, "in"));
        });
        patterns.put("cut-watches", fields -> Patterns.cutWatches());
        patterns.put("outage", fields -> Patterns.outage(fields.duration("time")));
        patterns.put(
                "operations",
                fields -> Patterns.operations(
                        fields.list("operations").stream().map(this::operation).toList()));
    }

    /**
     * Reads a plan.
     *
     * @throws IllegalArgumentException if it is not one; the message names the field
     */
    public static LoadPlan read(String yaml) {
        return read(yaml, Optional.empty(), List.of());
    }

    /**
     * Reads a plan with parts that replace those of its text.
     *
     * @param world the world; empty for that of the text
     * @param phases the phases; none for those of the text
     * @throws IllegalArgumentException if it is not one; the message names the field
     */
    public static LoadPlan read(String yaml, Optional<String> world, List<String> phases) {
        Object root = tree("the plan", yaml);
        if (root instanceof Map<?, ?> fields && (world.isPresent() || !phases.isEmpty())) {
            Map<Object, Object> replaced = new LinkedHashMap<>(fields);
            world.ifPresent(text -> replaced.put("world", tree("the world", text)));
            if (!phases.isEmpty()) {
                replaced.put(
                        "phases",
                        phases.stream()
                                .map(text -> tree("the phase", text))
                                .map(tree -> tree instanceof String pattern ? Map.of("pattern", pattern) : tree)
                                .toList());
            }
            root = replaced;
        }
        return new PlanReader().plan(Fields.of("", root));
    }

    private static Object tree(String what, String yaml) {
        if (yaml.length() > LARGEST) {
            throw new IllegalArgumentException(what + " has more than " + LARGEST + " characters");
        }
        try {
            return new Load(LoadSettings.builder()
                            .setMaxAliasesForCollections(50)
                            .build())
                    .loadFromString(yaml);
        } catch (YamlEngineException e) {
            throw new IllegalArgumentException(what + " is not YAML: " + e.getMessage(), e);
        }
    }

    private LoadPlan plan(Fields fields) {
        World world = world(fields);
        Map<Kind<Encoded>, Effect> effects = new LinkedHashMap<>();
        for (Fields effect : fields.list("effects")) {
            effects.put(kind(effect), effect(effect));
            effect.end();
        }
        Optional<Marker> marker =
                fields.has("marker") ? Optional.of(marker(fields.fields("marker"))) : Optional.empty();
        List<Phase> phases = new ArrayList<>();
        for (Fields phase : fields.list("phases")) {
            phases.add(checked(phase, () -> phase(phase)));
        }
        Limits limits = fields.has("limits") ? limits(fields.fields("limits")) : Limits.DEFAULT;
        List<Integer> sizes = new ArrayList<>();
        if (fields.has("sizes")) {
            for (Object size : fields.values("sizes")) {
                if (!(size instanceof Integer factor && factor > 0)) {
                    throw fields.error("sizes", "must be positive integers: " + size);
                }
                sizes.add(factor);
            }
        }
        PodDelays podDelays = fields.has("podDelays") ? podDelays(fields.fields("podDelays")) : PodDelays.DEFAULT;
        Optional<Duration> workloads =
                fields.has("workloads") ? Optional.of(fields.duration("workloads")) : Optional.empty();
        LoadPlan plan = new LoadPlan(
                fields.text("name"),
                fields.count("seed", 1),
                sizes,
                world,
                phases,
                effects,
                marker,
                podDelays,
                workloads,
                limits);
        fields.end();
        return plan;
    }

    /** Adds the field to the message of what refuses its values. */
    private static <T> T checked(Fields fields, java.util.function.Supplier<T> value) {
        try {
            T result = value.get();
            fields.end();
            return result;
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            throw message.startsWith(fields.path("").replaceAll("\\.$", ""))
                    ? e
                    : new IllegalArgumentException(fields.path(message), e);
        }
    }

    // ---- the world

    private World world(Fields plan) {
        if (plan.value("world").orElse("") instanceof String name) {
            return switch (name) {
                case "" -> World.EMPTY;
                case "k8sfv" -> World.k8sfv();
                default -> throw plan.error("world", "must be k8sfv or a mapping: " + name);
            };
        }
        Fields fields = plan.fields("world");
        return checked(fields, () -> {
            List<LoadObject> definitions =
                    fields.list("definitions").stream().map(this::definition).toList();
            List<Template> objects = fields.list("objects").stream()
                    .map(one -> checked(one, () -> {
                        int count = one.count("count", 1);
                        return template(one.fields("template"), count);
                    }))
                    .toList();
            World basis = World.k8sfv();
            boolean like = fields.text("like", "").equals("k8sfv");
            if (fields.has("like") && !like) {
                throw fields.error("like", "must be k8sfv: " + fields.text("like"));
            }
            return new World(
                    fields.count("hosts", like ? basis.hosts() : 0),
                    fields.count("namespaces", like ? basis.namespaces() : 0),
                    fields.count("podsPerNamespace", like ? basis.podsPerNamespace() : 0),
                    like && !fields.has("namespaceLabels")
                            ? basis.namespaceLabels()
                            : labels(fields, "namespaceLabels"),
                    like && !fields.has("podLabels") ? basis.podLabels() : labels(fields, "podLabels"),
                    definitions,
                    objects);
        });
    }

    private static SortedMap<String, Distribution> labels(Fields parent, String name) {
        SortedMap<String, Distribution> labels = new TreeMap<>();
        if (parent.has(name)) {
            Fields fields = parent.fields(name);
            fields.tree().forEach((label, value) -> labels.put(label, distribution(fields, label, value)));
        }
        return labels;
    }

    private static Distribution distribution(Fields parent, String label, Object value) {
        if (value instanceof List<?>) {
            return Distribution.uniform(
                    parent.values(label).stream().map(String::valueOf).toList());
        }
        Fields fields = parent.fields(label);
        if (fields.has("prefix")) {
            Distribution skewed =
                    Distribution.skewed(fields.text("prefix"), fields.count("values"), fields.number("skew", 0));
            fields.end();
            return skewed;
        }
        Map<String, Double> weights = new TreeMap<>();
        fields.tree().keySet().forEach(name -> weights.put(name, fields.number(name, 0)));
        return Distribution.weighted(weights);
    }

    private LoadObject definition(Fields fields) {
        if (!fields.text("kind").equals("CustomResourceDefinition")) {
            throw fields.error("kind", "must be CustomResourceDefinition: " + fields.text("kind"));
        }
        Fields spec = fields.fields("spec");
        String group = spec.text("group");
        Fields names = spec.fields("names");
        for (Fields version : spec.list("versions")) {
            Kind<Encoded> kind = Kind.generic(
                            group,
                            version.text("name"),
                            names.text("kind"),
                            names.text("plural"),
                            spec.text("scope").equals("Namespaced"))
                    .encoded();
            defined.put(kind.apiVersion() + " " + kind.kind(), kind);
        }
        String name = fields.fields("metadata").text("name");
        return LoadObject.of(Kinds.DEFINITION, ObjectKey.cluster(name), fields.tree());
    }

    private Kind<Encoded> kind(Fields fields) {
        String apiVersion = fields.text("apiVersion");
        String kind = fields.text("kind");
        Optional<Kind<Encoded>> known =
                Optional.ofNullable(defined.get(apiVersion + " " + kind)).or(() -> Kinds.find(apiVersion, kind));
        if (known.isPresent()) {
            return known.get();
        }
        if (!fields.has("plural")) {
            throw fields.error(
                    "kind",
                    apiVersion + " " + kind + " is not known: add its definition to world.definitions, or the fields"
                            + " plural and namespaced");
        }
        int slash = apiVersion.indexOf('/');
        return Kind.generic(
                        slash < 0 ? "" : apiVersion.substring(0, slash),
                        apiVersion.substring(slash + 1),
                        kind,
                        fields.text("plural"),
                        fields.flag("namespaced"))
                .encoded();
    }

    private Template template(Fields fields, int count) {
        Kind<Encoded> kind = kind(fields);
        String name = fields.fields("metadata").text("name");
        Map<String, Object> tree = new LinkedHashMap<>(fields.tree());
        List.of("apiVersion", "kind", "plural", "namespaced").forEach(tree::remove);
        Map<String, Object> metadata =
                new LinkedHashMap<>(fields.fields("metadata").tree());
        metadata.remove("name");
        metadata.remove("namespace");
        tree.put("metadata", metadata);
        return new Template(kind, count, name, tree);
    }

    // ---- what happens

    private Phase phase(Fields fields) {
        String pattern = fields.text("pattern");
        Function<Fields, Pattern> reader = patterns.get(pattern);
        if (reader == null) {
            throw fields.error(
                    "pattern", "'" + pattern + "' is not a pattern; there are " + new TreeSet<>(patterns.keySet()));
        }
        Stop none = Stop.ONE_CYCLE;
        boolean stops = fields.has("cycles") || fields.has("operations") || fields.has("duration");
        boolean list = pattern.equals("operations");
        Stop stop = stops && !(list && !fields.has("cycles") && !fields.has("duration"))
                ? new Stop(
                        fields.count("cycles", Integer.MAX_VALUE),
                        list ? none.operations() : fields.count("operations", Integer.MAX_VALUE),
                        fields.duration("duration", none.duration()))
                : none;
        return new Phase(
                fields.text("name", pattern),
                reader.apply(fields),
                rate(fields),
                stop,
                fields.duration("bound", Phase.BOUND),
                fields.flag("cost"),
                fields.flag("occupancy"));
    }

    private static Rate rate(Fields parent) {
        if (!(parent.value("rate").orElse("acknowledged") instanceof Map)) {
            return parent.text("rate", "acknowledged").equals("acknowledged")
                    ? new Rate.Acknowledged()
                    : new Rate.Constant(parent.perSecond("rate"));
        }
        Fields fields = parent.fields("rate");
        return checked(
                fields,
                () -> fields.has("burst")
                        ? new Rate.Bursts(fields.count("burst"), fields.duration("every"))
                        : new Rate.Ramp(fields.perSecond("from"), fields.perSecond("to"), fields.duration("over")));
    }

    private static List<String> texts(Fields fields, String name) {
        return fields.values(name).stream().map(String::valueOf).toList();
    }

    private Operation operation(Fields fields) {
        return checked(fields, () -> {
            if (fields.has("create")) {
                Fields object = fields.fields("create");
                Template template = template(object, 1);
                return new Operation.Create(template.object(namespace(object), 1));
            }
            if (fields.has("patch")) {
                Fields object = fields.fields("patch");
                Template template = template(object, 1);
                Map<String, Object> content = template.content(namespace(object), 1, 1);
                boolean status = content.containsKey("status") && !content.containsKey("spec");
                return new Operation.Edit(template.kind(), template.key(namespace(object), 1), content, status);
            }
            if (fields.has("delete")) {
                Fields object = fields.fields("delete");
                Template template = template(object, 1);
                return new Operation.Delete(template.kind(), template.key(namespace(object), 1));
            }
            throw fields.error("create", "is missing: an operation is one of create, patch and delete");
        });
    }

    private static String namespace(Fields object) {
        return object.fields("metadata").text("namespace", "");
    }

    private Marker marker(Fields fields) {
        return checked(
                fields,
                () -> new Marker(template(fields.fields("template"), 1), fields.perSecond("rate"), effect(fields)));
    }

    private Effect effect(Fields fields) {
        if (fields.has("output")) {
            return new Effect.Output(fields.text("output"));
        }
        if (fields.flag("observedGeneration")) {
            return new Effect.ObservedGeneration("");
        }
        if (fields.has("condition")) {
            return new Effect.ObservedGeneration(fields.text("condition"));
        }
        if (!fields.has("shown")) {
            throw fields.error(
                    "output", "is missing: an effect is one of output, observedGeneration, condition and shown");
        }
        Fields shown = fields.fields("shown");
        if (shown.has("label") && shown.has("name")) {
            throw shown.error("name", "must not be set with label, which has a value instead");
        }
        return checked(
                shown,
                () -> new Effect.Shown(
                        kind(shown),
                        shown.text("label", ""),
                        shown.text(shown.has("label") ? "value" : "name", "${name}"),
                        shown.text("path", ""),
                        shown.text("source", shown.text("path", ""))));
    }

    private static PodDelays podDelays(Fields fields) {
        PodDelays defaults = PodDelays.DEFAULT;
        return checked(
                fields,
                () -> new PodDelays(
                        fields.duration("schedule", defaults.schedule()),
                        fields.duration("start", defaults.start()),
                        fields.duration("ready", defaults.ready()),
                        fields.duration("stop", defaults.stop())));
    }

    private static Limits limits(Fields fields) {
        Limits defaults = Limits.DEFAULT;
        return checked(
                fields,
                () -> new Limits(
                        fields.number("leakPerCycle", defaults.leakPerCycle()),
                        fields.duration("visible", defaults.visible()),
                        fields.count("restingWrites", (int) defaults.restingWrites()),
                        fields.number("restingCores", defaults.restingCores()),
                        fields.count("restartLists", (int) defaults.restartLists()),
                        fields.count("restartWrites", (int) defaults.restartWrites()),
                        fields.number("exponent", defaults.exponent()),
                        fields.duration("resting", defaults.resting()),
                        fields.duration("start", defaults.start())));
    }
}
