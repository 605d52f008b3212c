package dev.evenkeel.examples;

import static dev.evenkeel.examples.WebsiteStatus.READY;
import static dev.evenkeel.testing.call.Calls.on;
import static dev.evenkeel.testing.call.Reactor.Failure.alreadyExists;
import static dev.evenkeel.testing.call.Reactor.Failure.conflict;
import static dev.evenkeel.testing.call.Reactor.Failure.forbidden;
import static dev.evenkeel.testing.call.Reactor.Failure.internal;
import static dev.evenkeel.testing.call.Reactor.Failure.invalid;
import static dev.evenkeel.testing.call.Reactor.Failure.notFound;
import static dev.evenkeel.testing.call.Reactor.Failure.serverTimeout;
import static dev.evenkeel.testing.call.Reactor.Failure.tooManyRequests;
import static dev.evenkeel.testing.call.Reactor.Failure.unavailable;
import static dev.evenkeel.testing.call.RecordedCall.Verb.APPLY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.InvalidException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.testing.Expectations;
import dev.evenkeel.testing.ReconcilerTests;
import dev.evenkeel.testing.ScenarioTests;
import dev.evenkeel.testing.TestCluster;
import dev.evenkeel.testing.diff.Normalization;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** All that a website's reconciler does, case by case: what it writes, what it says, and what it leaves alone. */
class WebsiteCasesTest {
    private static final Path DEFINITIONS = Path.of("website", "crd.yaml");
    private static final String LABEL = "examples.evenkeel.dev/website";
    private static final Instant EARLIER = TestCluster.NOW.minus(Duration.ofHours(1));
    private static final String AS_WANTED = "ConfigMap, Deployment and Service are as wanted";
    private static final Normalization WITH_TIMES = Normalization.status().comparing("status.**.lastTransitionTime");

    private static final Normalization WITHOUT_WORDS = Normalization.status().ignoring("status.**.message");

    private static final Given<Website> BLOG = Given.yaml(Website.class, """
            metadata: {namespace: default, name: blog, generation: 1}
            spec: {html: <h1>Hello</h1>, replicas: 2, image: "nginx:1.29"}
            """);
    private static final Given<ConfigMap> PAGE =
            Given.yaml(ConfigMap.class, """
            metadata:
              namespace: default
              name: blog
              labels: {examples.evenkeel.dev/website: blog}
            data: {index.html: <h1>Hello</h1>}
            """).ownedBy(BLOG);
    private static final Given<Deployment> SERVERS =
            Given.yaml(Deployment.class, """
            metadata:
              namespace: default
              name: blog
              labels: {examples.evenkeel.dev/website: blog}
            spec:
              replicas: 2
              selector: {matchLabels: {examples.evenkeel.dev/website: blog}}
              template:
                metadata:
                  labels: {examples.evenkeel.dev/website: blog}
                  annotations: {examples.evenkeel.dev/page: "762fba69"}
                spec:
                  containers:
                  - name: web
                    image: nginx:1.29
                    ports: [{name: http, containerPort: 80, protocol: TCP}]
                    volumeMounts: [{name: page, mountPath: /usr/share/nginx/html}]
                  volumes: [{name: page, configMap: {name: blog}}]
            """).ownedBy(BLOG);
    private static final Given<Service> ADDRESS = Given.yaml(Service.class, """
            metadata:
              namespace: default
              name: blog
              labels: {examples.evenkeel.dev/website: blog}
            spec:
              selector: {examples.evenkeel.dev/website: blog}
              ports: [{name: http, port: 80, protocol: TCP, targetPort: http}]
            """).ownedBy(BLOG);

    /** As it is said when all is well. */
    private static final Given<Website> READY_BLOG = said(BLOG, 1, 2, "True", "AsWanted", AS_WANTED);

    /** The website of the same name that was made after the first was deleted. */
    private static final Given<Website> ANEW = BLOG.uid("6ba7b810-9dad-41d1-80b4-00c04fd430c8");

    /** Returns the blog's child as one of another website with the same page. */
    private static <T extends HasMetadata> Given<T> of(Given<Website> site, Given<T> child) {
        return child.namespace(site.key().namespace())
                .name(site.key().name())
                .without("metadata.ownerReferences")
                .ownedBy(site);
    }

    private static Given<Website> said(
            Given<Website> site, long generation, int replicas, String status, String reason, String message) {
        return site.statusAt("observedGeneration", generation)
                .statusAt("replicas", replicas)
                .statusAt(
                        "conditions[+type=Ready]",
                        Map.of(
                                "type", READY,
                                "status", status,
                                "observedGeneration", generation,
                                "lastTransitionTime", TestCluster.NOW,
                                "reason", reason,
                                "message", message));
    }

    private static Given<Website> refused(String reason, String message) {
        return said(BLOG, 1, 2, "False", reason, message);
    }

    /** Expects applies of all three. */
    private static <S extends Expectations<S>> S expectAll(Expectations<S> t) {
        return t.expectApply(PAGE).expectApply(SERVERS).expectApply(ADDRESS);
    }

    private static <S extends Expectations<S>> S expectAllAndReady(Expectations<S> t) {
        return expectAll(t).expectStatusApply(READY_BLOG);
    }

    /** Expects applies of all three, or a refusal of one of them, with the reason in the status. */
    private static <S extends Expectations<S>> S expectRefusal(
            Expectations<S> t, int attempts, String reason, String message) {
        for (Given<?> child : List.of(PAGE, SERVERS, ADDRESS).subList(0, attempts)) {
            t.expectApply(child);
        }
        return t.expectStatusApply(refused(reason, message));
    }

    private static <T extends HasMetadata> T present(Expectations.Run run, Given<T> object) {
        return run.cluster().client().get(object.type(), object.key());
    }

    private static boolean exists(Expectations.Run run, Given<?> object) {
        return run.cluster().client().find(object.type(), object.key()).isPresent();
    }

    private static void patch(TestCluster cluster, Given<?> object, String merge) {
        var _ = cluster.client().patch(Kind.of(object.type()), object.key(), Patch.merge(merge), WriteOptions.DEFAULT);
    }

    private static void delete(TestCluster cluster, Given<?> object) {
        var _ = cluster.client().delete(object.type(), object.key());
    }

    @TestFactory
    Stream<DynamicTest> reconciliations() {
        ReconcilerTests<Website> tests =
                ReconcilerTests.of(WebsiteReconciler::controller).definitions(DEFINITIONS);
        wishes(tests);
        others(tests);
        refusals(tests);
        statuses(tests);
        return tests.stream();
    }

    /** Cases of the spec of a website. */
    private static void wishes(ReconcilerTests<Website> tests) {
        tests.test(
                        "a new website gets a ConfigMap, a Deployment and a Service, and then is ready",
                        t -> expectAllAndReady(t.given(BLOG))
                                .expectOrder(
                                        on(APPLY).kind(ConfigMap.class),
                                        on(APPLY).kind(Deployment.class),
                                        on(APPLY).kind(Service.class),
                                        on(APPLY).kind(Website.class).status()))
                .test("a deleted website needs nothing", t -> t.request("default", "blog"))
                .test(
                        "a terminating website, held by another finalizer, gets nothing any more",
                        t -> t.given(BLOG.finalizers("example.com/hold").deleted(EARLIER)))
                .test(
                        "a website in another namespace has its things there",
                        t -> t.given(BLOG.namespace("shop"))
                                .expectApply(of(BLOG.namespace("shop"), PAGE))
                                .expectApply(of(BLOG.namespace("shop"), SERVERS))
                                .expectApply(of(BLOG.namespace("shop"), ADDRESS))
                                .expectStatusApply(READY_BLOG.namespace("shop")))
                .test(
                        "without replicas and image it gets one replica of nginx, by the defaults of the type",
                        t -> t.request(BLOG)
                                .given(Given.yaml("""
                                        apiVersion: examples.evenkeel.dev/v1
                                        kind: Website
                                        metadata: {namespace: default, name: blog}
                                        spec: {html: <h1>Hello</h1>}
                                        """))
                                .expectApply(PAGE)
                                .expectApply(SERVERS.at("spec.replicas", 1))
                                .expectApply(ADDRESS)
                                .expectStatusApply(said(BLOG, 1, 1, "True", "AsWanted", AS_WANTED)))
                .test(
                        "a website may have no replica at all",
                        t -> t.given(BLOG.at("spec.replicas", 0))
                                .expectApply(PAGE)
                                .expectApply(SERVERS.at("spec.replicas", 0))
                                .expectApply(ADDRESS)
                                .expectStatusApply(said(BLOG, 1, 0, "True", "AsWanted", AS_WANTED)))
                .test(
                        "another page is another template, so that servers are rolled",
                        t -> t.given(BLOG.at("spec.html", "<h1>Bye</h1>").generation(2))
                                .given(PAGE, SERVERS, ADDRESS)
                                .expectApply(PAGE.at("data['index.html']", "<h1>Bye</h1>"))
                                .expectApply(SERVERS.at(
                                        "spec.template.metadata.annotations['examples.evenkeel.dev/page']",
                                        Integer.toHexString("<h1>Bye</h1>".hashCode())))
                                .expectApply(ADDRESS)
                                .expectStatusApply(said(BLOG, 2, 2, "True", "AsWanted", AS_WANTED)))
                .test(
                        "another image is another image",
                        t -> t.given(BLOG.at("spec.image", "caddy:2").generation(2))
                                .given(SERVERS)
                                .expectApply(PAGE)
                                .expectApply(SERVERS.at("spec.template.spec.containers[name=web].image", "caddy:2"))
                                .expectApply(ADDRESS)
                                .expectStatusApply(said(BLOG, 2, 2, "True", "AsWanted", AS_WANTED))
                                .verify(run -> assertThat(present(run, SERVERS)
                                                .getSpec()
                                                .getTemplate()
                                                .getSpec()
                                                .getContainers())
                                        .singleElement()
                                        .satisfies(web ->
                                                assertThat(web.getImage()).isEqualTo("caddy:2"))))
                .test(
                        "labels of the website are not those of its things",
                        t -> expectAllAndReady(t.given(BLOG.label("tier", "paid"))))
                .test(
                        "a stale cache: the status has the generation that was observed",
                        t -> expectAllAndReady(t.given(BLOG)
                                        .givenOnServer(
                                                BLOG.at("spec.replicas", 5).generation(2)))
                                .verify(run -> assertThat(
                                                present(run, BLOG).getStatus().observedGeneration())
                                        .isEqualTo(1)));
    }

    /** Cases of foreign changes to the three, or existing objects. */
    private static void others(ReconcilerTests<Website> tests) {
        tests.test(
                        "a page changed by hand is taken back",
                        t -> expectAllAndReady(t.given(BLOG).given(PAGE.at("data['index.html']", "<h1>Mine</h1>")))
                                .verify(run -> assertThat(present(run, PAGE).getData())
                                        .containsExactly(Map.entry("index.html", "<h1>Hello</h1>"))))
                .test(
                        "a number of replicas changed by hand is taken back",
                        t -> expectAllAndReady(t.given(BLOG).given(SERVERS.at("spec.replicas", 9)))
                                .verify(run -> assertThat(
                                                present(run, SERVERS).getSpec().getReplicas())
                                        .isEqualTo(2)))
                .test(
                        "a selector changed by hand is taken back",
                        t -> expectAllAndReady(t.given(BLOG)
                                        .given(ADDRESS.at(
                                                "spec.selector['examples.evenkeel.dev/website']", "elsewhere")))
                                .verify(run -> assertThat(
                                                present(run, ADDRESS).getSpec().getSelector())
                                        .containsValue("blog")))
                .test(
                        "fields of other managers stay",
                        t -> expectAllAndReady(t.given(BLOG)
                                        .given(
                                                PAGE.at("data.robots", "none").label("team", "web"),
                                                SERVERS.annotation("example.com/note", "mine")))
                                .verify(run -> {
                                    assertThat(present(run, PAGE).getData()).containsEntry("robots", "none");
                                    assertThat(present(run, PAGE).getMetadata().getLabels())
                                            .containsEntry("team", "web");
                                    assertThat(present(run, SERVERS)
                                                    .getMetadata()
                                                    .getAnnotations())
                                            .containsEntry("example.com/note", "mine");
                                }))
                .test(
                        "an owner reference removed by hand is restored",
                        t -> expectAllAndReady(t.given(BLOG).given(PAGE.without("metadata.ownerReferences")))
                                .verify(run -> assertThat(
                                                OwnerReferences.isControlledBy(present(run, PAGE), present(run, BLOG)))
                                        .isTrue()))
                .test(
                        "a sidecar put in by a webhook stays",
                        t -> expectAllAndReady(t.given(BLOG)
                                        .given(SERVERS.at(
                                                "spec.template.spec.containers[+name=proxy].image", "proxy:1")))
                                .verify(run -> assertThat(present(run, SERVERS)
                                                .getSpec()
                                                .getTemplate()
                                                .getSpec()
                                                .getContainers())
                                        .hasSize(2)))
                .test(
                        "a ConfigMap of another owner is left alone, and in the way",
                        t -> expectRefusal(
                                        t.given(BLOG, BLOG.name("other"))
                                                .given(PAGE.without("metadata.ownerReferences")
                                                        .at("data['index.html']", "theirs")
                                                        .ownedBy(BLOG.name("other"))),
                                        1,
                                        "Invalid",
                                        "")
                                .comparingStatus(WITHOUT_WORDS)
                                .expectError(InvalidException.class, "Only one reference can have Controller")
                                .verify(run ->
                                        assertThat(present(run, PAGE).getData()).containsEntry("index.html", "theirs")))
                .test(
                        "a Service of another owner is left alone; the rest is created",
                        t -> expectRefusal(
                                        t.given(BLOG, BLOG.name("other"))
                                                .given(ADDRESS.without("metadata.ownerReferences")
                                                        .at("spec.selector.app", "theirs")
                                                        .ownedBy(BLOG.name("other"))),
                                        3,
                                        "Invalid",
                                        "")
                                .comparingStatus(WITHOUT_WORDS)
                                .expectError(InvalidException.class, "Only one reference can have Controller")
                                .verify(run -> {
                                    assertThat(present(run, ADDRESS).getSpec().getSelector())
                                            .containsEntry("app", "theirs");
                                    assertThat(exists(run, SERVERS)).isTrue();
                                }))
                .test(
                        "a Deployment with another selector cannot be adopted",
                        t -> expectRefusal(
                                        t.given(BLOG)
                                                .given(SERVERS.without("metadata.ownerReferences")
                                                        .at("spec.selector.matchLabels.app", "theirs")
                                                        .at("spec.template.metadata.labels.app", "theirs")),
                                        2,
                                        "Invalid",
                                        "Deployment.apps \"blog\" is invalid: spec.selector: Invalid value:"
                                                + " {\"matchLabels\":{\"examples.evenkeel.dev/website\":\"blog\"}}: field is"
                                                + " immutable")
                                .expectError(InvalidException.class, "immutable"))
                .test(
                        "children of a former website of the same name are adopted",
                        t -> t.given(ANEW)
                                .given(PAGE.at("data['index.html']", "old"))
                                .expectApply(of(ANEW, PAGE))
                                .expectApply(of(ANEW, SERVERS))
                                .expectApply(of(ANEW, ADDRESS))
                                .expectStatusApply(READY_BLOG)
                                .verify(run -> assertThat(
                                                OwnerReferences.isControlledBy(present(run, PAGE), ANEW.object()))
                                        .isTrue()));
    }

    /** Cases of failing writes. */
    private static void refusals(ReconcilerTests<Website> tests) {
        tests.test(
                        "no quota for the ConfigMap: it is reported, and nothing else is tried",
                        t -> expectRefusal(t.given(BLOG), 1, "Forbidden", "configmaps \"blog\" is forbidden: quota")
                                .react(on(APPLY).kind(ConfigMap.class).fails(forbidden("quota")))
                                .expectError(ForbiddenException.class, "quota"))
                .test(
                        "no quota for the Deployment: the ConfigMap stays",
                        t -> expectRefusal(
                                        t.given(BLOG), 2, "Forbidden", "deployments.apps \"blog\" is forbidden: quota")
                                .react(on(APPLY).kind(Deployment.class).fails(forbidden("quota")))
                                .expectError(ForbiddenException.class)
                                .verify(run -> assertThat(exists(run, PAGE)).isTrue()))
                .test(
                        "no quota for the Service",
                        t -> expectRefusal(t.given(BLOG), 3, "Forbidden", "services \"blog\" is forbidden: quota")
                                .react(on(APPLY).kind(Service.class).fails(forbidden("quota")))
                                .expectError(ForbiddenException.class))
                .test(
                        "a policy does not like the image",
                        t -> expectRefusal(
                                        t.given(BLOG),
                                        2,
                                        "Invalid",
                                        "Deployment.apps \"blog\" is invalid: spec.template: Invalid value: unknown"
                                                + " registry")
                                .react(on(APPLY)
                                        .kind(Deployment.class)
                                        .fails(invalid("spec.template", "unknown registry")))
                                .expectError(InvalidException.class, "unknown registry"))
                .test(
                        "a conflict of field managers",
                        t -> expectRefusal(
                                        t.given(BLOG),
                                        3,
                                        "Conflict",
                                        "Operation cannot be fulfilled on services \"blog\": the object has been"
                                                + " modified; please apply your changes to the latest version and try"
                                                + " again")
                                .react(on(APPLY).kind(Service.class).fails(conflict()))
                                .expectError(ConflictException.class))
                .test(
                        "another client creates the ConfigMap at the same time",
                        t -> expectRefusal(t.given(BLOG), 1, "AlreadyExists", "configmaps \"blog\" already exists")
                                .react(on(APPLY).kind(ConfigMap.class).fails(alreadyExists()))
                                .expectError(ApiException.class, "already exists"))
                .test(
                        "a server that is too slow",
                        t -> expectRefusal(
                                        t.given(BLOG),
                                        2,
                                        "Timeout",
                                        "Timeout: request did not complete within the requested timeout")
                                .react(on(APPLY).kind(Deployment.class).fails(serverTimeout()))
                                .expectError(ApiException.class))
                .test(
                        "a server that has too much to do",
                        t -> expectRefusal(
                                        t.given(BLOG),
                                        1,
                                        "TooManyRequests",
                                        "the server has received too many requests and has asked us to try again"
                                                + " later")
                                .react(on(APPLY).kind(ConfigMap.class).fails(tooManyRequests(Duration.ofSeconds(7))))
                                .expectError(ApiException.class, "too many requests"))
                .test(
                        "a server that is broken",
                        t -> expectRefusal(
                                        t.given(BLOG),
                                        3,
                                        "InternalError",
                                        "Internal error occurred: apply services default/blog")
                                .react(on(APPLY).kind(Service.class).fails(internal()))
                                .expectError(ApiException.class))
                .test(
                        "a refusal without a reason is one all the same",
                        t -> expectRefusal(t.given(BLOG), 2, "Refused", "I'm a teapot")
                                .react(on(APPLY)
                                        .kind(Deployment.class)
                                        .fails(ApiException.of(Status.of(418, "", "I'm a teapot"))))
                                .expectError(ApiException.class, "teapot"))
                .test(
                        "no server at all: neither the children nor the refusal can be written, and the first error counts",
                        t -> expectRefusal(
                                        t.given(BLOG),
                                        1,
                                        "ServiceUnavailable",
                                        "the server is currently unable to handle the request")
                                .react(
                                        on(APPLY).kind(ConfigMap.class).fails(unavailable()),
                                        on(APPLY).status().fails(notFound()))
                                .expectError(ApiException.class, "unable to handle"))
                .test(
                        "a lost connection is not a refusal, so nothing is reported",
                        t -> t.given(BLOG)
                                .react(on(APPLY).kind(ConfigMap.class).losesConnection())
                                .expectApply(PAGE)
                                .expectError(UncheckedIOException.class, "connection is lost"))
                .test(
                        "a lost answer of the Deployment: it exists, and the next reconciliation sees it",
                        t -> t.given(BLOG)
                                .react(on(APPLY).kind(Deployment.class).losesAnswer())
                                .expectApply(PAGE)
                                .expectApply(SERVERS)
                                .expectError(UncheckedIOException.class)
                                .verify(run -> assertThat(exists(run, SERVERS)).isTrue()))
                .test(
                        "a lost answer of the status: it is written all the same",
                        t -> expectAllAndReady(t.given(BLOG))
                                .react(on(APPLY).status().losesAnswer())
                                .expectError(UncheckedIOException.class)
                                .verify(run -> assertThat(
                                                present(run, BLOG).getStatus().replicas())
                                        .isEqualTo(2)))
                .test(
                        "a status that is refused is an error",
                        t -> expectAllAndReady(t.given(BLOG))
                                .react(on(APPLY).status().fails(forbidden("no status")))
                                .expectError(ForbiddenException.class, "no status"))
                .test("an invalid name of a Service: the server refuses it, and the status has the reason", t -> {
                    Given<Website> site = BLOG.name("blog.example");
                    String label = "['" + LABEL + "']";
                    String name = site.key().name();
                    t.given(site)
                            .expectApply(of(site, PAGE).label(LABEL, name))
                            .expectApply(of(site, SERVERS)
                                    .label(LABEL, name)
                                    .at("spec.selector.matchLabels" + label, name)
                                    .at("spec.template.metadata.labels" + label, name)
                                    .at("spec.template.spec.volumes[name=page].configMap.name", name))
                            .expectApply(of(site, ADDRESS).label(LABEL, name).at("spec.selector" + label, name))
                            .expectStatusApply(refused(
                                            "Invalid",
                                            "Service \"blog.example\" is invalid: metadata.name: Invalid value:"
                                                    + " \"blog.example\": must not contain dots")
                                    .name(name))
                            .expectError(InvalidException.class, "metadata.name");
                })
                .test(
                        "a terminating namespace accepts nothing new",
                        t -> expectRefusal(
                                        t.given(Given.yaml(Namespace.class, """
                                                metadata: {name: default, finalizers: [example.com/hold]}
                                                """).deleted(EARLIER))
                                                .given(BLOG),
                                        1,
                                        "Forbidden",
                                        "configmaps \"blog\" is forbidden: unable to create new content in namespace default because it is being terminated")
                                .expectError(ForbiddenException.class, "being terminated"))
                .test(
                        "a slow server is only slow: the times are those at which the reconciliation began",
                        t -> expectAll(t.given(BLOG))
                                .react(on(APPLY).kind(Service.class).delays(Duration.ofSeconds(20)))
                                .comparingStatus(WITH_TIMES)
                                .expectStatusApply(READY_BLOG.at(
                                        "status.conditions[type=Ready].lastTransitionTime", TestCluster.NOW)));
    }

    /** Cases of the status, and its times. */
    private static void statuses(ReconcilerTests<Website> tests) {
        tests.test(
                        "a refused child that is created now is ready since now",
                        t -> expectAllAndReady(t.given(refused("Forbidden", "quota")
                                        .at("status.conditions[type=Ready].lastTransitionTime", EARLIER)))
                                .comparingStatus(WITH_TIMES))
                .test(
                        "a ready child that is refused now is unready since now",
                        t -> expectRefusal(
                                        t.given(READY_BLOG.at(
                                                "status.conditions[type=Ready].lastTransitionTime", EARLIER)),
                                        1,
                                        "Forbidden",
                                        "configmaps \"blog\" is forbidden: quota")
                                .comparingStatus(WITH_TIMES)
                                .react(on(APPLY).kind(ConfigMap.class).fails(forbidden("quota")))
                                .expectError(ForbiddenException.class))
                .test(
                        "a child that stays ready keeps its transition time",
                        t -> expectAll(t.given(
                                        READY_BLOG.at("status.conditions[type=Ready].lastTransitionTime", EARLIER)))
                                .comparingStatus(WITH_TIMES)
                                .expectStatusApply(
                                        READY_BLOG.at("status.conditions[type=Ready].lastTransitionTime", EARLIER)))
                .test(
                        "a child that is refused for another reason keeps its transition time",
                        t -> t.given(refused("Forbidden", "quota")
                                        .at("status.conditions[type=Ready].lastTransitionTime", EARLIER))
                                .react(on(APPLY).kind(ConfigMap.class).fails(internal()))
                                .comparingStatus(WITH_TIMES)
                                .expectApply(PAGE)
                                .expectStatusApply(refused(
                                                "InternalError",
                                                "Internal error occurred: apply configmaps default/blog")
                                        .at("status.conditions[type=Ready].lastTransitionTime", EARLIER))
                                .expectError(ApiException.class))
                .test(
                        "conditions of other managers stay unchanged",
                        t -> expectAll(t.given(
                                        BLOG.condition("Audited").since(EARLIER).isTrue("Clean", "by hand")))
                                .comparingStatus(WITH_TIMES)
                                .expectStatusApply(said(
                                        BLOG.condition("Audited").since(EARLIER).isTrue("Clean", "by hand"),
                                        1,
                                        2,
                                        "True",
                                        "AsWanted",
                                        AS_WANTED)))
                .test(
                        "a status is not written to a website that was deleted and created again meanwhile",
                        t -> expectAllAndReady(t.given(BLOG).meanwhile(cluster -> {
                                    delete(cluster, BLOG);
                                    cluster.put(ANEW);
                                }))
                                .expectError(InvalidException.class, "metadata.uid")
                                .verify(run -> {
                                    assertThat(present(run, BLOG).getStatus()).isNull();
                                    assertThat(exists(run, PAGE)).isFalse();
                                }))
                .test(
                        "a website deleted meanwhile: its children are deleted with it",
                        t -> expectAllAndReady(t.given(BLOG).meanwhile(cluster -> delete(cluster, BLOG)))
                                .expectError(NotFoundException.class)
                                .verify(run -> assertThat(
                                                exists(run, PAGE) || exists(run, SERVERS) || exists(run, ADDRESS))
                                        .isFalse()));
    }

    @TestFactory
    Stream<DynamicTest> scenarios() {
        Consumer<dev.evenkeel.testing.ScenarioTests.Scenario.Reconcile> asWanted = WebsiteCasesTest::expectAllAndReady;
        return ScenarioTests.of(WebsiteReconciler::controller)
                .definitions(DEFINITIONS)
                .test(
                        "the life of a website: created, ready, settled, changed, settled, and deleted with all children",
                        s -> s.given(BLOG)
                                .reconcile(BLOG, asWanted)
                                .settled(BLOG)
                                .then(cluster -> patch(cluster, BLOG, "{\"spec\":{\"replicas\":5}}"))
                                .reconcile(
                                        BLOG,
                                        r -> r.expectApply(PAGE)
                                                .expectApply(SERVERS.at("spec.replicas", 5))
                                                .expectApply(ADDRESS)
                                                .expectStatusApply(said(BLOG, 2, 5, "True", "AsWanted", AS_WANTED)))
                                .settled(BLOG)
                                .then(cluster -> delete(cluster, BLOG))
                                .reconcile(
                                        BLOG,
                                        r -> r.verify(run -> {
                                            assertThat(exists(run, PAGE)).isFalse();
                                            assertThat(exists(run, SERVERS)).isFalse();
                                            assertThat(exists(run, ADDRESS)).isFalse();
                                        })))
                .test(
                        "an hour later, after a restart in between, nothing changes",
                        s -> s.given(BLOG)
                                .reconcile(BLOG)
                                .passes(Duration.ofHours(1))
                                .settled(BLOG)
                                .restarts()
                                .settled(BLOG))
                .test(
                        "the process dies after the ConfigMap: the next one creates the rest",
                        s -> s.given(BLOG)
                                .reacting(
                                        on(APPLY).kind(Deployment.class).nth(1).losesConnection())
                                .reconcile(
                                        BLOG,
                                        r -> r.expectApply(PAGE)
                                                .expectApply(SERVERS)
                                                .expectError(UncheckedIOException.class))
                                .restarts()
                                .reconcile(BLOG, asWanted)
                                .settled(BLOG))
                .test(
                        "quota is granted a minute later: since then it is ready",
                        s -> s.given(BLOG)
                                .reacting(
                                        on(APPLY).kind(Deployment.class).nth(1).fails(forbidden("quota")))
                                .reconcile(
                                        BLOG,
                                        r -> expectRefusal(
                                                        r,
                                                        2,
                                                        "Forbidden",
                                                        "deployments.apps \"blog\" is forbidden: quota")
                                                .expectError(ForbiddenException.class))
                                .passes(Duration.ofMinutes(1))
                                .reconcile(
                                        BLOG,
                                        r -> expectAll(r)
                                                .comparingStatus(WITH_TIMES)
                                                .expectStatusApply(READY_BLOG.at(
                                                        "status.conditions[type=Ready].lastTransitionTime",
                                                        TestCluster.NOW.plusSeconds(60))))
                                .settled(BLOG))
                .test(
                        "children deleted by hand are restored, one after the other",
                        s -> s.given(BLOG)
                                .reconcile(BLOG)
                                .then(cluster -> delete(cluster, PAGE))
                                .reconcile(BLOG, asWanted)
                                .then(cluster -> delete(cluster, SERVERS))
                                .reconcile(BLOG, asWanted)
                                .then(cluster -> delete(cluster, ADDRESS))
                                .reconcile(BLOG, asWanted)
                                .settled(BLOG))
                .test(
                        "a field that is wanted no more is taken away, and one that another added is not",
                        s -> s.given(BLOG)
                                .reconcile(BLOG)
                                .then(cluster -> {
                                    patch(cluster, PAGE, "{\"data\":{\"robots\":\"none\"}}");
                                    patch(cluster, BLOG, "{\"spec\":{\"html\":\"<h1>Bye</h1>\"}}");
                                })
                                .reconcile(BLOG)
                                .then(cluster -> assertThat(cluster.client()
                                                .get(ConfigMap.class, PAGE.key())
                                                .getData())
                                        .containsOnly(
                                                Map.entry("index.html", "<h1>Bye</h1>"), Map.entry("robots", "none")))
                                .settled(BLOG))
                .test(
                        "a cache that did not hear of the deletion does no lasting harm",
                        s -> s.given(BLOG)
                                .reconcile(BLOG)
                                .then(cluster -> delete(cluster, BLOG))
                                .reconcile(
                                        BLOG, r -> expectAllAndReady(r.stale()).expectError(NotFoundException.class))
                                .reconcile(
                                        BLOG,
                                        r -> r.verify(run ->
                                                assertThat(exists(run, PAGE)).isFalse())))
                .test(
                        "two websites do not meet",
                        s -> s.given(BLOG, BLOG.name("docs"))
                                .reconcile(BLOG, asWanted)
                                .reconcile(BLOG.name("docs"))
                                .settled(BLOG)
                                .settled(BLOG.name("docs"))
                                .then(cluster -> delete(cluster, BLOG.name("docs")))
                                .settled(BLOG))
                .stream();
    }
}
