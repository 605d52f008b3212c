package dev.evenkeel.engine.internal.builtin.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookConfigurationStrategyTest {
    private static final String RULE =
            "{'operations':['CREATE'],'apiGroups':[''],'apiVersions':['v1'],'resources':['pods'],'scope':'*'}";
    private static final String RIGHT = """
        {'name':'a.example.com','admissionReviewVersions':['v1'],'sideEffects':'None','failurePolicy':'Fail',
         'matchPolicy':'Exact','clientConfig':{'url':'https://host/path'},'rules':[%s],
         'matchConditions':[{'name':'own/one','expression':'object.spec.a > 1'}]}
        """.formatted(RULE);

    private static List<String> wrong(String... webhooks) {
        JsonObject tree = Kinds.tree("{'webhooks':[" + String.join(",", webhooks) + "]}");
        return Kinds.errors(Kinds.of("validatingwebhookconfigurations.admissionregistration.k8s.io"), tree).stream()
                .map(FieldError::toString)
                .toList();
    }

    @Test
    void validConfigurationsPass() {
        assertThat(wrong(RIGHT)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'a.example.com' | 'a' | webhooks[0].name | three segments",
                "'a.example.com' | '' | webhooks[0].name | Required",
                "['v1'] | [] | webhooks[0].admissionReviewVersions | must specify one of v1, v1beta1",
                "['v1'] | ['v2'] | webhooks[0].admissionReviewVersions | must include at least one of v1, v1beta1",
                "['v1'] | ['v1','v1'] | webhooks[0].admissionReviewVersions[1] | duplicate version",
                "'None' | 'Some' | webhooks[0].sideEffects | Unsupported value",
                "'Fail' | 'Fall' | webhooks[0].failurePolicy | Unsupported value",
                "['CREATE'] | ['*','CREATE'] | webhooks[0].rules[0].operations | must not specify other operations",
                "['CREATE'] | ['PATCH'] | webhooks[0].rules[0].operations[0] | Unsupported value",
                "[''] | ['*','a'] | webhooks[0].rules[0].apiGroups | must not specify other API groups",
                "['pods'] | [] | webhooks[0].rules[0].resources | Required",
                "['pods'] | [''] | webhooks[0].rules[0].resources[0] | Required",
                "['pods'] | ['pods/*','pods/status'] | webhooks[0].rules[0].resources[1] | if 'pods/*' is present",
                "['pods'] | ['*/status','pods/status'] | webhooks[0].rules[0].resources[1] | if '*/status' is present",
                "['pods'] | ['*','pods'] | webhooks[0].rules[0].resources | if '*' is present",
                "['pods'] | ['*/*','pods'] | webhooks[0].rules[0].resources | if '*/*' is present",
                "'scope':'*' | 'scope':'All' | webhooks[0].rules[0].scope | Unsupported value",
                "'https:// | 'http:// | webhooks[0].clientConfig.url | 'https' is the only allowed URL scheme",
                "//host/ | ///x/ | webhooks[0].clientConfig.url | host must be specified",
                "//host/ | //me@host/ | webhooks[0].clientConfig.url | user information is not permitted",
                "/path | /path?a=b | webhooks[0].clientConfig.url | query parameters are not permitted",
                "/path | /path#a | webhooks[0].clientConfig.url | fragments are not permitted",
                "/path | /%zz | webhooks[0].clientConfig.url | url must be a valid URL: parse",
                "'url':'https://host/path' | 'service':{'name':'a'} | webhooks[0].clientConfig.service.name | Required",
                "'url':'https://host/path' | 'service':{'name':'a','namespace':'b','path':'a//b'} "
                        + "| webhooks[0].clientConfig.service.path | must start with a '/'",
                "'url':'https://host/path' | 'service':{'name':'a','namespace':'b','path':'/a//b'} "
                        + "| webhooks[0].clientConfig.service.path | segment[1] may not be empty",
                "'url':'https://host/path' | 'service':{'name':'a','namespace':'b','port':0} "
                        + "| webhooks[0].clientConfig.service.port | port is not valid",
                "'own/one' | '' | webhooks[0].matchConditions[0].name | Required",
                "'own/one' | 'a b' | webhooks[0].matchConditions[0].name | name part must consist",
                "'object.spec.a > 1' | ' ' | webhooks[0].matchConditions[0].expression | Required",
                "'object.spec.a > 1' | 'object.spec.a' | webhooks[0].matchConditions[0].expression "
                        + "| must evaluate to bool but got dyn",
                "'object.spec.a > 1' | 'objects.a' | webhooks[0].matchConditions[0].expression "
                        + "| compilation failed: ERROR: <input>:1:1: undeclared reference to 'objects'",
            })
    void errorsAreReported(String right, String instead, String field, String message) {
        assertThat(RIGHT).contains(right);
        assertThat(wrong(RIGHT.replace(right, instead)))
                .anySatisfy(each -> assertThat(each).contains(field).contains(message));
    }

    @Test
    void namesAreUnique() {
        assertThat(wrong(RIGHT, RIGHT))
                .singleElement()
                .asString()
                .contains("webhooks[1].name")
                .contains("Duplicate");
        String condition = "{'name':'own/one','expression':'true'}";
        assertThat(wrong(RIGHT.replace("'matchConditions':[", "'matchConditions':[" + condition + ",")))
                .singleElement()
                .asString()
                .contains("webhooks[0].matchConditions[1].name")
                .contains("Duplicate");
    }

    @Test
    void conditionsAreLimited() {
        StringBuilder conditions = new StringBuilder();
        for (int i = 0; i < 64; i++) {
            conditions.append("{'name':'c").append(i).append("','expression':'true'},");
        }
        assertThat(wrong(RIGHT.replace("'matchConditions':[", "'matchConditions':[" + conditions)))
                .singleElement()
                .asString()
                .contains("webhooks[0].matchConditions")
                .contains("Too many: 65");
    }

    @Test
    void anotherUseOfANameIsReportedBeforeTheNextWebhook() {
        assertThat(wrong(RIGHT, RIGHT, RIGHT.replace("a.example", "c.example").replace("'Fail'", "'Fall'")))
                .satisfiesExactly(
                        first -> assertThat(first).contains("webhooks[1].name", "Duplicate value: \"a.example.com\""),
                        second -> assertThat(second).contains("webhooks[2].failurePolicy", "Unsupported value"));
    }
}
