"""Scenarios with the official Python client. Prints a line for each: its name, and "ok" or what went wrong."""
import base64
import copy
import datetime
import json
import logging
import sys
import threading
import traceback

from kubernetes import client, config, dynamic, watch
from kubernetes.client.rest import ApiException
from kubernetes.leaderelection import electionconfig, leaderelection
from kubernetes.leaderelection.resourcelock.configmaplock import ConfigMapLock

logging.disable(logging.CRITICAL)
config.load_kube_config(sys.argv[1])
core = client.CoreV1Api()
apps = client.AppsV1Api()
custom = client.CustomObjectsApi()
SCENARIOS = []


def scenario(function):
    SCENARIOS.append(function)
    return function


def equal(actual, expected):
    if actual != expected:
        raise AssertionError(f"{actual!r} instead of {expected!r}")


def refused(status, call, *arguments, **named):
    try:
        call(*arguments, **named)
    except ApiException as e:
        equal(e.status, status)
        return e
    raise AssertionError(f"not refused with {status}")


def config_map(name, **data):
    return client.V1ConfigMap(metadata=client.V1ObjectMeta(name=name, labels={"app": name[0]}), data=data)


def deployment(name):
    labels = {"app": name}
    return client.V1Deployment(
        metadata=client.V1ObjectMeta(name=name),
        spec=client.V1DeploymentSpec(
            replicas=2,
            selector=client.V1LabelSelector(match_labels=labels),
            template=client.V1PodTemplateSpec(
                metadata=client.V1ObjectMeta(labels=labels),
                spec=client.V1PodSpec(containers=[client.V1Container(name="c", image="i:1")]))))


@scenario
def creates_reads_replaces_and_deletes(ns):
    core.create_namespaced_config_map(ns, config_map("a", k="1"))
    read = core.read_namespaced_config_map("a", ns)
    read.data["k"] = "2"
    equal(core.replace_namespaced_config_map("a", ns, read).data, {"k": "2"})
    error = refused(409, core.replace_namespaced_config_map, "a", ns, read)
    equal("the object has been modified" in error.body, True)
    equal(core.delete_namespaced_config_map("a", ns).status, "Success")
    refused(404, core.read_namespaced_config_map, "a", ns)


@scenario
def lists_with_pages_and_selectors(ns):
    for i in range(5):
        core.create_namespaced_config_map(ns, config_map(f"m{i}"))
    names, token = [], None
    while True:
        page = core.list_namespaced_config_map(ns, limit=2, _continue=token)
        names += [each.metadata.name for each in page.items]
        token = page.metadata._continue
        if not token:
            break
    equal([name for name in names if name != "kube-root-ca.crt"], ["m0", "m1", "m2", "m3", "m4"])
    equal(len(core.list_namespaced_config_map(ns, label_selector="app=m").items), 5)
    equal(len(core.list_namespaced_config_map(ns, field_selector="metadata.name=m3").items), 1)


@scenario
def watches_and_resumes(ns):
    start = core.list_namespaced_config_map(ns).metadata.resource_version
    core.create_namespaced_config_map(ns, config_map("a", k="1"))
    core.patch_namespaced_config_map("a", ns, {"data": {"k": "2"}})
    core.delete_namespaced_config_map("a", ns)
    seen = []
    for event in watch.Watch().stream(
            core.list_namespaced_config_map, ns, resource_version=start, timeout_seconds=5):
        seen.append(event)
        if event["type"] == "DELETED":
            break
    equal([event["type"] for event in seen], ["ADDED", "MODIFIED", "DELETED"])
    resumed = watch.Watch()
    for event in resumed.stream(
            core.list_namespaced_config_map, ns,
            resource_version=seen[0]["object"].metadata.resource_version, timeout_seconds=5):
        equal(event["type"], "MODIFIED")
        resumed.stop()


@scenario
def patches_of_each_type(ns):
    apps.create_namespaced_deployment(ns, deployment("d"))
    strategic = {"spec": {"template": {"spec": {"containers": [{"name": "side", "image": "s"}]}}}}
    patched = apps.patch_namespaced_deployment("d", ns, strategic)
    equal([each.name for each in patched.spec.template.spec.containers], ["side", "c"])
    patched = apps.patch_namespaced_deployment(
        "d", ns, [{"op": "replace", "path": "/spec/replicas", "value": 7}])
    equal(patched.spec.replicas, 7)
    refused(422, apps.patch_namespaced_deployment, "d", ns,
            [{"op": "test", "path": "/spec/replicas", "value": 1}])


def apply(ns, manager, body, force=None):
    resources = dynamic.DynamicClient(client.ApiClient())
    api = resources.resources.get(api_version="v1", kind="ConfigMap")
    query = {"field_manager": manager, "namespace": ns}
    if force:
        query["force_conflicts"] = True
    # the client takes text here: it makes no YAML
    return api.server_side_apply(body=json.dumps(body), name=body["metadata"]["name"], **query)


@scenario
def applies_and_conflicts(ns):
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"k": "1"}}
    apply(ns, "one", body)
    other = copy.deepcopy(body)
    other["data"]["k"] = "2"
    try:
        apply(ns, "two", other)
        raise AssertionError("no conflict")
    except dynamic.exceptions.ConflictError as e:
        equal(".data.k" in e.summary(), True)
    equal(apply(ns, "two", other, force=True).data.k, "2")


@scenario
def status_and_scale(ns):
    apps.create_namespaced_deployment(ns, deployment("d"))
    scale = apps.read_namespaced_deployment_scale("d", ns)
    scale.spec.replicas = 5
    equal(apps.replace_namespaced_deployment_scale("d", ns, scale).spec.replicas, 5)
    equal(apps.patch_namespaced_deployment_scale("d", ns, {"spec": {"replicas": 6}}).spec.replicas, 6)
    changed = apps.patch_namespaced_deployment_status(
        "d", ns, {"spec": {"replicas": 1}, "status": {"replicas": 6}})
    equal((changed.spec.replicas, changed.status.replicas), (6, 6))


@scenario
def deletes_with_options(ns):
    owner = core.create_namespaced_config_map(ns, config_map("owner"))
    refused(409, core.delete_namespaced_config_map, "owner", ns,
            body=client.V1DeleteOptions(preconditions=client.V1Preconditions(uid="other")))
    child = config_map("child")
    child.metadata.owner_references = [client.V1OwnerReference(
        api_version="v1", kind="ConfigMap", name="owner", uid=owner.metadata.uid)]
    core.create_namespaced_config_map(ns, child)
    core.delete_namespaced_config_map("owner", ns, propagation_policy="Orphan")
    await_(lambda: not core.read_namespaced_config_map("child", ns).metadata.owner_references)
    core.delete_namespaced_config_map("child", ns, dry_run="All")
    core.read_namespaced_config_map("child", ns)
    core.delete_collection_namespaced_config_map(ns, label_selector="app=c")
    refused(404, core.read_namespaced_config_map, "child", ns)


def await_(condition):
    for _ in range(400):
        if condition():
            return
        threading.Event().wait(0.025)
    raise AssertionError("waited in vain")


@scenario
def defines_and_uses_custom_resources(ns):
    group = f"{ns}.example.com"
    definitions = client.ApiextensionsV1Api()
    definitions.create_custom_resource_definition({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": f"widgets.{group}"},
        "spec": {"group": group, "scope": "Namespaced",
                 "names": {"plural": "widgets", "singular": "widget", "kind": "Widget"},
                 "versions": [{"name": "v1", "served": True, "storage": True, "subresources": {"status": {}},
                               "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                                   "spec": {"type": "object",
                                            "properties": {"size": {"type": "integer", "minimum": 1}}},
                                   "status": {"type": "object", "properties": {"size": {"type": "integer"}}}}}}}]}})
    await_(lambda: any(each.type == "Established" and each.status == "True" for each in
                       definitions.read_custom_resource_definition(f"widgets.{group}").status.conditions or []))
    where = (group, "v1", ns, "widgets")
    widget = {"apiVersion": f"{group}/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": {"size": 1}}
    custom.create_namespaced_custom_object(*where, widget)
    equal(custom.patch_namespaced_custom_object(*where, "w", {"spec": {"size": 2}})["spec"]["size"], 2)
    changed = custom.patch_namespaced_custom_object_status(*where, "w", {"status": {"size": 2}})
    equal(changed["status"]["size"], 2)
    error = refused(422, custom.patch_namespaced_custom_object, *where, "w", {"spec": {"size": 0}})
    equal("spec.size in body should be greater than or equal to 1" in error.body, True)
    equal(len(custom.list_namespaced_custom_object(*where)["items"]), 1)
    custom.delete_namespaced_custom_object(*where, "w")
    equal(custom.list_cluster_custom_object(group, "v1", "widgets")["items"], [])


@scenario
def discovers_kinds(ns):
    resources = dynamic.DynamicClient(client.ApiClient()).resources
    equal(resources.get(api_version="apps/v1", kind="Deployment").namespaced, True)
    equal(resources.get(api_version="v1", kind="Namespace").namespaced, False)
    equal(client.VersionApi().get_code().major, "1")
    equal("apps" in [each.name for each in client.ApisApi().get_api_versions().groups], True)


@scenario
def events(ns):
    now = datetime.datetime.now(datetime.timezone.utc)
    reference = client.V1ObjectReference(kind="ConfigMap", name="a", namespace=ns)
    core.create_namespaced_event(ns, client.CoreV1Event(
        metadata=client.V1ObjectMeta(name="e"), involved_object=reference, reason="Tested", message="m",
        type="Normal", first_timestamp=now, last_timestamp=now, count=1))
    found = core.list_namespaced_event(ns, field_selector="involvedObject.name=a,reason=Tested").items
    equal([each.metadata.name for each in found], ["e"])


@scenario
def leads(ns):
    lock = ConfigMapLock("leader", ns, "me")
    started = threading.Event()
    election = leaderelection.LeaderElection(electionconfig.Config(
        lock, lease_duration=3, renew_deadline=2, retry_period=1,
        onstarted_leading=started.set, onstopped_leading=lambda: None))
    threading.Thread(target=election.run, daemon=True).start()
    equal(started.wait(10), True)
    holder = core.read_namespaced_config_map("leader", ns).metadata.annotations
    equal('"holderIdentity": "me"' in holder["control-plane.alpha.kubernetes.io/leader"], True)


@scenario
def reviews_access(ns):
    review = client.V1SelfSubjectAccessReview(spec=client.V1SelfSubjectAccessReviewSpec(
        resource_attributes=client.V1ResourceAttributes(namespace=ns, verb="get", resource="pods")))
    equal(client.AuthorizationV1Api().create_self_subject_access_review(review).status.allowed, True)


@scenario
def requests_and_reviews_tokens(ns):
    core.create_namespaced_service_account(ns, {"metadata": {"name": "sa"}})
    request = client.AuthenticationV1TokenRequest(spec=client.V1TokenRequestSpec(audiences=[], expiration_seconds=600))
    token = core.create_namespaced_service_account_token("sa", ns, request).status.token
    review = client.V1TokenReview(spec=client.V1TokenReviewSpec(token=token))
    status = client.AuthenticationV1Api().create_token_review(review).status
    equal((status.authenticated, status.user.username), (True, f"system:serviceaccount:{ns}:sa"))


@scenario
def errors_have_a_status(ns):
    error = refused(422, core.create_namespaced_config_map, ns, config_map("Not Valid"))
    equal('"reason":"Invalid"' in error.body, True)
    equal('"field":"metadata.name"' in error.body, True)
    core.create_namespaced_config_map(ns, config_map("a"))
    equal('"AlreadyExists"' in refused(409, core.create_namespaced_config_map, ns, config_map("a")).body, True)


@scenario
def secrets_and_binary_data(ns):
    core.create_namespaced_secret(ns, client.V1Secret(
        metadata=client.V1ObjectMeta(generate_name="s-"), string_data={"a": "b"}))
    secret = core.list_namespaced_secret(ns).items[0]
    equal(base64.b64decode(secret.data["a"]), b"b")
    equal(secret.metadata.name[:2], "s-")


for index, run in enumerate(SCENARIOS):
    namespace = f"python-{index}"
    try:
        core.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(name=namespace)))
        run(namespace)
        print(f"{run.__name__}: ok")
    except Exception:
        print(f"{run.__name__}: " + traceback.format_exc().replace("\n", " | "))
    sys.stdout.flush()
