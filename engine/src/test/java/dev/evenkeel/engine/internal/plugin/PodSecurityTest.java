package dev.evenkeel.engine.internal.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.InvalidException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Requests;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Requester;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.type.Tokens;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PodSecurityTest {
    private static final String PODS = "v1/pods";
    private static final String NAMESPACES = "v1/namespaces";
    private static final String HOST = "'hostNetwork':true,";
    private static final String VIOLATION = "host namespaces (hostNetwork=true)";

    private final Map<String, String> audit = new HashMap<>();
    private final WriteOptions options = new WriteOptions(
            "test",
            false,
            WriteOptions.DEFAULT.validation(),
            false,
            Optional.empty(),
            new Requester(User.ADMIN, Tokens.NONE, audit::put));

    private Engine engine = Requests.direct().build();
    private ResourceApi partition = ResourceApi.of(engine.partition("default"));
    private Requests api = new Requests(partition).with(options);

    @AfterEach
    void close() {
        engine.close();
    }

    private void namespace(String labels) {
        api.create(
                NAMESPACES,
                "",
                "{'metadata':{'name':'n','labels':{" + labels.replace("@", "pod-security.kubernetes.io/") + "}}}");
    }

    private List<String> label(String labels) {
        String patch = "{'metadata':{'labels':{" + labels.replace("@", "pod-security.kubernetes.io/") + "}}}";
        return warnings(partition.patch(api.target(NAMESPACES, "", "n"), Patch.Type.MERGE, body(patch), options));
    }

    private static Body body(String text) {
        return Body.json(text.replace('\'', '"'));
    }

    private static List<String> warnings(Reply reply) {
        return ((Reply.Shown) reply).warnings();
    }

    private static String pod(String name, String spec) {
        return "{'metadata':{'name':'" + name + "'},'spec':{" + spec + "'containers':[{'name':'c','image':'i'}]}}";
    }

    private List<String> create(String resource, String text) {
        return warnings(partition.create(api.target(resource, "n", ""), body(text), options));
    }

    @Test
    void aPodMustObeyTheEnforcedStandard() {
        namespace("'@enforce':'baseline','@enforce-version':'v1.30'");
        assertThatThrownBy(() -> create(PODS, pod("p", HOST)))
                .isInstanceOf(ForbiddenException.class)
                .hasMessage("pods \"p\" is forbidden: violates PodSecurity \"baseline:v1.30\": " + VIOLATION);
        assertThat(audit).containsExactly(Map.entry("pod-security.kubernetes.io/enforce-policy", "baseline:v1.30"));
        assertThat(create(PODS, pod("q", ""))).isEmpty();
        assertThat(api.names(PODS, "n")).containsExactly("q");
    }

    @Test
    void warningsAndAnnotationsTellOfViolations() {
        namespace("'@audit':'baseline','@warn':'baseline'");
        String would = "would violate PodSecurity \"baseline:latest\": " + VIOLATION;
        assertThat(create(PODS, pod("p", HOST))).containsExactly(would);
        assertThat(audit)
                .containsEntry("pod-security.kubernetes.io/enforce-policy", "privileged:latest")
                .containsEntry("pod-security.kubernetes.io/audit-violations", would);
    }

    @Test
    void templatesAreWarnedAboutButNotRefused() {
        namespace("'@enforce':'baseline'");
        String template = "'template':{'metadata':{'labels':{'a':'b'}},'spec':{" + HOST
                + "'restartPolicy':'%s','containers':[{'name':'c','image':'i'}]}}";
        String named = "{'metadata':{'name':'x'},";
        String selected = named + "'spec':{'selector':{'matchLabels':{'a':'b'}}," + template.formatted("Always") + "}}";
        String job = "'spec':{" + template.formatted("Never") + "}";
        Map<String, String> objects = Map.of(
                "apps/v1/deployments",
                selected,
                "apps/v1/daemonsets",
                selected,
                "apps/v1/replicasets",
                selected,
                "apps/v1/statefulsets",
                selected.replace("'spec':{'selector'", "'spec':{'serviceName':'s','selector'"),
                "batch/v1/jobs",
                named + job + "}",
                "batch/v1/cronjobs",
                named + "'spec':{'schedule':'@hourly','jobTemplate':{" + job + "}}}",
                "v1/podtemplates",
                named + template.formatted("Always") + "}",
                "v1/replicationcontrollers",
                named + "'spec':{'selector':{'a':'b'}," + template.formatted("Always") + "}}");
        objects.forEach((resource, text) -> assertThat(create(resource, text))
                .as(resource)
                .containsExactly("would violate PodSecurity \"baseline:latest\": " + VIOLATION));
        Target deployment = api.target("apps/v1/deployments", "n", "x");
        assertThat(warnings(partition.patch(
                        deployment, Patch.Type.MERGE, body("{'metadata':{'labels':{'x':'y'}}}"), options)))
                .hasSize(1);
        Target status = new Target(deployment.type(), deployment.version(), "n", "x", "status");
        assertThat(warnings(partition.patch(status, Patch.Type.MERGE, body("{'status':{'replicas':1}}"), options)))
                .isEmpty();
        label("'@warn':'privileged'");
        assertThat(warnings(partition.patch(
                        deployment, Patch.Type.MERGE, body("{'metadata':{'labels':{'x':'z'}}}"), options)))
                .isEmpty();
    }

    @Test
    void updatesAreCheckedIfTheyChangeImages() {
        namespace("'a':'b'");
        create(PODS, pod("p", HOST));
        label("'@enforce':'baseline'");
        Target pod = api.target(PODS, "n", "p");
        api.patch(pod, Patch.Type.MERGE, "{'metadata':{'labels':{'x':'y'}},'spec':{'activeDeadlineSeconds':9}}");
        api.patch(
                new Target(pod.type(), pod.version(), "n", "p", "status"),
                Patch.Type.MERGE,
                "{'status':{'phase':'Running'}}");
        assertThatThrownBy(() ->
                        api.patch(pod, Patch.Type.STRATEGIC, "{'spec':{'containers':[{'name':'c','image':'other'}]}}"))
                .isInstanceOf(ForbiddenException.class)
                .hasMessageEndingWith(VIOLATION);
    }

    @Test
    void ephemeralContainersAreChecked() {
        namespace("'@enforce':'baseline'");
        create(PODS, pod("p", ""));
        Target pod = api.target(PODS, "n", "p");
        Target containers = new Target(pod.type(), pod.version(), "n", "p", "ephemeralcontainers");
        String added =
                "{'spec':{'ephemeralContainers':[{'name':'e','image':'i','securityContext':{'capabilities':{'add':['%s']}}}]}}";
        assertThatThrownBy(() -> api.patch(containers, Patch.Type.STRATEGIC, added.formatted("SYS_TIME")))
                .isInstanceOf(ForbiddenException.class)
                .hasMessage(
                        "pods \"p\" is forbidden: violates PodSecurity \"baseline:latest\": non-default capabilities"
                                + " (container \"e\" must not include \"SYS_TIME\" in securityContext.capabilities.add)");
        JsonObject changed = api.patch(containers, Patch.Type.STRATEGIC, added.formatted("CHOWN"));
        assertThat(changed.array("spec", "ephemeralContainers")).hasSize(1);
    }

    @Test
    void aStricterNamespaceIsWarnedAboutItsPods() {
        namespace("'a':'b'");
        List.of("q", "r", "p").forEach(name -> create(PODS, pod(name, HOST)));
        create(PODS, pod("fine", ""));
        create(PODS, pod("z", "'hostPID':true,'volumes':[{'name':'v','hostPath':{'path':'/'}}],"));
        String first = "existing pods in namespace \"n\" violate the new PodSecurity enforce level \"%s\"";
        assertThat(label("'@enforce':'baseline'"))
                .containsExactly(
                        first.formatted("baseline:latest"),
                        "p (and 2 other pods): host namespaces",
                        "z: host namespaces, hostPath volumes");
        assertThat(label("'c':'d'")).isEmpty();
        assertThat(label("'@enforce-version':'v1.30'")).hasSize(3).contains(first.formatted("baseline:v1.30"));
        assertThat(label("'@enforce':'privileged'")).isEmpty();
        assertThat(label("'@warn':'baseline'")).isEmpty();
    }

    @Test
    void podsOfNamespacesWithoutLabelsAreAuditedAsPrivileged() {
        namespace("'a':'b'");
        create(PODS, pod("p", HOST));
        assertThat(audit).containsExactly(Map.entry("pod-security.kubernetes.io/enforce-policy", "privileged:latest"));
    }

    @Test
    void labelsOfANamespaceAreCheckedWhenTheirErrorsChange() {
        String level = "metadata.labels[pod-security.kubernetes.io/warn]: Invalid value: \"x\": must be one of"
                + " privileged, baseline, restricted";
        assertThatThrownBy(() -> namespace("'@warn':'x'"))
                .isInstanceOf(InvalidException.class)
                .hasMessage("Namespace \"n\" is invalid: " + level);
        namespace("'a':'b'");
        assertThatThrownBy(() -> label("'@warn':'x'")).isInstanceOf(InvalidException.class);
        Target namespace = api.target(NAMESPACES, "", "n");
        api.patch(
                new Target(namespace.type(), namespace.version(), "", "n", "status"),
                Patch.Type.MERGE,
                "{'metadata':{'labels':{'pod-security.kubernetes.io/warn':'x'}}}");
        assertThat(label("'other':'label'")).isEmpty();
        assertThatThrownBy(() -> label("'@warn':'y'")).hasMessageContaining("\"y\"");
        assertThatThrownBy(() -> label("'@audit-version':'1'")).hasMessageContaining("\"latest\" or \"v1.x\"");
        create(PODS, pod("p", HOST));
        assertThat(audit)
                .containsEntry("pod-security.kubernetes.io/error", "Failed to parse policy: " + level)
                .containsEntry("pod-security.kubernetes.io/enforce-policy", "privileged:latest");
    }

    @Test
    void nothingIsCheckedWithoutLabelsOrThePlugin() {
        namespace("'a':'b'");
        assertThat(create(PODS, pod("p", HOST))).isEmpty();
        audit.clear();
        engine.close();
        engine = Requests.direct().disableAdmission("PodSecurity").build();
        partition = ResourceApi.of(engine.partition("default"));
        api = new Requests(partition).with(options);
        namespace("'@enforce':'restricted'");
        assertThat(create(PODS, pod("p", HOST))).isEmpty();
        assertThat(audit).isEmpty();
    }
}
