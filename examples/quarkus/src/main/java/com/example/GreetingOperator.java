package com.example;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;

@ApplicationScoped
public class GreetingOperator {
    @Inject
    KubernetesClient client;

    private Operator operator;

    void start(@Observes StartupEvent event) {
        operator = new Operator(settings -> settings.withKubernetesClient(client).withCloseClientOnStop(false));
        operator.register(new GreetingReconciler());
        operator.start();
    }

    void stop(@Observes ShutdownEvent event) {
        operator.stop();
    }
}
