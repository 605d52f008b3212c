package dev.evenkeel.junit;

import io.fabric8.kubernetes.client.Config;
import io.kubernetes.client.openapi.ApiClient;
import java.io.ByteArrayInputStream;
import java.util.Base64;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("waits in real time")
@EvenkeelTest
class OfficialClientOverHttpTest extends OfficialClientContract {
    @Override
    ApiClient client() {
        Config config = Config.fromKubeconfig(cluster.kubeConfigYaml());
        return new ApiClient()
                .setBasePath(config.getMasterUrl().replaceAll("/$", ""))
                .setSslCaCert(new ByteArrayInputStream(Base64.getDecoder().decode(config.getCaCertData())))
                .addDefaultHeader("Authorization", "Bearer " + config.getAutoOAuthToken());
    }
}
