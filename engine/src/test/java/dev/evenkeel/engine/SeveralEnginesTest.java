package dev.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Watch;
import dev.evenkeel.engine.SharedEngines.Member;
import dev.evenkeel.engine.SharedStore.Delivery;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.read.ListQuery;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.DeleteOptions.Propagation;
import dev.evenkeel.engine.spi.StoreException;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Engines that share a store: what each may answer, and which of them acts. */
@Timeout(300)
class SeveralEnginesTest {
    private static final String MAPS = "v1/configmaps";
    private static final String NAMESPACES = "v1/namespaces";
    private static final String CRDS = "apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String LEASES = "coordination.k8s.io/v1/leases";

    private final SharedEngines engines = new SharedEngines(1);
    private final Member one = engines.start();
    private final Member two = engines.start();
    private final Requests first = one.api();
    private final Requests second = two.api();

    @AfterEach
    void close() {
        engines.close();
    }

    private void holdBack(Member member) {
        member.store().deliver(Delivery.HELD);
    }

    private static String map(String name, String value) {
        return "{'metadata':{'name':'" + name + "'},'data':{'k':'" + value + "'}}";
    }

    private static String crd(String plural, String kind) {
        return """
            {'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition','metadata':{'name':'%1$s.x.io'},
             'spec':{'group':'x.io','scope':'Namespaced','names':{'plural':'%1$s','kind':'%2$s'},
             'versions':[{'name':'v1','served':true,'storage':true,
             'schema':{'openAPIV3Schema':{'type':'object','x-kubernetes-preserve-unknown-fields':true}}}]}}\
            """.formatted(plural, kind);
    }

    private static String condition(JsonObject object, String type) {
        return object.objects("status", "conditions").stream()
                .filter(condition -> condition.string("type").equals(type))
                .map(condition -> condition.string("status"))
                .findFirst()
                .orElse("");
    }

    private String holder() {
        return first.get(LEASES, "kube-system", "evenkeel-engine").string("spec", "holderIdentity");
    }

    private static <E extends ApiException> E refused(Class<E> type, Runnable call) {
        E refusal = catchThrowableOfType(type, call::run);
        assertThat(refusal).as("a refusal").isNotNull();
        return refusal;
    }

    // reads

    @Test
    void aPartitionThatOneEngineDeletesEndsInAll() {
        one.engine().partition("tenant");
        engines.idle();
        assertThat(two.engine().findPartition("tenant")).isPresent();
        assertThat(two.engine().deletePartition("tenant")).isTrue();
        engines.idle();
        assertThat(one.engine().findPartition("tenant")).isEmpty();
        assertThat(two.engine().findPartition("tenant")).isEmpty();
        assertThat(one.engine().store().latest().collections()).noneMatch(name -> name.startsWith("tenant/"));
        two.engine().partition("tenant");
        engines.idle();
        assertThat(one.engine().findPartition("tenant")).isPresent();
    }

    @Test
    void aReadWithoutAVersionReturnsWhatAnotherEngineHasAcknowledged() {
        holdBack(two);
        first.create(MAPS, "default", map("a", "1"));
        assertThat(two.client()
                        .get(ConfigMap.class, ObjectKey.of("default", "a"))
                        .getData())
                .isEqualTo(Map.of("k", "1"));
        first.create(MAPS, "default", map("b", "1"));
        assertThat(second.names(MAPS, "default")).containsExactly("a", "b");
        first.create(MAPS, "default", map("c", "1"));
        try (Watch<ConfigMap> watch = two.client().watch(Kind.of(ConfigMap.class), ListOptions.in("default"))) {
            assertThat(Stream.generate(() -> next(watch)).limit(3)).containsExactly("a", "b", "c");
        }
    }

    private static String next(Watch<ConfigMap> watch) {
        try {
            return watch.next().orElseThrow().object().getMetadata().getName();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aReadOfVersionZeroReturnsTheStateAtHand() {
        holdBack(two);
        first.create(MAPS, "default", map("a", "1"));
        assertThat(two.client()
                        .list(
                                Kind.of(ConfigMap.class),
                                ListOptions.in("default").resourceVersion("0"))
                        .items())
                .isEmpty();
    }

    @Test
    void aReadOfAVersionThatAnotherEngineReturnedWaitsForIt() {
        holdBack(two);
        String version = first.create(MAPS, "default", map("a", "1")).string("metadata", "resourceVersion");
        Target target = second.target(MAPS, "default", "a");
        assertThat(second.partition.get(target, version, User.ADMIN).tree().string("data", "k"))
                .isEqualTo("1");
        String future = Long.toString(Long.parseLong(version) + 1);
        assertThat(refused(ApiException.class, () -> second.partition.get(target, future, User.ADMIN))
                        .getMessage())
                .contains("Too large resource version");
    }

    // writes on a state that is out of date

    @Test
    void aRefusalByAStateThatIsOutOfDateIsNotAnswered() {
        holdBack(two);
        first.create(NAMESPACES, "", "{'metadata':{'name':'n'}}");
        second.create(MAPS, "n", map("a", "1"));
        first.update(MAPS, "n", "a", map("a", "2"));
        first.create(MAPS, "n", map("b", "1"));
        assertThat(second.patch(MAPS, "n", "b", Patch.Type.MERGE, "{'data':{'k':'2'}}")
                        .string("data", "k"))
                .isEqualTo("2");
        String version = first.update(MAPS, "n", "b", map("b", "3")).string("metadata", "resourceVersion");
        second.update(MAPS, "n", "b", "{'metadata':{'name':'b','resourceVersion':'" + version + "'},'data':{'k':'4'}}");
        first.delete(MAPS, "n", "b");
        second.create(MAPS, "n", map("b", "5"));
        first.create(MAPS, "n", map("c", "1"));
        second.delete(MAPS, "n", "c");
        assertThat(first.names(MAPS, "n")).containsExactly("a", "b");
    }

    @Test
    void aWriteThatChangesNothingInAStateThatIsOutOfDateIsMade() {
        first.create(MAPS, "default", map("a", "1"));
        engines.idle();
        holdBack(two);
        first.update(MAPS, "default", "a", map("a", "2"));
        second.update(MAPS, "default", "a", map("a", "1"));
        assertThat(first.get(MAPS, "default", "a").string("data", "k")).isEqualTo("1");
    }

    @Test
    void aDryRunIsNotAnsweredByAStateThatIsOutOfDate() {
        first.create(NAMESPACES, "", "{'metadata':{'name':'n'}}");
        first.create(MAPS, "default", map("a", "1"));
        engines.idle();
        holdBack(two);
        first.update(MAPS, "default", "a", map("a", "2"));
        first.delete(NAMESPACES, "", "n");
        Requests dry = second.with(WriteOptions.of("test").withDryRun(true));
        JsonObject patched = dry.patch(MAPS, "default", "a", Patch.Type.MERGE, "{'metadata':{'labels':{'l':'1'}}}");
        assertThat(patched.string("data", "k")).isEqualTo("2");
        refused(ApiException.class, () -> dry.create(MAPS, "n", map("a", "1")));
    }

    @Test
    void nothingIsCreatedInANamespaceThatAnotherEngineHasRemoved() {
        first.create(NAMESPACES, "", "{'metadata':{'name':'n'}}");
        engines.idle();
        holdBack(two);
        first.delete(NAMESPACES, "", "n");
        engines.idle();
        assertThat(refused(NotFoundException.class, () -> second.create(MAPS, "n", map("a", "1"))))
                .hasMessage("namespaces \"n\" not found");
        assertThat(second.names(MAPS, "n")).isEmpty();
    }

    @Test
    void nothingIsCreatedOfATypeThatAnotherEngineHasRemoved() {
        first.create(CRDS, "", crd("widgets", "Widget"));
        engines.idle();
        Target widgets = second.target("x.io/v1/widgets", "default", "");
        holdBack(two);
        first.delete(CRDS, "", "widgets.x.io");
        engines.idle();
        refused(
                NotFoundException.class,
                () -> second.partition.create(
                        widgets,
                        dev.evenkeel.engine.internal.object.Body.json(
                                "{\"apiVersion\":\"x.io/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"a\"}}"),
                        WriteOptions.of("test")));
    }

    @ParameterizedTest
    @EnumSource
    void concurrentIncrementsAddUp(Delivery delivery) throws InterruptedException {
        one.store().deliver(delivery);
        two.store().deliver(delivery);
        first.create(MAPS, "default", map("count", "0"));
        inThreads(4, thread -> {
            Client client = (thread % 2 == 0 ? one : two).client();
            for (int i = 0; i < 25; i++) {
                increment(client);
            }
        });
        assertThat(second.get(MAPS, "default", "count").string("data", "k")).isEqualTo("100");
    }

    private static void increment(Client client) {
        while (true) {
            ConfigMap map = client.get(ConfigMap.class, ObjectKey.of("default", "count"));
            map.setData(
                    Map.of("k", Integer.toString(Integer.parseInt(map.getData().get("k")) + 1)));
            try {
                client.update(map);
                return;
            } catch (ConflictException e) {
                // another thread was faster
            }
        }
    }

    @Test
    void eachNameIsTakenOnce() throws InterruptedException {
        two.store().deliver(Delivery.DELAYED);
        Map<String, AtomicInteger> winners = new ConcurrentHashMap<>();
        inThreads(4, thread -> {
            Requests api = thread % 2 == 0 ? first : second;
            for (int i = 0; i < 50; i++) {
                try {
                    api.create(MAPS, "default", map("m" + i, Integer.toString(thread)));
                    winners.computeIfAbsent("m" + i, name -> new AtomicInteger())
                            .incrementAndGet();
                } catch (AlreadyExistsException e) {
                    // another thread was faster
                }
            }
        });
        assertThat(winners).hasSize(50);
        assertThat(winners.values()).allMatch(count -> count.get() == 1);
    }

    private static void inThreads(int count, IntConsumer work) throws InterruptedException {
        List<Throwable> failures = new ArrayList<>();
        List<Thread> threads = IntStream.range(0, count)
                .mapToObj(i -> Thread.ofVirtual().start(() -> {
                    try {
                        work.accept(i);
                    } catch (RuntimeException | Error e) {
                        synchronized (failures) {
                            failures.add(e);
                        }
                    }
                }))
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failures).isEmpty();
    }

    // services

    private String owned(String owner, String uid) {
        return "{'metadata':{'name':'owned-by-" + owner
                + "','ownerReferences':[{'apiVersion':'v1','kind':'ConfigMap','name':'" + owner + "','uid':'" + uid
                + "','blockOwnerDeletion':true}]}}";
    }

    private void createOwned(Requests api, String owner) {
        String uid = api.create(MAPS, "default", map(owner, "1")).string("metadata", "uid");
        api.create(MAPS, "default", owned(owner, uid));
    }

    @ParameterizedTest
    @EnumSource
    void whatIsDeletedThroughAnyEngineCascades(Propagation propagation) {
        createOwned(first, "a");
        createOwned(second, "b");
        engines.idle();
        second.delete(MAPS, "default", "a", propagation);
        first.delete(MAPS, "default", "b", propagation);
        engines.idle();
        boolean orphans = propagation == Propagation.ORPHAN;
        assertThat(first.names(MAPS, "default"))
                .containsExactlyElementsOf(orphans ? List.of("owned-by-a", "owned-by-b") : List.of());
    }

    @Test
    void anEngineThatIsClosedHandsOverAtOnce() {
        String before = holder();
        createOwned(first, "a");
        first.create(NAMESPACES, "", "{'metadata':{'name':'n'}}");
        first.create(MAPS, "n", "{'metadata':{'name':'held','finalizers':['x.io/f']}}");
        first.delete(NAMESPACES, "", "n");
        engines.idle();
        engines.stop(one);

        assertThat(second.get(LEASES, "kube-system", "evenkeel-engine").string("spec", "holderIdentity"))
                .isNotEmpty()
                .isNotEqualTo(before);
        second.delete(MAPS, "default", "a");
        second.patch(MAPS, "n", "held", Patch.Type.MERGE, "{'metadata':{'finalizers':null}}");
        engines.idle();
        assertThat(second.names(MAPS, "default")).isEmpty();
        assertThat(second.names(NAMESPACES, "")).doesNotContain("n");
    }

    @Test
    void theLeaseOfAnEngineThatStoppedIsTakenOverOnceItExpires() {
        String before = holder();
        one.tasks().pause();
        createOwned(second, "a");
        second.delete(MAPS, "default", "a");
        engines.pass(Duration.ofSeconds(14));
        two.engine().tick();
        engines.idle();
        assertThat(holder()).isEqualTo(before);
        assertThat(second.names(MAPS, "default")).containsExactly("owned-by-a");

        engines.pass(Duration.ofSeconds(2));
        two.engine().tick();
        engines.idle();
        assertThat(holder()).isNotEqualTo(before);
        assertThat(second.names(MAPS, "default")).isEmpty();
    }

    @Test
    void aHolderThatRenewsKeepsTheLease() {
        String before = holder();
        for (int i = 0; i < 20; i++) {
            engines.pass(Duration.ofSeconds(3));
            one.engine().tick();
            two.engine().tick();
            engines.idle();
        }
        assertThat(holder()).isEqualTo(before);
    }

    /** It resumes with work in its queue that it began as the leader. */
    @Test
    void aLeaderThatWasTakenForDeadDoesNothing() {
        createOwned(first, "a");
        engines.idle();
        holdBack(one);
        one.tasks().pause();
        first.delete(MAPS, "default", "a");
        engines.pass(Duration.ofSeconds(1));
        two.engine().tick();
        engines.idle();
        engines.pass(Duration.ofSeconds(16));
        two.engine().tick();
        two.tasks().pause();
        engines.idle();
        String leader = second.get(LEASES, "kube-system", "evenkeel-engine").string("spec", "holderIdentity");
        List<String> before = second.names(MAPS, "default");
        int commits = one.store().commits();

        one.tasks().resume();
        engines.idle();
        assertThat(one.store().commits()).isEqualTo(commits);
        assertThat(second.names(MAPS, "default")).isEqualTo(before);

        two.tasks().resume();
        engines.idle();
        assertThat(second.names(MAPS, "default")).isEmpty();
        assertThat(holder()).isEqualTo(leader);
    }

    @Test
    void aDeletedLeaseIsCreatedAgain() {
        first.delete(LEASES, "kube-system", "evenkeel-engine");
        engines.idle();
        createOwned(first, "a");
        first.delete(MAPS, "default", "a");
        engines.idle();
        assertThat(holder()).isNotEmpty();
        assertThat(first.names(MAPS, "default")).isEmpty();
    }

    @Test
    void aPartitionThatAnotherEngineCreatedIsServedAndCleanedUp() {
        Requests there = new Requests(ResourceApi.of(two.engine().partition("team-a")));
        engines.idle();
        createOwned(there, "a");
        there.delete(MAPS, "default", "a");
        engines.idle();
        assertThat(new Requests(ResourceApi.of(one.engine().partition("team-a"))).names(MAPS, "default"))
                .isEmpty();
    }

    /** Its follower receives a 410, as when the process slept longer than the history lasts. */
    @Test
    void anEngineThatMissedTheHistoryReadsTheStoreAgain() {
        createOwned(first, "a");
        createOwned(first, "b");
        engines.idle();
        two.tasks().pause();
        first.create(CRDS, "", crd("widgets", "Widget"));
        first.create("x.io/v1/widgets", "default", "{'apiVersion':'x.io/v1','kind':'Widget','metadata':{'name':'w'}}");
        first.delete(MAPS, "default", "a");
        createOwned(first, "c");
        new Requests(ResourceApi.of(one.engine().partition("team-a"))).create(MAPS, "default", map("x", "1"));
        engines.idle();
        two.store().latest();
        two.store().compact(two.store().revision());
        two.tasks().resume();
        engines.idle();
        assertThat(second.names("x.io/v1/widgets", "default")).containsExactly("w");

        engines.stop(one);
        second.delete(MAPS, "default", "b", Propagation.FOREGROUND);
        second.delete(MAPS, "default", "c");
        engines.idle();
        assertThat(second.names(MAPS, "default")).isEmpty();
    }

    // definitions

    @Test
    void aTypeIsServedByAllEnginesOnceItsDefinitionIsAcknowledged() {
        holdBack(two);
        first.create(CRDS, "", crd("widgets", "Widget"));
        Kind<?> widgets = Kind.generic("x.io", "v1", "Widget", "widgets", true);
        assertThat(two.client().list(widgets, ListOptions.ALL).items()).isEmpty();
        two.store().deliver(Delivery.AT_ONCE);
        second.create(CRDS, "", crd("gadgets", "Gadget"));
        assertThat(second.names("x.io/v1/gadgets", "default")).isEmpty();
        assertThat(first.partition.resource("x.io", "v1", "gadgets")).isPresent();
        assertThat(first.partition.resource("x.io", "v1", "none")).isEmpty();
    }

    @Test
    void definitionsWithTheSameNamesAreNotBothAccepted() throws InterruptedException {
        inThreads(2, thread -> {
            Requests api = thread == 0 ? first : second;
            api.create(CRDS, "", crd(thread == 0 ? "widgets" : "things", "Widget"));
        });
        List<String> accepted = Stream.of("widgets.x.io", "things.x.io")
                .map(name -> condition(second.get(CRDS, "", name), "NamesAccepted"))
                .toList();
        assertThat(accepted).containsExactlyInAnyOrder("True", "False");
    }

    @Test
    void aDefinitionIsSettledByTheNextLeader() {
        Member impatient = engines.start(builder -> builder.settleTimeout(Duration.ofMillis(1)));
        one.tasks().pause();
        impatient.api().create(CRDS, "", crd("widgets", "Widget"));
        impatient.api().create(CRDS, "", crd("things", "Widget"));
        assertThat(condition(second.get(CRDS, "", "widgets.x.io"), "Established"))
                .isEmpty();
        assertThat(second.partition.resource("x.io", "v1", "widgets")).isEmpty();

        engines.pass(Duration.ofSeconds(16));
        two.engine().tick();
        engines.idle();
        assertThat(condition(second.get(CRDS, "", "things.x.io"), "Established"))
                .isEqualTo("True");
        assertThat(condition(second.get(CRDS, "", "widgets.x.io"), "Established"))
                .isEqualTo("False");
        assertThat(second.partition.resource("x.io", "v1", "things")).isPresent();
    }

    @Test
    void theObjectsOfADeletedDefinitionAreDeletedByTheNextLeader() {
        first.create(CRDS, "", crd("widgets", "Widget"));
        second.create(
                "x.io/v1/widgets",
                "default",
                "{'apiVersion':'x.io/v1','kind':'Widget','metadata':{'name':'a','finalizers':['x.io/f']}}");
        second.delete(CRDS, "", "widgets.x.io");
        engines.idle();
        engines.stop(one);
        second.patch("x.io/v1/widgets", "default", "a", Patch.Type.MERGE, "{'metadata':{'finalizers':null}}");
        engines.idle();
        assertThat(second.names(CRDS, "")).isEmpty();
        assertThat(second.partition.resource("x.io", "v1", "widgets")).isEmpty();
    }

    // addresses

    private static Service service(String name) {
        return new ServiceBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withType("NodePort")
                .addNewPort()
                .withPort(80)
                .endPort()
                .endSpec()
                .build();
    }

    @Test
    void addressesAndNodePortsAreUniqueOverAllEngines() throws InterruptedException {
        two.store().deliver(Delivery.DELAYED);
        inThreads(4, thread -> {
            Client client = (thread % 2 == 0 ? one : two).client();
            for (int i = 0; i < 15; i++) {
                client.create(service("s" + thread + "-" + i));
            }
        });
        List<Service> services = one.client()
                .list(Kind.of(Service.class), ListOptions.in("default"))
                .items();
        assertThat(services).hasSize(61);
        assertThat(services).extracting(made -> made.getSpec().getClusterIP()).doesNotHaveDuplicates();
        assertThat(services.stream()
                        .flatMap(made -> made.getSpec().getPorts().stream())
                        .map(port -> Optional.ofNullable(port.getNodePort()).orElse(0))
                        .filter(port -> port != 0))
                .hasSize(60)
                .doesNotHaveDuplicates();
    }

    @Test
    void theAllocationIsNotAnObjectOfTheApi() {
        one.client().create(service("s"));
        for (ResourceType type : second.partition.types().all()) {
            if (type.rules().verbs().contains("list")) {
                Target any = Target.of(type, type.storageVersion(), "", "");
                assertThat(second.partition.list(any, ListQuery.ALL, User.ADMIN).items())
                        .noneMatch(document -> document.tree().string("kind").equals("RangeAllocation"));
            }
        }
        assertThat(second.partition.types().all()).noneMatch(type -> type.kind().equals("RangeAllocation"));
    }

    // outages

    @Test
    void anOutageIsReportedAndEndsWithoutARestart() {
        first.create(MAPS, "default", map("a", "1"));
        engines.idle();
        two.store().reachable(false);
        ApiException write = refused(ApiException.class, () -> second.create(MAPS, "default", map("b", "1")));
        assertThat(write.code()).isEqualTo(503);
        assertThat(write.status().details().orElseThrow().retryAfterSeconds()).isPositive();
        assertThat(refused(ApiException.class, () -> second.get(MAPS, "default", "a"))
                        .code())
                .isEqualTo(504);
        assertThat(refused(ApiException.class, () -> second.names(MAPS, "default"))
                        .code())
                .isEqualTo(504);
        assertThat(second.partition
                        .get(second.target(MAPS, "default", "a"), "0", User.ADMIN)
                        .tree()
                        .string("data", "k"))
                .isEqualTo("1");
        // whether it is there cannot be known
        assertThat(refused(ApiException.class, () -> second.delete(MAPS, "default", "none"))
                        .code())
                .isEqualTo(503);
        assertThat(second.partition.outage()).isPresent();

        two.store().reachable(true);
        second.create(MAPS, "default", map("b", "1"));
        assertThat(second.names(MAPS, "default")).containsExactly("a", "b");
        assertThat(second.partition.outage()).isEmpty();
    }

    @Test
    void failedCommitsAreAnsweredByTheirReason() {
        Map<StoreException.Reason, Integer> codes = new TreeMap<>();
        for (StoreException.Reason reason : StoreException.Reason.values()) {
            two.store().failNext(reason);
            codes.put(
                    reason,
                    refused(ApiException.class, () -> second.create(MAPS, "default", map("a" + reason.ordinal(), "1")))
                            .code());
        }
        assertThat(codes)
                .isEqualTo(Map.of(
                        StoreException.Reason.UNAVAILABLE, 503,
                        StoreException.Reason.UNKNOWN, 504,
                        StoreException.Reason.TOO_LARGE, 413));
    }

    @Test
    void aLeaderContinuesAfterAnOutage() {
        createOwned(first, "a");
        engines.idle();
        one.store().reachable(false);
        second.delete(MAPS, "default", "a");
        engines.pass(Duration.ofSeconds(6));
        one.engine().tick();
        engines.idle();
        assertThat(second.names(MAPS, "default")).containsExactly("owned-by-a");

        one.store().reachable(true);
        one.engine().tick();
        engines.idle();
        assertThat(second.names(MAPS, "default")).isEmpty();
    }

    @Test
    void anotherEngineLeadsDuringAnOutageOfTheLeader() {
        String before = holder();
        createOwned(first, "a");
        engines.idle();
        one.store().reachable(false);
        second.delete(MAPS, "default", "a");
        for (int i = 0; i < 5; i++) {
            engines.pass(Duration.ofSeconds(4));
            one.engine().tick();
            two.engine().tick();
            engines.idle();
        }
        assertThat(second.names(MAPS, "default")).isEmpty();
        one.store().reachable(true);
        one.engine().tick();
        engines.idle();
        assertThat(holder()).isNotEqualTo(before);
    }

    @Test
    void aServiceRepeatsAWriteWhoseResultIsUnknown() {
        createOwned(second, "a");
        engines.idle();
        one.store().failNext(StoreException.Reason.UNKNOWN);
        second.delete(MAPS, "default", "a");
        engines.idle();
        one.engine().tick();
        engines.idle();
        assertThat(second.names(MAPS, "default")).isEmpty();
    }
}
