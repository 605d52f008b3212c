package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Definitions and their objects over HTTP, where kube-apiserver does what one would not expect. */
class CustomResourceTest {
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String APPLY = "application/apply-patch+yaml";
    private static final String MERGE = "application/merge-patch+json";
    private static final Fixture SERVER = Fixture.insecure();

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    /** Texts have single quotes for double ones. */
    private static HttpResponse<String> send(String method, String path, String contentType, String text) {
        return SERVER.send(method, path, contentType, text.replace('\'', '"'));
    }

    private static String definition(String plural, String schema, String more) {
        String kind = plural.substring(0, 1).toUpperCase(Locale.ROOT) + plural.substring(1);
        return """
                {'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',
                 'metadata':{'name':'%1$s.custom.example.com'},
                 'spec':{'group':'custom.example.com','scope':'Namespaced','names':{'plural':'%1$s','kind':'%2$s'}%4$s,
                  'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':%3$s}}]}}
                """.formatted(plural, kind, schema, more);
    }

    /** Defines a kind whose objects have a spec of this schema. */
    private static void define(String plural, String spec) {
        HttpResponse<String> answer = send(
                "POST",
                DEFINITIONS,
                "application/json",
                definition(plural, "{'type':'object','properties':{'spec':" + spec + "}}", ""));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    private static String path(String plural) {
        return "/apis/custom.example.com/v1/namespaces/default/" + plural;
    }

    private static String object(String plural, String name, String rest) {
        String kind = plural.substring(0, 1).toUpperCase(Locale.ROOT) + plural.substring(1);
        return "{'apiVersion':'custom.example.com/v1','kind':'" + kind + "','metadata':{'name':'" + name + "'}," + rest
                + "}";
    }

    private static HttpResponse<String> create(String plural, String name, String rest) {
        return send("POST", path(plural), "application/json", object(plural, name, rest));
    }

    private static HttpResponse<String> apply(String plural, String name, String manager, String rest) {
        return send("PATCH", path(plural) + "/" + name + "?fieldManager=" + manager, APPLY, object(plural, name, rest));
    }

    private static void refused(HttpResponse<String> answer, int code, String message) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(code);
        assertThat(Fixture.tree(answer).string("message")).isEqualTo(message);
    }

    private static List<String> warnings(HttpResponse<String> answer) {
        return answer.headers().allValues("Warning").stream()
                .map(text -> text.substring("299 - \"".length(), text.length() - 1))
                .map(text -> text.replace("\\\"", "'"))
                .toList();
    }

    @Test
    void watchesEndWhenTheirDefinitionChanges() throws Exception {
        define("ends", "{'type':'object'}");
        define("stays", "{'type':'object'}");
        create("ends", "one", "'spec':{}");
        var watch = SERVER.http.send(
                SERVER.request(path("ends") + "?watch=1&timeoutSeconds=50")
                        .timeout(Duration.ofSeconds(20))
                        .build(),
                BodyHandlers.ofLines());
        var other = SERVER.http.send(
                SERVER.request(path("stays") + "?watch=1&timeoutSeconds=50").build(), BodyHandlers.ofLines());
        HttpResponse<String> labelled =
                send("PATCH", DEFINITIONS + "/ends.custom.example.com", MERGE, "{'metadata':{'labels':{'a':'b'}}}");
        assertThat(labelled.statusCode()).isEqualTo(200);
        create("ends", "two", "'spec':{}");
        HttpResponse<String> changed = send(
                "PATCH", DEFINITIONS + "/ends.custom.example.com", MERGE, "{'spec':{'names':{'shortNames':['end']}}}");
        assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
        try (Stream<String> lines = watch.body()) {
            assertThat(lines.map(line -> Fixture.tree(line).string("object", "metadata", "name")))
                    .containsExactly("one", "two");
        }
        create("stays", "three", "'spec':{}");
        try (Stream<String> lines = other.body()) {
            assertThat(lines.limit(1).map(line -> Fixture.tree(line).string("object", "metadata", "name")))
                    .containsExactly("three");
        }
    }

    /** Upstream says that its status does not change metadata, but its strategy leaves them as they are sent. */
    @Test
    void anUpdateOfTheStatusOfADefinitionMayChangeMetadata() {
        define("statuses", "{'type':'object'}");
        String path = DEFINITIONS + "/statuses.custom.example.com";
        JsonObject definition = Fixture.tree(SERVER.get(path));
        definition.withObject("metadata").put("labels", JsonObject.of("a", "b"));
        definition.withObject("spec").put("scope", "Cluster");
        var answer = SERVER.send("PUT", path + "/status", "application/json", Json.text(definition));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(Fixture.tree(answer).string("metadata", "labels", "a")).isEqualTo("b");
        assertThat(Fixture.tree(answer).string("spec", "scope")).isEqualTo("Namespaced");
    }

    @Test
    void rulesOfASchemaConcernTheApiVersionToo() {
        String schema = "{'type':'object','properties':{'apiVersion':{'type':'string','maxLength':5},"
                + "'kind':{'type':'string','enum':['Versioneds','Other']}}}";
        assertThat(send("POST", DEFINITIONS, "application/json", definition("versioneds", schema, ""))
                        .statusCode())
                .isEqualTo(201);
        refused(
                create("versioneds", "a", "'spec':{}"),
                422,
                "Versioneds.custom.example.com \"a\" is invalid: apiVersion: Too long: may not be more than 5 bytes");
    }

    @Test
    void nullsThatAreAppliedAreRefusedWhereTheyAreNoValue() {
        define("nulls", """
                {'type':'object','properties':{'text':{'type':'string'},'maybe':{'type':'string','nullable':true},
                 'list':{'type':'array','items':{'type':'string'}}}}""");
        assertThat(apply("nulls", "a", "one", "'spec':{'maybe':null}").statusCode())
                .isEqualTo(201);
        String invalid = "Nulls.custom.example.com \"a\" is invalid: ";
        refused(
                apply("nulls", "a", "two", "'spec':{'text':null}"),
                422,
                invalid + "spec.text: Invalid value: \"null\": spec.text in body must be of type string: \"null\"");
        refused(
                apply("nulls", "a", "two", "'spec':{'list':[null]}"),
                422,
                invalid
                        + "spec.list[0]: Invalid value: \"null\": spec.list[0] in body must be of type string: \"null\"");
        refused(
                apply("nulls", "b", "two", "'spec':{'text':null}"),
                422,
                invalid.replace("\"a\"", "\"b\"")
                        + "spec.text: Invalid value: \"null\": spec.text in body must be of type string: \"null\"");
        assertThat(create("nulls", "c", "'spec':{'text':null}").statusCode()).isEqualTo(201);
    }

    @Test
    void aRequiredFieldWithoutATypeMayBeAppliedAsNull() {
        define("anys", """
                {'type':'object','required':['any'],'properties':{'any':{'x-kubernetes-preserve-unknown-fields':true}}}
                """);
        HttpResponse<String> applied = apply("anys", "a", "one", "'spec':{'any':null}");
        assertThat(applied.statusCode()).as(applied.body()).isEqualTo(201);
        assertThat(Fixture.tree(applied).object("spec")).isEmpty();
        refused(
                create("anys", "b", "'spec':{'any':null}"),
                422,
                "Anys.custom.example.com \"b\" is invalid: spec.any: Required value");
    }

    @Test
    void aCreateThroughAnotherVersionIsStoredWithTheDefaultsOfTheStoredOne() {
        String schema = "{'type':'object','properties':{'spec':{'type':'object','properties':{'s':{'type':'string'},"
                + "'%s':{'type':'integer','default':%d}}}}}";
        String other = "'versions':[{'name':'v2','served':true,'storage':false,'schema':{'openAPIV3Schema':%s}},"
                .formatted(schema.formatted("other", 5));
        String definition = definition("twos", schema.formatted("own", 1), "").replace("'versions':[", other);
        assertThat(send("POST", DEFINITIONS, "application/json", definition).statusCode())
                .isEqualTo(201);
        String object = object("twos", "a", "'spec':{'s':'x'}").replace("example.com/v1", "example.com/v2");
        HttpResponse<String> created = send("POST", path("twos").replace("/v1/", "/v2/"), "application/json", object);
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
        assertThat(Fixture.tree(created).object("spec")).isEqualTo(JsonObject.of("s", "x"));
        assertThat(Fixture.tree(SERVER.get(path("twos") + "/a")).object("spec"))
                .isEqualTo(JsonObject.of("s", "x", "own", 1L));
    }

    @Test
    void defaultsBelowTheMetadataOfEmbeddedResourcesAreFilledIn() {
        define("templates", """
                {'type':'object','properties':{'template':{'type':'object','x-kubernetes-embedded-resource':true,
                 'properties':{'metadata':{'type':'object','properties':{'labels':{'type':'object',
                  'additionalProperties':{'type':'string'},'default':{'a':'b'}}}}}}}}""");
        String template = "'spec':{'template':{'apiVersion':'v1','kind':'Pod','metadata':{'name':'x','other':1}}}";
        JsonObject created = Fixture.tree(create("templates", "a", template));
        assertThat(created.string("spec", "template", "metadata", "labels", "a"))
                .isEqualTo("b");
        assertThat(created.object("spec", "template", "metadata").keySet()).containsOnly("name", "labels");
    }

    /** An item of a list-map is the same wherever it stands; an item of a set is not known to be the same. */
    @Test
    void itemsOfAReorderedListMapAreNotValidatedAgain() {
        String schema = """
                {'type':'object','properties':{
                 'map':{'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['k'],'items':{
                  'type':'object','required':['k'],'properties':{'k':{'type':'string'},'v':{'type':'integer'%s}}}},
                 'set':{'type':'array','x-kubernetes-list-type':'set','items':{'type':'integer'%s}}}}""";
        define("lists", schema.formatted("", ""));
        String spec = "'spec':{'map':[{'k':'a','v':1},{'k':'b','v':20}],'set':[1,20]}";
        assertThat(create("lists", "a", spec).statusCode()).isEqualTo(201);
        String limited = schema.formatted(",'maximum':10", ",'maximum':10");
        HttpResponse<String> changed = send(
                "PATCH",
                DEFINITIONS + "/lists.custom.example.com",
                MERGE,
                "{'spec':{'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':"
                        + "{'type':'object','properties':{'spec':" + limited + "}}}}]}}");
        assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
        String path = path("lists") + "/a";
        HttpResponse<String> reordered =
                send("PATCH", path, MERGE, "{'spec':{'map':[{'k':'b','v':20},{'k':'a','v':1}]}}");
        assertThat(reordered.statusCode()).as(reordered.body()).isEqualTo(200);
        assertThat(send("PATCH", path, MERGE, "{'spec':{'map':[{'k':'b','v':21},{'k':'a','v':1}]}}")
                        .statusCode())
                .isEqualTo(422);
        assertThat(send("PATCH", path, MERGE, "{'spec':{'set':[20,1]}}").statusCode())
                .isEqualTo(422);
    }

    @Test
    void refusedWritesCarryTheirWarnings() {
        define(
                "limits",
                "{'type':'object','properties':{'list':{'type':'array','maxItems':1,'items':{'type':'integer'}}}}");
        String many = "'spec':{'list':[1,2],'bogus':1}";
        String message = "Limits.custom.example.com \"a\" is invalid: spec.list: Too many: 2: must have at most 1 item";
        HttpResponse<String> created = create("limits", "a", many);
        refused(created, 422, message);
        assertThat(warnings(created)).containsExactly("unknown field 'spec.bogus'");

        JsonObject stored = Fixture.tree(create("limits", "a", "'spec':{'list':[1]}"));
        HttpResponse<String> again = create("limits", "a", "'spec':{'list':[1],'bogus':1}");
        assertThat(again.statusCode()).isEqualTo(409);
        assertThat(warnings(again)).containsExactly("unknown field 'spec.bogus'");

        stored.withObject("spec").put("list", List.of(1L, 2L));
        stored.withObject("spec").put("bogus", 1L);
        HttpResponse<String> replaced =
                SERVER.send("PUT", path("limits") + "/a", "application/json", Json.text(stored));
        refused(replaced, 422, message);
        assertThat(warnings(replaced)).containsExactly("unknown field 'spec.bogus'");
        stored.withObject("metadata").put("name", "none");
        HttpResponse<String> missing =
                SERVER.send("PUT", path("limits") + "/none", "application/json", Json.text(stored));
        assertThat(missing.statusCode()).isEqualTo(404);
        assertThat(warnings(missing)).containsExactly("unknown field 'spec.bogus'");

        HttpResponse<String> patched = send("PATCH", path("limits") + "/a", MERGE, "{" + many + "}");
        refused(patched, 422, message);
        assertThat(warnings(patched)).containsExactly("unknown field 'spec.bogus'");
    }

    @Test
    void applyReportsTheFirstUnknownFieldOfEachMap() {
        define(
                "firsts",
                "{'type':'object','properties':{'in':{'type':'object','properties':{'x':{'type':'string'}}}}}");
        refused(
                apply("firsts", "a", "one", "'spec':{'in':{'y':1,'z':2},'other':1,'more':1}"),
                500,
                "failed to create typed patch object (/a; custom.example.com/v1, Kind=Firsts): errors:\n"
                        + "  .spec.in.y: field not declared in schema\n  .spec.other: field not declared in schema");
    }

    @Test
    void aBookmarkOfATableHasARowAndIfItIsTheFirstEventTheHeadings() throws Exception {
        define("rows", "{'type':'object'}");
        var watch = SERVER.http.send(
                SERVER.request(path("rows") + "?watch=1&timeoutSeconds=50&sendInitialEvents=true"
                                + "&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true")
                        .header("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
                        .timeout(Duration.ofSeconds(20))
                        .build(),
                BodyHandlers.ofLines());
        try (Stream<String> lines = watch.body()) {
            JsonObject bookmark = Fixture.tree(lines.findFirst().orElseThrow());
            JsonObject table = bookmark.object("object");
            assertThat(bookmark.string("type")).isEqualTo("BOOKMARK");
            assertThat(table.array("columnDefinitions")).hasSize(2);
            assertThat(table.object("metadata").keySet()).containsOnly("resourceVersion");
            JsonObject row = table.objects("rows").getFirst();
            assertThat(row.array("cells")).hasSize(2);
            assertThat(row.string("object", "metadata", "annotations", "k8s.io/initial-events-end"))
                    .isEqualTo("true");
        }
    }

    @Test
    void tabsIndentJsonThatIsSentAsYaml() {
        define("tabs", "{'type':'object','properties':{'a':{'type':'integer'}}}");
        String text = object("tabs", "a", "'spec':{\n\t\t'a':1\n\t}").replace("{'api", "{\n\t'api");
        assertThat(text.getBytes(StandardCharsets.UTF_8)).contains((byte) '\t');
        HttpResponse<String> applied = send("PATCH", path("tabs") + "/a?fieldManager=m", APPLY, text);
        assertThat(applied.statusCode()).as(applied.body()).isEqualTo(201);
        assertThat(send("POST", path("tabs"), "application/yaml", text.replace("'name':'a'", "'name':'b'"))
                        .statusCode())
                .isEqualTo(201);
    }
}
