package dev.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.FieldSelector;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.InvalidException;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.contract.PartitionDeletion;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.read.ListQuery;
import dev.evenkeel.engine.internal.read.Page;
import dev.evenkeel.engine.internal.read.WatchEvent;
import dev.evenkeel.engine.internal.read.WatchQuery;
import dev.evenkeel.engine.internal.read.WatchStream;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.DeleteOptions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The verbs, through the façade; what recordings of a real server cover in detail is tested by their replay. */
class EngineTest {
    private static final String CRD = """
        {'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition','metadata':{'name':'widgets.x.io'},
         'spec':{'group':'x.io','scope':'Namespaced','names':{'plural':'widgets','kind':'Widget'},
         'versions':[{'name':'v1','served':true,'storage':true,'subresources':{'status':{}},
         'schema':{'openAPIV3Schema':{'type':'object','properties':{
           'spec':{'type':'object','properties':{'size':{'type':'integer','minimum':1,'default':3}}},
           'status':{'type':'object','properties':{'ready':{'type':'boolean'}}}}}}}]}}\
        """;
    private static final String CRDS = "apiextensions.k8s.io/v1/customresourcedefinitions";

    private static final String CONVERSION =
            "'spec':{'conversion':{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v1'],"
                    + "'clientConfig':{'url':'https://localhost/c','caBundle':'%s'}}},";

    private final Engine engine = Requests.direct().build();
    private final Requests api = new Requests(ResourceApi.of(engine.partition("default")));

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void aCreatedObjectHasIdentityVersionAndFieldOwners() {
        JsonObject made = api.create("v1/configmaps", "default", "{'metadata':{'name':'a'},'data':{'k':'v'}}");
        assertThat(made.string("metadata", "uid")).hasSize(36);
        assertThat(made.string("metadata", "creationTimestamp")).endsWith("Z");
        assertThat(made.string("metadata", "resourceVersion")).matches("[1-9][0-9]*");
        assertThat(Json.text(made.at("metadata", "managedFields"))).contains("\"f:data\"", "\"manager\":\"test\"");
        assertThat(api.get("v1/configmaps", "default", "a")).isEqualTo(made);
    }

    @Test
    void aNameCanBeTakenOnlyOnce() {
        api.create("v1/configmaps", "default", "{'metadata':{'name':'a'}}");
        assertThatExceptionOfType(AlreadyExistsException.class)
                .isThrownBy(() -> api.create("v1/configmaps", "default", "{'metadata':{'name':'a'}}"))
                .withMessage("configmaps \"a\" already exists");
    }

    @Test
    void aWriteThatChangesNothingWritesNothing() {
        JsonObject made = api.create("v1/configmaps", "default", "{'metadata':{'name':'a'},'data':{'k':'v'}}");
        long revision = engine.store().revision();
        JsonObject same = api.update("v1/configmaps", "default", "a", "{'metadata':{'name':'a'},'data':{'k':'v'}}");
        assertThat(same).isEqualTo(made);
        assertThat(engine.store().revision()).isEqualTo(revision);
    }

    @Test
    void aStaleVersionIsAConflictButAnAbsentOneIsNot() {
        String first = api.create("v1/configmaps", "default", "{'metadata':{'name':'a'}}")
                .string("metadata", "resourceVersion");
        api.update("v1/configmaps", "default", "a", "{'metadata':{'name':'a'},'data':{'k':'1'}}");
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> api.update(
                        "v1/configmaps",
                        "default",
                        "a",
                        "{'metadata':{'name':'a','resourceVersion':'" + first + "'},'data':{'k':'2'}}"));
        assertThat(api.get("v1/configmaps", "default", "a"))
                .extractingByKey("data")
                .isEqualTo(Map.of("k", "1"));
    }

    @Test
    void aDryRunAnswersLikeAWriteAndWritesNothing() {
        Requests dry = api.with(WriteOptions.of("test").withDryRun(true));
        JsonObject made = dry.create("v1/configmaps", "default", "{'metadata':{'name':'a'}}");
        assertThat(made.string("metadata", "uid")).isNotEmpty();
        assertThat(made.at("metadata", "resourceVersion")).isNull();
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> api.get("v1/configmaps", "default", "a"));
    }

    @Test
    void aDeletedObjectIsKeptUntilItsLastFinalizerIsRemoved() {
        api.create("v1/configmaps", "default", "{'metadata':{'name':'a','finalizers':['x.io/f']}}");
        api.delete("v1/configmaps", "default", "a");
        assertThat(Json.string(api.get("v1/configmaps", "default", "a"), "metadata", "deletionTimestamp"))
                .isNotEmpty();
        api.patch("v1/configmaps", "default", "a", Patch.Type.MERGE, "{'metadata':{'finalizers':null}}");
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> api.get("v1/configmaps", "default", "a"));
    }

    @Test
    void dependentsAreDeletedWithTheirOwner() {
        String uid = api.create("v1/configmaps", "default", "{'metadata':{'name':'owner'}}")
                .string("metadata", "uid");
        String reference = "'ownerReferences':[{'apiVersion':'v1','kind':'ConfigMap','name':'owner','uid':'" + uid
                + "','blockOwnerDeletion':true}]";
        api.create("v1/secrets", "default", "{'metadata':{'name':'s'," + reference + "}}");
        api.create("v1/configmaps", "default", "{'metadata':{'name':'c'," + reference + "}}");
        api.delete("v1/configmaps", "default", "owner", DeleteOptions.Propagation.FOREGROUND);
        assertThat(api.names("v1/configmaps", "default")).isEmpty();
        assertThat(api.names("v1/secrets", "default")).isEmpty();
    }

    @Test
    void orphansStayAndLoseTheirOwner() {
        String uid = api.create("v1/configmaps", "default", "{'metadata':{'name':'owner'}}")
                .string("metadata", "uid");
        api.create(
                "v1/configmaps",
                "default",
                "{'metadata':{'name':'c','ownerReferences':[{'apiVersion':'v1','kind':'ConfigMap','name':'owner','uid':'"
                        + uid + "'}]}}");
        api.delete("v1/configmaps", "default", "owner", DeleteOptions.Propagation.ORPHAN);
        assertThat(api.names("v1/configmaps", "default")).containsExactly("c");
        assertThat(Json.at(api.get("v1/configmaps", "default", "c"), "metadata", "ownerReferences"))
                .isNull();
    }

    @Test
    void aDeleteOfAJobOrReplicationControllerWithoutAPolicyOrphansItsDependents() {
        String template = "'template':{'metadata':{'labels':{'a':'b'}},'spec':{'restartPolicy':'%s',"
                + "'containers':[{'name':'c','image':'i'}]}}";
        JsonObject job = api.create(
                "batch/v1/jobs", "default", "{'metadata':{'name':'j'},'spec':{" + template.formatted("Never") + "}}");
        JsonObject controller = api.create(
                "v1/replicationcontrollers",
                "default",
                "{'metadata':{'name':'r'},'spec':{'selector':{'a':'b'}," + template.formatted("Always") + "}}");
        for (JsonObject owner : List.of(job, controller)) {
            api.create(
                    "v1/configmaps",
                    "default",
                    "{'metadata':{'name':'of-%s','ownerReferences':[{'apiVersion':'%s','kind':'%s','name':'%s','uid':'%s'}]}}"
                            .formatted(
                                    owner.string("metadata", "name"),
                                    owner.string("apiVersion"),
                                    owner.string("kind"),
                                    owner.string("metadata", "name"),
                                    owner.string("metadata", "uid")));
        }
        assertThat(api.delete("batch/v1/jobs", "default", "j").warnings())
                .singleElement()
                .asString()
                .startsWith("child pods are preserved by default when jobs are deleted");
        assertThat(api.delete("v1/replicationcontrollers", "default", "r").warnings())
                .isEmpty();
        assertThat(api.names("batch/v1/jobs", "default")).isEmpty();
        assertThat(api.names("v1/replicationcontrollers", "default")).isEmpty();
        assertThat(api.names("v1/configmaps", "default")).containsExactly("of-j", "of-r");
        assertThat(Json.at(api.get("v1/configmaps", "default", "of-j"), "metadata", "ownerReferences"))
                .isNull();
    }

    @Test
    void aPolicyOfTheRequestOrTheObjectWinsOverThatOfTheKind() {
        String job = "{'metadata':{'name':'%s','finalizers':[%s]},'spec':{'template':{'spec':{'restartPolicy':'Never',"
                + "'containers':[{'name':'c','image':'i'}]}}}}";
        api.create("batch/v1/jobs", "default", job.formatted("a", ""));
        assertThat(api.delete("batch/v1/jobs", "default", "a", DeleteOptions.Propagation.BACKGROUND))
                .isInstanceOf(Reply.Success.class);
        api.create("batch/v1/jobs", "default", job.formatted("b", "'a.b/c','foregroundDeletion'"));
        assertThat(Requests.shown(api.delete("batch/v1/jobs", "default", "b")).at("metadata", "finalizers"))
                .isEqualTo(List.of("a.b/c", "foregroundDeletion"));
    }

    @Test
    void eventsHaveNoDependentsAndIgnorePolicies() {
        api.create("v1/events", "default", "{'metadata':{'name':'e'},'involvedObject':{'namespace':'default'}}");
        assertThat(api.delete("v1/events", "default", "e", DeleteOptions.Propagation.ORPHAN))
                .isInstanceOf(Reply.Success.class);
    }

    @Test
    void anObjectWhoseOwnerNeverExistedIsCollected() {
        api.create(
                "v1/configmaps",
                "default",
                "{'metadata':{'name':'c','ownerReferences':[{'apiVersion':'v1','kind':'ConfigMap','name':'none','uid':'u'}]}}");
        assertThat(api.names("v1/configmaps", "default")).isEmpty();
    }

    @Test
    void aDeletedNamespaceIsEmptiedAndRemovedWithoutFinalizersInIt() {
        api.create("v1/namespaces", "", "{'metadata':{'name':'n'}}");
        api.create("v1/configmaps", "n", "{'metadata':{'name':'plain'}}");
        api.create("v1/configmaps", "n", "{'metadata':{'name':'held','finalizers':['x.io/f']}}");
        api.delete("v1/namespaces", "", "n");
        assertThat(api.names("v1/configmaps", "n")).containsExactly("held");
        assertThat(Json.text(api.get("v1/namespaces", "", "n"))).contains("SomeFinalizersRemain");
        assertThatExceptionOfType(ForbiddenException.class)
                .isThrownBy(() -> api.create("v1/configmaps", "n", "{'metadata':{'name':'late'}}"));
        api.patch("v1/configmaps", "n", "held", Patch.Type.MERGE, "{'metadata':{'finalizers':null}}");
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> api.get("v1/namespaces", "", "n"));
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> api.create("v1/configmaps", "n", "{'metadata':{'name':'later'}}"))
                .withMessage("namespaces \"n\" not found");
    }

    @Test
    void aDefinitionIsServedWhenItsCreateReturns() {
        api.create(CRDS, "", CRD);
        assertThat(Json.text(Json.at(api.get(CRDS, "", "widgets.x.io"), "status", "conditions")))
                .contains("NamesAccepted", "Established");
        JsonObject made = api.create(
                "x.io/v1/widgets",
                "default",
                "{'apiVersion':'x.io/v1','kind':'Widget','metadata':{'name':'w'},'spec':{'junk':1},'status':{'ready':true}}");
        assertThat(made).extractingByKey("spec").isEqualTo(Map.of("size", 3L));
        assertThat(made).doesNotContainKey("status");
        assertThat(made.integer("metadata", "generation")).isEqualTo(1);
    }

    @Test
    void statusAndSpecAreWrittenSeparately() {
        api.create(CRDS, "", CRD);
        api.create("x.io/v1/widgets", "default", "{'apiVersion':'x.io/v1','kind':'Widget','metadata':{'name':'w'}}");
        Target target = api.target("x.io/v1/widgets", "default", "w");
        Target status = new Target(target.type(), target.version(), "default", "w", "status");
        JsonObject changed = api.patch(status, Patch.Type.MERGE, "{'spec':{'size':9},'status':{'ready':true}}");
        assertThat(changed.integer("spec", "size")).isZero();
        assertThat(changed.at("status", "ready")).isEqualTo(true);
        assertThat(changed.integer("metadata", "generation")).isEqualTo(1);
        JsonObject grown = api.patch(target, Patch.Type.MERGE, "{'spec':{'size':9},'status':{'ready':false}}");
        assertThat(grown.at("status", "ready")).isEqualTo(true);
        assertThat(grown.integer("metadata", "generation")).isEqualTo(2);
    }

    @Test
    void anObjectThatBreaksItsSchemaIsRefusedWithTheField() {
        api.create(CRDS, "", CRD);
        assertThatThrownBy(() -> api.create(
                        "x.io/v1/widgets",
                        "default",
                        "{'apiVersion':'x.io/v1','kind':'Widget','metadata':{'name':'w'},'spec':{'size':0}}"))
                .isInstanceOfSatisfying(
                        InvalidException.class,
                        e -> assertThat(e.causes())
                                .extracting(cause -> cause.field())
                                .contains("spec.size"));
        assertThat(api.names("x.io/v1/widgets", "default")).isEmpty();
    }

    @Test
    void aDeletedDefinitionDeletesItsObjectsAndItsType() {
        api.create(CRDS, "", CRD);
        api.create(
                "x.io/v1/widgets",
                "default",
                "{'apiVersion':'x.io/v1','kind':'Widget','metadata':{'name':'w','finalizers':['x.io/f']}}");
        api.delete(CRDS, "", "widgets.x.io");
        assertThatExceptionOfType(ForbiddenException.class)
                .isThrownBy(() -> api.create(
                        "x.io/v1/widgets",
                        "default",
                        "{'apiVersion':'x.io/v1','kind':'Widget','metadata':{'name':'w2'}}"));
        api.patch("x.io/v1/widgets", "default", "w", Patch.Type.MERGE, "{'metadata':{'finalizers':null}}");
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> api.get(CRDS, "", "widgets.x.io"));
        assertThat(api.partition.types().resource("x.io", "v1", "widgets")).isEmpty();
    }

    @Test
    void anApplyOwnsItsFieldsAndConflictsNameTheOwner() {
        Requests one = api.with(WriteOptions.of("one"));
        Requests two = api.with(WriteOptions.of("two"));
        String applied = "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'},'data':{'k':'%s'}}";
        one.patch("v1/configmaps", "default", "a", Patch.Type.APPLY, applied.formatted("1"));
        long revision = engine.store().revision();
        one.patch("v1/configmaps", "default", "a", Patch.Type.APPLY, applied.formatted("1"));
        assertThat(engine.store().revision()).isEqualTo(revision);
        assertThatThrownBy(() -> two.patch("v1/configmaps", "default", "a", Patch.Type.APPLY, applied.formatted("2")))
                .isInstanceOfSatisfying(ApiException.class, e -> {
                    assertThat(e.status().message())
                            .isEqualTo("Apply failed with 1 conflict: conflict with \"one\": .data.k");
                    assertThat(e.reason()).isEqualTo("Conflict");
                });
        api.with(WriteOptions.of("two").withForce(true))
                .patch("v1/configmaps", "default", "a", Patch.Type.APPLY, applied.formatted("2"));
        one.patch(
                "v1/configmaps",
                "default",
                "a",
                Patch.Type.APPLY,
                "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'}}");
        assertThat(api.get("v1/configmaps", "default", "a"))
                .extractingByKey("data")
                .isEqualTo(Map.of("k", "2"));
    }

    @Test
    void anAppliedNullThatIsNotAValueIsRefusedAndTakesNothingFromOtherManagers() {
        api.create(CRDS, "", CRD.replace("'default':3", "'maximum':99"));
        Requests one = api.with(WriteOptions.of("one"));
        Requests two = api.with(WriteOptions.of("two").withForce(true));
        String applied = "{'apiVersion':'x.io/v1','kind':'Widget','metadata':{'name':'w'},'spec':{'size':%s}}";
        assertThatThrownBy(
                        () -> one.patch("x.io/v1/widgets", "default", "w", Patch.Type.APPLY, applied.formatted("null")))
                .isInstanceOf(InvalidException.class)
                .hasMessageContaining(
                        "spec.size: Invalid value: \"null\": spec.size in body must be of type integer: \"null\"");
        one.patch("x.io/v1/widgets", "default", "w", Patch.Type.APPLY, applied.formatted("5"));
        assertThatThrownBy(
                        () -> two.patch("x.io/v1/widgets", "default", "w", Patch.Type.APPLY, applied.formatted("null")))
                .isInstanceOf(InvalidException.class)
                .hasMessageContaining("must be of type integer: \"null\"");
        assertThat(Json.integer(api.get("x.io/v1/widgets", "default", "w"), "spec", "size"))
                .isEqualTo(5);
    }

    @Test
    void anAppliedNullOfAFieldWithADefaultIsTheDefault() {
        api.create(CRDS, "", CRD);
        assertThat(api.patch(
                        "x.io/v1/widgets",
                        "default",
                        "w",
                        Patch.Type.APPLY,
                        "{'apiVersion':'x.io/v1','kind':'Widget','metadata':{'name':'w'},'spec':{'size':null}}"))
                .extractingByKey("spec")
                .isEqualTo(Map.of("size", 3L));
    }

    @Test
    void aDefinitionWithAnUnreadableCaBundleIsNotServedAndCanBeDeleted() {
        api.create(CRDS, "", CRD.replace("'spec':{'group'", CONVERSION.formatted("Cg==") + "'group'"));
        assertThat(Json.text(Json.at(api.get(CRDS, "", "widgets.x.io"), "status", "conditions")))
                .contains("\"status\":\"False\"", "InvalidCABundle", "The conversion webhook CABundle is invalid");
        assertThat(api.partition.types().resource("x.io", "v1", "widgets")).isEmpty();
        api.delete(CRDS, "", "widgets.x.io");
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> api.get(CRDS, "", "widgets.x.io"));
    }

    @Test
    void aServedDefinitionIsNotGivenAnUnreadableCaBundle() {
        api.create(CRDS, "", CRD);
        String bundle = "{" + CONVERSION.formatted("Cg==").replaceFirst(",$", "") + "}}";
        assertThatThrownBy(() -> api.patch(CRDS, "", "widgets.x.io", Patch.Type.MERGE, bundle))
                .isInstanceOf(InvalidException.class)
                .hasMessageContaining(
                        "spec.conversion.webhookClientConfig.caBundle: Invalid value: \"Cg==\": unable to load"
                                + " root certificates: unable to parse bytes as PEM block");
        assertThatThrownBy(() -> api.patch(CRDS, "", "widgets.x.io", Patch.Type.MERGE, bundle.replace("Cg==", "%")))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("illegal base64 data at input byte 0");
    }

    @Test
    void aStoredDefinitionThatIsServedWithAnUnreadableCaBundleCanBeDeleted() {
        api.create(CRDS, "", CRD);
        JsonObject served = api.get(CRDS, "", "widgets.x.io");
        JsonObject spec = Requests.tree("{" + CONVERSION.formatted("Cg==").replaceFirst(",$", "") + "}}");
        served.object("spec").putAll(spec.object("spec"));
        api.partition.restore(api.target(CRDS, "", "widgets.x.io"), Body.json(Json.text(served)), "test");
        assertThat(api.partition.types().resource("x.io", "v1", "widgets")).isPresent();
        api.delete(CRDS, "", "widgets.x.io");
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> api.get(CRDS, "", "widgets.x.io"));
    }

    @Test
    void pagesOfOneListAreConsistentDespiteWritesBetweenThem() {
        for (String name : List.of("a", "b", "c", "d")) {
            api.create("v1/configmaps", "default", "{'metadata':{'name':'" + name + "'}}");
        }
        Target target = api.target("v1/configmaps", "default", "");
        Page first = api.partition.list(target, query("", 2, ""), User.ADMIN);
        assertThat(first.remaining()).hasValue(2);
        api.delete("v1/configmaps", "default", "c");
        api.create("v1/configmaps", "default", "{'metadata':{'name':'bb'}}");
        Page second = api.partition.list(target, query("", 2, first.continueToken()), User.ADMIN);
        assertThat(second.items())
                .extracting(document -> document.tree().string("metadata", "name"))
                .containsExactly("c", "d");
        assertThat(second.revision()).isEqualTo(first.revision());
        assertThat(second.continueToken()).isEmpty();
    }

    private static ListQuery query(String labels, long limit, String token) {
        return new ListQuery(LabelSelector.parse(labels), FieldSelector.everything(), "", "", limit, token);
    }

    @Test
    void selectableFieldsAreThoseOfTheKindAndItsVersion() {
        api.create(
                "v1/events",
                "default",
                "{'metadata':{'name':'e'},'involvedObject':{'namespace':'default','apiVersion':'v1','fieldPath':'f'},"
                        + "'source':{'component':'c'}}");
        for (String field : List.of("source=c", "regarding.apiVersion=v1", "regarding.fieldPath=f")) {
            assertThat(selected("events.k8s.io/v1/events", field)).as(field).isEqualTo(1);
            assertThat(selected("events.k8s.io/v1/events", field + "x")).isZero();
        }
        assertThat(selected("v1/pods", "spec.host=n")).isZero();
        assertThat(selected("storage.k8s.io/v1/storageclasses", "metadata.namespace="))
                .isZero();
        assertThatThrownBy(() -> selected("v1/namespaces", "metadata.namespace="))
                .hasMessage("field label not supported: metadata.namespace");
        assertThatThrownBy(() -> selected("resource.k8s.io/v1/resourceslices", "spec.bogus=x"))
                .hasMessage("field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: spec.bogus");
    }

    private int selected(String kind, String fields) {
        ListQuery query = new ListQuery(LabelSelector.everything(), FieldSelector.parse(fields), "", "", 0, "");
        return api.partition
                .list(api.target(kind, "", ""), query, User.ADMIN)
                .items()
                .size();
    }

    @Test
    void aWatchShowsSelectedObjectsAndThenTheirChanges() {
        api.create("v1/configmaps", "default", "{'metadata':{'name':'a','labels':{'x':'1'}}}");
        WatchQuery query =
                new WatchQuery(LabelSelector.parse("x=1"), FieldSelector.everything(), "", "", Optional.empty(), true);
        try (WatchStream watch =
                api.partition.watch(api.target("v1/configmaps", "default", ""), query, User.ADMIN, () -> {})) {
            api.create("v1/configmaps", "default", "{'metadata':{'name':'b'}}");
            api.patch("v1/configmaps", "default", "b", Patch.Type.MERGE, "{'metadata':{'labels':{'x':'1'}}}");
            api.patch("v1/configmaps", "default", "b", Patch.Type.MERGE, "{'data':{'k':'1'}}");
            api.patch("v1/configmaps", "default", "b", Patch.Type.MERGE, "{'metadata':{'labels':{'x':'2'}}}");
            api.delete("v1/configmaps", "default", "a");
            assertThat(watch.poll(100).stream().map(EngineTest::told))
                    .containsExactly("ADDED a", "bookmark", "ADDED b", "MODIFIED b", "DELETED b", "DELETED a");
        }
    }

    @Test
    void aBookmarkOfAnIdleWatchAdvancesWithTheStore() {
        WatchQuery query =
                new WatchQuery(LabelSelector.parse("x=1"), FieldSelector.everything(), "", "", Optional.empty(), true);
        try (WatchStream watch =
                api.partition.watch(api.target("v1/secrets", "default", ""), query, User.ADMIN, () -> {})) {
            watch.poll(100);
            long before = watch.bookmark().revision();
            api.create("v1/configmaps", "default", "{'metadata':{'name':'a'}}");
            assertThat(watch.poll(100)).isEmpty();
            assertThat(watch.bookmark().revision()).isGreaterThan(before);
        }
    }

    private static String told(WatchEvent event) {
        return switch (event) {
            case WatchEvent.Changed(WatchEvent.Change change) ->
                change.type() + " " + change.document().tree().string("metadata", "name");
            case WatchEvent.Bookmark bookmark -> "bookmark";
            case WatchEvent.Failed(var status) -> "failed " + status.message();
        };
    }

    @Test
    void nothingIsLeftOfAPartitionThatIsDeleted() throws InterruptedException {
        PartitionDeletion.check(engine);
        PartitionDeletion.assertGone(engine);
    }

    @Test
    void partitionsDoNotSeeEachOther() {
        Requests other = new Requests(ResourceApi.of(engine.partition("team-a")));
        other.create(CRDS, "", CRD);
        other.create("v1/configmaps", "default", "{'metadata':{'name':'a'}}");
        assertThat(api.names("v1/configmaps", "default")).isEmpty();
        assertThat(api.partition.types().resource("x.io", "v1", "widgets")).isEmpty();
        assertThat(other.names("v1/configmaps", "default")).containsExactly("a");
    }
}
