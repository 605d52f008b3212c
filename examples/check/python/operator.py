"""An operator with the official Python client, without a framework.

A Board has a Secret with a key, a ConfigMap with its text, and a status that repeats the text. The argument seeds a defect:
stale-read, lost-step or missed-deletion.
"""
import queue
import sys
import threading
import time

from kubernetes import client, config
from kubernetes.client.rest import ApiException

DEFECT = sys.argv[1] if len(sys.argv) > 1 else ""
BOARDS = {"group": "example.com", "version": "v1", "plural": "boards"}
FINALIZER = "example.com/board"

config.load_kube_config()
core = client.CoreV1Api()
custom = client.CustomObjectsApi()

work = queue.Queue()
maps = {}
synced = threading.Event()


def unless(statuses, call, *args, **kwargs):
    """Returns the result of a call, or None if it is refused with one of these statuses."""
    try:
        return call(*args, **kwargs)
    except ApiException as error:
        if error.status in statuses:
            return None
        raise


def metadata(board, **more):
    own = board["metadata"]
    owner = {"apiVersion": board["apiVersion"], "kind": board["kind"], "name": own["name"], "uid": own["uid"]}
    return {
        "namespace": own["namespace"],
        "labels": {"board": own["name"]},
        "ownerReferences": [] if DEFECT == "missed-deletion" else [owner],
        **more,
    }


def clean_up(namespace, name):
    unless([404], core.delete_namespaced_secret, name, namespace)
    unless([404], core.delete_namespaced_config_map, name, namespace)


def reconcile(namespace, name):
    board = unless([404], custom.get_namespaced_custom_object, namespace=namespace, name=name, **BOARDS)
    if board is None:
        return
    own = board["metadata"]
    finalizers = own.get("finalizers", [])
    target = {"namespace": namespace, "name": name, **BOARDS}
    if "deletionTimestamp" in own:
        clean_up(namespace, name)
        if FINALIZER in finalizers:
            own["finalizers"] = [one for one in finalizers if one != FINALIZER]
            unless([404], custom.replace_namespaced_custom_object, body=board, **target)
        return
    if DEFECT != "missed-deletion" and FINALIZER not in finalizers:
        own["finalizers"] = finalizers + [FINALIZER]
        board = custom.replace_namespaced_custom_object(body=board, **target)
    secret = {"metadata": metadata(board, name=name), "stringData": {"key": "key of " + name}}
    key = unless([409], core.create_namespaced_secret, namespace, secret)
    # the defect: where there is a Secret, the ConfigMap is taken for granted
    if key is not None or DEFECT != "lost-step":
        write_text(board)
    text = board["spec"]["text"]
    if board.get("status", {}).get("text") != text:
        board["status"] = {"text": text}
        custom.replace_namespaced_custom_object_status(body=board, **target)


def write_text(board):
    namespace, name = board["metadata"]["namespace"], board["metadata"]["name"]
    data = {"text": board["spec"]["text"]}
    if DEFECT == "stale-read":
        # the defect: the cache decides whether there is a ConfigMap, and its name is new each time
        mine = [one for one in list(maps.values())
                if one.metadata.namespace == namespace and (one.metadata.labels or {}).get("board") == name]
        if not mine:
            body = {"metadata": metadata(board, generateName=name + "-"), "data": data}
            core.create_namespaced_config_map(namespace, body)
        elif mine[0].data != data:
            core.patch_namespaced_config_map(mine[0].metadata.name, namespace, {"data": data})
        return
    found = unless([404], core.read_namespaced_config_map, name, namespace)
    if found is None:
        core.create_namespaced_config_map(namespace, {"metadata": metadata(board, name=name), "data": data})
    elif found.data != data:
        found.data = data
        core.replace_namespaced_config_map(name, namespace, found)


def follow(lister, seen, **kwargs):
    """Lists and watches until the process ends, and passes each object to seen, with the type of its event."""
    from kubernetes import watch
    while True:
        try:
            listed = lister(resource_version="0", **kwargs)
            items = listed["items"] if isinstance(listed, dict) else listed.items
            version = (listed["metadata"]["resourceVersion"] if isinstance(listed, dict)
                       else listed.metadata.resource_version)
            seen("LISTED", items)
            for event in watch.Watch().stream(lister, resource_version=version, **kwargs):
                seen(event["type"], [event["object"]])
        except Exception as error:  # the connection, or 410: list again
            print("watch:", error, file=sys.stderr)
            time.sleep(0.2)


def board_seen(kind, items):
    synced.wait()
    for board in items:
        own = board["metadata"]
        if kind == "DELETED" and DEFECT == "missed-deletion":
            # the defect: a deletion that happens while the operator is away is never seen
            clean_up(own["namespace"], own["name"])
        work.put((own["namespace"], own["name"], 0))


def map_seen(kind, items):
    if kind == "LISTED":
        maps.clear()
    for one in items:
        if kind == "DELETED":
            maps.pop(one.metadata.uid, None)
        else:
            maps[one.metadata.uid] = one
        board = (one.metadata.labels or {}).get("board")
        if board:
            work.put((one.metadata.namespace, board, 0))
    synced.set()


threading.Thread(target=follow, args=(core.list_config_map_for_all_namespaces, map_seen), daemon=True).start()
threading.Thread(
    target=follow, args=(custom.list_cluster_custom_object, board_seen), kwargs=BOARDS, daemon=True).start()
while True:
    namespace, name, failures = work.get()
    try:
        reconcile(namespace, name)
    except Exception as error:
        print(f"{namespace}/{name}: {error}", file=sys.stderr)
        threading.Timer(min(5, 0.1 * 2 ** failures), work.put, [(namespace, name, failures + 1)]).start()
