package dev.evenkeel.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("waits in real time")
@EvenkeelTest
class OfficialClientInProcessTest extends OfficialClientContract {
    @Override
    ApiClient client() {
        OkHttpClient http = new OkHttpClient.Builder()
                .addInterceptor(cluster.transport(Interceptor.class))
                .build();
        return new ApiClient(http).setBasePath("https://any.invalid");
    }

    @Test
    void requestsAreRecordedAndMeetFaults() throws ApiException {
        CoreV1Api api = new CoreV1Api(client());
        cluster.on("list", "secrets").times(1).fail(503);
        int code = 0;
        try {
            assertThat(api.listNamespacedSecret("default").execute()).isNull();
        } catch (ApiException e) {
            code = e.getCode();
        }
        assertThat(code).isEqualTo(503);
        assertThat(api.listNamespacedSecret("default").execute().getItems()).isEmpty();
        assertThat(cluster.requests())
                .contains("GET /api/v1/namespaces/default/secrets 503", "GET /api/v1/namespaces/default/secrets 200");
    }
}
