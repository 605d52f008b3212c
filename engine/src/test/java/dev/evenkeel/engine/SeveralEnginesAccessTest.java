package dev.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.SharedEngines.Member;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import io.fabric8.kubernetes.api.model.Namespace;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Access control of engines that share a store. */
@Timeout(300)
class SeveralEnginesAccessTest {
    private static final String RBAC = "rbac.authorization.k8s.io/v1/";
    private static final String ROLES = RBAC + "clusterroles";
    private static final String BINDINGS = RBAC + "clusterrolebindings";

    private final SharedEngines engines = new SharedEngines(1);
    private final Member one = start();
    private final Requests first = one.api();

    private Member start() {
        return engines.start(builder -> builder.authorization(Authorization.RBAC));
    }

    @AfterEach
    void close() {
        engines.close();
    }

    private static boolean reads(Member member) {
        try {
            member.engine().as(User.of("ann")).get(Kind.of(Namespace.class), ObjectKey.cluster("default"));
            return true;
        } catch (ForbiddenException e) {
            return false;
        }
    }

    @Test
    void rolesThatOneIsGivenAreThoseOfAll() {
        Member two = start();
        assertThat(reads(two)).isFalse();
        first.create(
                ROLES,
                "",
                "{'metadata':{'name':'r'},'rules':[{'verbs':['get'],'apiGroups':[''],'resources':['namespaces']}]}");
        first.create(
                BINDINGS,
                "",
                "{'metadata':{'name':'b'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'ClusterRole',"
                        + "'name':'r'},'subjects':[{'kind':'User','name':'ann'}]}");
        engines.idle();
        assertThat(reads(one)).isTrue();
        assertThat(reads(two)).isTrue();

        two.api().delete(BINDINGS, "", "b");
        engines.idle();
        assertThat(reads(one)).isFalse();
        assertThat(reads(two)).isFalse();
        assertThatThrownBy(() ->
                        two.engine().as(User.of("ann")).get(Kind.of(Namespace.class), ObjectKey.cluster("default")))
                .hasMessage(
                        "namespaces \"default\" is forbidden: User \"ann\" cannot get resource \"namespaces\" in API"
                                + " group \"\" in the namespace \"default\"");
    }

    private String content(Member member, String resource, String name, String field) {
        return Json.text(member.api().get(resource, "", name).at(field));
    }

    @Test
    void aStartingEngineCompletesDefaultRolesAndBindings() {
        List<JsonObject> rules = first.get(ROLES, "", "system:discovery").objects("rules");
        String subjects = content(one, BINDINGS, "system:discovery", "subjects");
        first.patch(
                ROLES,
                "",
                "system:discovery",
                Patch.Type.MERGE,
                "{'rules':[{'verbs':['get'],'nonResourceURLs':['/mine']}]}");
        first.patch(
                BINDINGS,
                "",
                "system:discovery",
                Patch.Type.MERGE,
                "{'subjects':[{'apiGroup':'rbac.authorization.k8s.io','kind':'User','name':'ann'}]}");
        JsonObject viewers = first.get(BINDINGS, "", "system:basic-user");
        first.delete(BINDINGS, "", "system:basic-user");
        viewers.put("metadata", JsonObject.of("name", "system:basic-user"));
        viewers.withObject("roleRef").put("name", "view");
        first.create(BINDINGS, "", Json.text(viewers));

        Member two = start();

        List<JsonObject> completed =
                two.api().get(ROLES, "", "system:discovery").objects("rules");
        assertThat(completed.getFirst().strings("nonResourceURLs")).containsExactly("/mine");
        assertThat(completed.stream().skip(1).flatMap(rule -> rule.strings("nonResourceURLs").stream()))
                .containsExactlyElementsOf(rules.getFirst().strings("nonResourceURLs"));
        assertThat(content(two, BINDINGS, "system:discovery", "subjects"))
                .isEqualTo("[{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"User\",\"name\":\"ann\"},"
                        + subjects.substring(1));
        assertThat(two.api().get(BINDINGS, "", "system:basic-user").string("roleRef", "name"))
                .isEqualTo("system:basic-user");
    }

    @Test
    void aProtectedRoleStaysAsItIs() {
        first.patch(
                ROLES,
                "",
                "system:discovery",
                Patch.Type.MERGE,
                "{'metadata':{'annotations':{'rbac.authorization.kubernetes.io/autoupdate':'false'}},'rules':[]}");
        long revision = one.engine().store().revision();
        Member two = start();
        assertThat(content(two, ROLES, "system:discovery", "rules")).isEqualTo("null");
        assertThat(one.engine().store().revision()).isEqualTo(revision);
    }
}
