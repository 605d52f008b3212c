package com.example;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import java.io.File;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class Application {
    public static void main(String[] arguments) {
        SpringApplication.run(Application.class, arguments);
    }

    @Bean
    KubernetesClient kubernetesClient(@Value("${kubeconfig:}") String kubeconfig) {
        Config config = kubeconfig.isEmpty() ? Config.autoConfigure(null) : Config.fromKubeconfig(new File(kubeconfig));
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    @Bean
    GreetingReconciler greetingReconciler() {
        return new GreetingReconciler();
    }

    @Bean(initMethod = "start", destroyMethod = "stop")
    Operator operator(KubernetesClient client, List<Reconciler<?>> reconcilers) {
        Operator operator =
                new Operator(settings -> settings.withKubernetesClient(client).withCloseClientOnStop(false));
        reconcilers.forEach(operator::register);
        return operator;
    }
}
