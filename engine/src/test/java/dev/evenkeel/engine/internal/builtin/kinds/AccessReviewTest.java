package dev.evenkeel.engine.internal.builtin.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.type.Requester;
import java.util.List;
import org.junit.jupiter.api.Test;

class AccessReviewTest {
    private static List<String> errors(String json) {
        return new AccessReview(true, false)
                .validate(Kinds.tree(json)).stream().map(FieldError::text).toList();
    }

    @Test
    void fieldSelectorsNeedAKeyOfAnyForm() {
        assertThat(errors("{'spec':{'user':'a','resourceAttributes':{'fieldSelector':{'requirements':["
                        + "{'key':'','operator':'In'},{'key':'a b','operator':'Unknown'}]}}}}"))
                .containsExactly(
                        "spec.resourceAttributes.fieldSelector.requirements[0].key: Required value: must be specified",
                        "spec.resourceAttributes.fieldSelector.requirements[0].values: Required value: must be specified"
                                + " when `operator` is 'In' or 'NotIn'");
    }

    private static String problem(String selectors) {
        return new AccessReview(true, false)
                .answer(
                        Kinds.tree("{'spec':{'user':'a','resourceAttributes':{" + selectors + "}}}"),
                        Requester.IN_PROCESS,
                        Permissions.ALL,
                        "")
                .string("evaluationError");
    }

    @Test
    void requirementsThatCannotBeReadAreIgnored() {
        String known = "{'key':'a','operator':'In','values':['b']}";
        String unknown = "{'key':'a','operator':'Unknown'}";
        assertThat(problem("'fieldSelector':{'requirements':[" + known + "]}")).isEmpty();
        assertThat(problem("'fieldSelector':{'requirements':[" + unknown + "]}"))
                .isEqualTo("spec.resourceAttributes.fieldSelector ignored due to parse error");
        assertThat(problem("'fieldSelector':{'requirements':[{'key':'a','operator':'Exists'}," + known + "]},"
                        + "'labelSelector':{'requirements':[" + known + "," + unknown + "]}"))
                .isEqualTo("spec.resourceAttributes.fieldSelector partially ignored due to parse error;"
                        + " spec.resourceAttributes.labelSelector partially ignored due to parse error");
        assertThat(problem("'fieldSelector':{'rawSelector':'a'},'labelSelector':{'rawSelector':'a in (b'}"))
                .isEqualTo("spec.resourceAttributes.fieldSelector ignored due to parse error;"
                        + " spec.resourceAttributes.labelSelector ignored due to parse error");
    }

    @Test
    void anEmptyListOfGroupsIsNoSubject() {
        assertThat(errors("{'spec':{'groups':[],'nonResourceAttributes':{'path':'/'}}}"))
                .containsExactly("spec.user: Invalid value: \"\": at least one of user or group must be specified");
    }

    @Test
    void metadataOfEmptyMapsIsEmpty() {
        assertThat(errors("{'metadata':{'labels':{},'name':''},'spec':{'user':'a','resourceAttributes':{}}}"))
                .isEmpty();
    }

    @Test
    void labelSelectorsNeedKeysAndValuesOfLabels() {
        assertThat(errors("{'spec':{'user':'a','resourceAttributes':{'labelSelector':{'requirements':["
                        + "{'key':'a b','operator':'In','values':['c d']}]}}}}"))
                .hasSize(2)
                .anyMatch(error -> error.startsWith(
                        "spec.resourceAttributes.labelSelector.requirements[0].key: Invalid value: \"a b\""))
                .anyMatch(error -> error.startsWith(
                        "spec.resourceAttributes.labelSelector.requirements[0].values[0]: Invalid value: \"c d\""));
    }

    @Test
    void metadataIsShownInTheOrderOfItsType() {
        assertThat(errors("{'metadata':{'labels':{'a':'b'},'name':'x'},'spec':{'user':'a','resourceAttributes':{}}}"))
                .containsExactly("metadata: Invalid value: {\"name\":\"x\",\"labels\":{\"a\":\"b\"}}: must be empty");
    }
}
