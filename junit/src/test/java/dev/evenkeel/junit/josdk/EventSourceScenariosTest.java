package dev.evenkeel.junit.josdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.junit.EngineCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.javaoperatorsdk.operator.api.config.informer.FieldSelectorBuilder;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.GroupVersionKind;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.PrimaryToSecondaryMapper;
import io.javaoperatorsdk.operator.processing.event.source.SecondaryToPrimaryMapper;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.javaoperatorsdk.operator.processing.event.source.polling.PerResourcePollingConfigurationBuilder;
import io.javaoperatorsdk.operator.processing.event.source.polling.PerResourcePollingEventSource;
import io.javaoperatorsdk.operator.processing.event.source.polling.PollingConfigurationBuilder;
import io.javaoperatorsdk.operator.processing.event.source.polling.PollingEventSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What wakes a controller: informers, polling, events of one's own, mappers, indexes and filters. */
class EventSourceScenariosTest extends OperatorScenarios {
    private final AtomicInteger runs = new AtomicInteger();
    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

    @ControllerConfiguration
    private static final class Sourced extends Custom {
        private final Function<EventSourceContext<Widget>, List<EventSource<?, Widget>>> sources;

        Sourced(Function<EventSourceContext<Widget>, List<EventSource<?, Widget>>> sources, Body body) {
            super(body);
            this.sources = sources;
        }

        @Override
        public List<EventSource<?, Widget>> prepareEventSources(EventSourceContext<Widget> context) {
            return sources.apply(context);
        }
    }

    private Custom.Body counting() {
        return (widget, context) -> {
            runs.incrementAndGet();
            return UpdateControl.noUpdate();
        };
    }

    private static <R> Set<ResourceID> named(io.fabric8.kubernetes.api.model.HasMetadata object) {
        return Set.of(new ResourceID(
                object.getMetadata().getName(), object.getMetadata().getNamespace()));
    }

    /** A source of config maps, which belong to the widget of their name. */
    private static InformerEventSourceConfiguration.Builder<ConfigMap> mapsByName() {
        return InformerEventSourceConfiguration.from(ConfigMap.class, Widget.class)
                .withSecondaryToPrimaryMapper(EventSourceScenariosTest::named);
    }

    private static List<EventSource<?, Widget>> informer(
            InformerEventSourceConfiguration.Builder<ConfigMap> configuration, EventSourceContext<Widget> context) {
        return List.of(new InformerEventSource<>(configuration.build(), context));
    }

    @Scenario("InformerEventSource")
    void aSecondaryResourceReconcilesItsPrimary() {
        start(new Sourced(context -> informer(mapsByName(), context), (widget, context) -> {
            widget.status().message = context.getSecondaryResource(ConfigMap.class)
                    .map(map -> map.getData().get("value"))
                    .orElse("none");
            return UpdateControl.patchStatus(widget);
        }));
        create(Widget.of("a", "1"));
        settle();
        assertThat(widget("a").getStatus().message).isEqualTo("none");
        create(configMap("a", "x"));
        settle();
        assertThat(widget("a").getStatus().message).isEqualTo("x");
        edit(ConfigMap.class, "a", map -> map.getData().put("value", "y"));
        settle();
        assertThat(widget("a").getStatus().message).isEqualTo("y");
        delete(ConfigMap.class, "a");
        settle();
        assertThat(widget("a").getStatus().message).isEqualTo("none");
    }

    @Scenario("MultipleSecondaryEventSource")
    void secondariesOfSeveralKinds() {
        start(new Sourced(
                context -> List.of(
                        new InformerEventSource<>(mapsByName().build(), context),
                        new InformerEventSource<>(
                                InformerEventSourceConfiguration.from(Secret.class, Widget.class)
                                        .withSecondaryToPrimaryMapper(EventSourceScenariosTest::named)
                                        .build(),
                                context)),
                counting()));
        create(Widget.of("a", "1"));
        settle();
        create(configMap("a", "x"));
        settle();
        create(new SecretBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("a")
                .endMetadata()
                .build());
        settle();
        assertThat(runs).hasValue(3);
    }

    @Scenario("PrimaryToSecondary")
    void manyPrimariesReferToOneSecondary() {
        PrimaryToSecondaryMapper<Widget> toMap = widget -> Set.of(new ResourceID(widget.getSpec().value, "default"));
        start(new Sourced(
                context -> {
                    SecondaryToPrimaryMapper<ConfigMap> toWidgets = map -> context.getPrimaryCache()
                            .list(widget -> map.getMetadata().getName().equals(widget.getSpec().value))
                            .map(ResourceID::fromResource)
                            .collect(Collectors.toSet());
                    return informer(
                            InformerEventSourceConfiguration.from(ConfigMap.class, Widget.class)
                                    .withPrimaryToSecondaryMapper(toMap)
                                    .withSecondaryToPrimaryMapper(toWidgets),
                            context);
                },
                (widget, context) -> {
                    widget.status().message = context.getSecondaryResource(ConfigMap.class)
                            .map(map -> map.getData().get("value"))
                            .orElse("none");
                    return UpdateControl.patchStatus(widget);
                }));
        create(configMap("shared", "x"));
        create(Widget.of("a", "shared"));
        create(Widget.of("b", "shared"));
        settle();
        assertThat(widget("a").getStatus().message).isEqualTo("x");
        edit(ConfigMap.class, "shared", map -> map.getData().put("value", "y"));
        settle();
        assertThat(widget("a").getStatus().message).isEqualTo("y");
        assertThat(widget("b").getStatus().message).isEqualTo("y");
    }

    @Scenario("PrimaryIndexer")
    void anIndexOfPrimariesMapsASecondaryToMany() {
        start(new Sourced(
                context -> {
                    context.getPrimaryCache().addIndexer("refs", widget -> widget.getSpec().refs);
                    return informer(
                            InformerEventSourceConfiguration.from(ConfigMap.class, Widget.class)
                                    .withSecondaryToPrimaryMapper(map ->
                                            context
                                                    .getPrimaryCache()
                                                    .byIndex(
                                                            "refs",
                                                            map.getMetadata().getName())
                                                    .stream()
                                                    .map(ResourceID::fromResource)
                                                    .collect(Collectors.toSet())),
                            context);
                },
                (widget, context) -> {
                    seen.add(widget.getMetadata().getName());
                    return UpdateControl.noUpdate();
                }));
        for (String name : List.of("a", "b", "c")) {
            Widget widget = Widget.of(name, "1");
            widget.getSpec().refs = name.equals("c") ? List.of("other") : List.of("shared", "other");
            create(widget);
        }
        settle();
        seen.clear();
        create(configMap("shared", "x"));
        settle();
        assertThat(seen).containsExactlyInAnyOrder("a", "b");
    }

    @Scenario("SecondaryToPrimaryReferenceChange")
    void aPrimaryThatIsReferredToFromNowOnIsReconciled() {
        start(new Sourced(
                context -> List.of(new InformerEventSource<>(
                        InformerEventSourceConfiguration.from(Gadget.class, Widget.class)
                                .withSecondaryToPrimaryMapper(gadget -> gadget.getSpec().refs.stream()
                                        .map(name -> new ResourceID(name, "default"))
                                        .collect(Collectors.toSet()))
                                .build(),
                        context)),
                (widget, context) -> {
                    widget.status().message = context.getSecondaryResources(Gadget.class).stream()
                            .map(gadget -> gadget.getSpec().value)
                            .findFirst()
                            .orElse("default");
                    return UpdateControl.patchStatus(widget);
                }));
        List.of("a", "b", "c").forEach(name -> create(Widget.of(name, "1")));
        settle();
        Gadget gadget = Gadget.of("config", "x");
        gadget.getSpec().refs = List.of("a", "b");
        create(gadget);
        settle();
        assertThat(widget("a").getStatus().message).isEqualTo("x");
        edit(Gadget.class, "config", g -> g.getSpec().refs = List.of("b", "c"));
        settle();
        assertThat(widget("b").getStatus().message).isEqualTo("x");
        assertThat(widget("c").getStatus().message).isEqualTo("x");
    }

    @Scenario("EventSource")
    void anEventOfOnesOwnReconciles() {
        SimpleInboundEventSource<Widget> events = new SimpleInboundEventSource<>();
        start(new Sourced(context -> List.of(events), counting()));
        create(Widget.of("a", "1"));
        settle();
        events.propagateEvent(new ResourceID("a", "default"));
        settle();
        events.propagateEvent(new ResourceID("unknown", "default"));
        settle();
        assertThat(runs).hasValue(2);
    }

    @Scenario("PerResourcePollingEventSource")
    void eachResourceIsPolled() throws Exception {
        AtomicInteger external = new AtomicInteger();
        start(new Sourced(
                context -> List.of(new PerResourcePollingEventSource<>(
                        Integer.class,
                        context,
                        new PerResourcePollingConfigurationBuilder<Integer, Widget, Integer>(
                                        widget -> Set.of(external.get()), Duration.ofMillis(5))
                                .withResourceIDMapper(value -> 0)
                                .build())),
                (widget, context) -> {
                    seen.add("" + context.getSecondaryResource(Integer.class).orElse(-1));
                    return UpdateControl.noUpdate();
                }));
        create(Widget.of("a", "1"));
        next("0");
        external.set(7);
        next("7");
    }

    @Scenario("polling of all")
    void allExternalResourcesArePolled() throws Exception {
        AtomicInteger external = new AtomicInteger(1);
        start(new Sourced(
                context -> List.of(new PollingEventSource<>(
                        Integer.class,
                        new PollingConfigurationBuilder<Integer, Integer>(
                                        () -> Map.of(new ResourceID("a", "default"), Set.of(external.get())),
                                        Duration.ofMillis(5))
                                .withResourceIDMapper(value -> 0)
                                .build())),
                (widget, context) -> {
                    seen.add("" + context.getSecondaryResource(Integer.class).orElse(-1));
                    return UpdateControl.noUpdate();
                }));
        create(Widget.of("a", "1"));
        next("1");
        external.set(2);
        next("2");
    }

    /** Waits for a value that a reconciler reports; polling runs in real time. */
    private void next(String expected) throws InterruptedException {
        String value = null;
        while (!expected.equals(value)) {
            value = seen.poll(120, TimeUnit.SECONDS);
            assertThat(value).as("waiting for %s", expected).isNotNull();
        }
    }

    @Scenario("DynamicGenericEventSourceRegistration")
    void aSourceIsRegisteredByTheReconciler() {
        start(new Custom((widget, context) -> {
            runs.incrementAndGet();
            var source = new InformerEventSource<>(
                    InformerEventSourceConfiguration.from(new GroupVersionKind("", "v1", "ConfigMap"), Widget.class)
                            .withName("maps")
                            .withSecondaryToPrimaryMapper(EventSourceScenariosTest::named)
                            .build(),
                    context.eventSourceRetriever().eventSourceContextForDynamicRegistration());
            context.eventSourceRetriever().dynamicallyRegisterEventSource(source);
            widget.status().count = context.getSecondaryResources(GenericKubernetesResource.class)
                    .size();
            return UpdateControl.patchStatus(widget);
        }));
        create(Widget.of("a", "1"));
        settle();
        create(configMap("a", "x"));
        settle();
        assertThat(widget("a").getStatus().count).isOne();
    }

    @Scenario("Filter")
    void eventsOfPrimaryAndSecondaryAreFiltered() {
        start(
                new Sourced(
                        context -> informer(
                                mapsByName()
                                        .withOnUpdateFilter((now, before) ->
                                                !now.getData().get("value").equals("ignored")),
                                context),
                        counting()),
                settings -> settings.withOnUpdateFilter(
                        (now, before) -> !now.getSpec().value.equals("ignored")));
        create(Widget.of("a", "1"));
        settle();
        create(configMap("a", "1"));
        settle();
        assertThat(runs).hasValue(2);
        edit(Widget.class, "a", w -> w.getSpec().value = "ignored");
        edit(ConfigMap.class, "a", map -> map.getData().put("value", "ignored"));
        settle();
        assertThat(runs).hasValue(2);
        edit(Widget.class, "a", w -> w.getSpec().value = "2");
        settle();
        assertThat(runs).hasValue(3);
    }

    @Scenario("FieldSelector")
    void onlyThoseOfAFieldAreWatched() {
        start(new Sourced(
                context -> List.of(new InformerEventSource<>(
                        InformerEventSourceConfiguration.from(Secret.class, Widget.class)
                                .withFieldSelector(new FieldSelectorBuilder()
                                        .withField("type", "Opaque")
                                        .build())
                                .withSecondaryToPrimaryMapper(secret -> Set.of(new ResourceID("a", "default")))
                                .build(),
                        context)),
                (widget, context) -> {
                    widget.status().message = context.getSecondaryResources(Secret.class).stream()
                            .map(secret -> secret.getMetadata().getName())
                            .sorted()
                            .collect(Collectors.joining(","));
                    return UpdateControl.patchStatus(widget);
                }));
        create(Widget.of("a", "1"));
        settle();
        for (String type : List.of("Opaque", "example.com/other")) {
            create(new SecretBuilder()
                    .withNewMetadata()
                    .withNamespace("default")
                    .withName("secret-" + type.length())
                    .endMetadata()
                    .withType(type)
                    .build());
        }
        settle();
        control.advance(Duration.ofMinutes(1));
        assertThat(widget("a").getStatus().message).isEqualTo("secret-6");
    }

    @Scenario("InformerRemoteCluster")
    void anotherClusterIsWatched() {
        try (EngineCluster remote = EngineCluster.start()) {
            start(new Sourced(
                    context -> informer(mapsByName().withKubernetesClient(remote.kubernetesClient()), context),
                    (widget, context) -> {
                        widget.status().message = context.getSecondaryResource(ConfigMap.class)
                                .map(map -> map.getData().get("value"))
                                .orElse("none");
                        return UpdateControl.patchStatus(widget);
                    }));
            create(Widget.of("a", "1"));
            settle();
            remote.kubernetesClient().resource(configMap("a", "remote")).create();
            remote.awaitQuiet();
            settle();
            assertThat(widget("a").getStatus().message).isEqualTo("remote");
            stop();
        }
    }

    @Scenario("StartupSecondaryAccess")
    void allSecondariesAreThereAtTheFirstReconciliation() {
        create(Widget.of("a", "1"));
        IntStream.range(0, 200).forEach(i -> create(configMap("map" + i, "1")));
        start(new Sourced(
                context -> informer(
                        InformerEventSourceConfiguration.from(ConfigMap.class, Widget.class)
                                .withSecondaryToPrimaryMapper(map -> Set.of(new ResourceID("a", "default"))),
                        context),
                (widget, context) -> {
                    long maps = context.getSecondaryResources(ConfigMap.class).stream()
                            .filter(map -> map.getMetadata().getName().startsWith("map"))
                            .count();
                    seen.add("" + maps);
                    return UpdateControl.noUpdate();
                }));
        settle();
        assertThat(seen.peek()).isEqualTo("200");
    }

    @Scenario("CreateUpdateInformerEventSourceEventFilter")
    void ownWritesOfASecondaryDoNotReconcile() {
        start(new Sourced(context -> informer(mapsByName().withName("maps"), context), (widget, context) -> {
            runs.incrementAndGet();
            write(widget, context);
            return UpdateControl.noUpdate();
        }));
        create(Widget.of("a", "1"));
        settle();
        assertThat(map("a").getData()).containsEntry("value", "1");
        int afterTheFirst = runs.get();
        edit(ConfigMap.class, "a", map -> map.getData().put("value", "by hand"));
        settle();
        assertThat(runs.get()).isGreaterThan(afterTheFirst);
        assertThat(map("a").getData()).containsEntry("value", "1");
    }

    private static void write(Widget widget, Context<Widget> context) {
        ConfigMap desired = configMap(widget.getMetadata().getName(), widget.getSpec().value);
        ConfigMap present = context.getSecondaryResource(ConfigMap.class).orElse(null);
        if (present == null) {
            context.getClient().resource(desired).create();
        } else if (!present.getData().equals(desired.getData())) {
            context.getClient().resource(desired).update();
        }
    }
}
