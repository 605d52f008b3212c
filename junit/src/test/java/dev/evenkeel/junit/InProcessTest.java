package dev.evenkeel.junit;

import io.fabric8.kubernetes.client.KubernetesClient;

@EvenkeelTest(manifests = "manifests/crds.yaml")
class InProcessTest extends Fabric8Contract {
    KubernetesClient client;

    @Override
    KubernetesClient client() {
        return client;
    }
}
