package dev.evenkeel.engine.internal.builtin.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules of claims for devices, of the classes they name and of the slices that offer devices. */
class DeviceRulesTest {
    private static List<String> errors(String id, String spec) {
        return Kinds.errors(
                        Kinds.of(id),
                        Kinds.read(id, Kinds.tree("{'metadata':{'name':'m','namespace':'n'},'spec':" + spec + "}")))
                .stream()
                .map(FieldError::text)
                .toList();
    }

    private static void check(String id, String spec, String error) {
        assertThat(errors(id, spec)).isEqualTo(error == null ? List.of() : List.of(error.replace('^', '"')));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'requests':[{'name':'r','exactly':{'deviceClassName':'c'}}]} | ",
                "{'requests':[{'name':'r'}]} | spec.devices.requests[0]: Required value: exactly one of `exactly` or"
                        + " `firstAvailable` is required",
                "{'requests':[{'name':'r','exactly':{}}]} | spec.devices.requests[0].exactly.deviceClassName: Required"
                        + " value",
                "{'requests':[{'name':'r','exactly':{'deviceClassName':'c','allocationMode':'All','count':2}}]} |"
                        + " spec.devices.requests[0].exactly.count: Invalid value: 2: must not be specified when"
                        + " allocationMode is 'All'",
                "{'requests':[{'name':'r','exactly':{'deviceClassName':'c'}}],'constraints':[{'requests':['x'],"
                        + "'matchAttribute':'a.b/c'}]} | spec.devices.constraints[0].requests[0]: Invalid value: ^x^:"
                        + " must be the name of a request in the claim or the name of a request and a subrequest"
                        + " separated by '/'",
                "{'requests':[{'name':'r','exactly':{'deviceClassName':'c','selectors':[{'cel':{'expression':"
                        + "'device.driver =='}}]}}]} | !",
            })
    void requestsOfClaims(String devices, String error) {
        if ("!".equals(error)) {
            assertThat(errors("resourceclaims.resource.k8s.io", "{'devices':" + devices + "}"))
                    .singleElement()
                    .asString()
                    .startsWith("spec.devices.requests[0].exactly.selectors[0].cel.expression: Invalid value:"
                            + " \"device.driver ==\": compilation failed: ERROR:");
        } else {
            check("resourceclaims.resource.k8s.io", "{'devices':" + devices + "}", error);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'nodeName':'h','devices':[{'name':'d'}] | ",
                "'devices':[{'name':'d'}] | spec: Required value: exactly one of `nodeName`, `nodeSelector`,"
                        + " `allNodes`, `perDeviceNodeSelection` is required",
                "'nodeName':'h','devices':[{'name':'d'},{'name':'d'}] | spec.devices[1]: Duplicate value: ^d^",
                "'nodeName':'h','devices':[{'name':'d','attributes':{'a':{}}}] | spec.devices[0].attributes[a]:"
                        + " Invalid value: ^^: exactly one value must be specified",
                "'nodeName':'h','allNodes':false | spec.allNodes: Invalid value: false: must be either unset or set to"
                        + " true",
                "'nodeName':'','allNodes':true | spec.nodeName: Invalid value: ^^: must be either unset or set to a"
                        + " non-empty string",
                "'nodeName':'h','sharedCounters':[{'name':'c','counters':{'m':{'value':'1'}}}],'devices':[{'name':'d'}]"
                        + " | spec: Invalid value: ^^: only one of `sharedCounters` or `devices` is allowed",
                "'nodeName':'h','devices':[{'name':'d','taints':[{'key':'k','effect':'X'}]}] |"
                        + " spec.devices[0].taints[0].effect: Unsupported value: ^X^: supported values: ^NoExecute^,"
                        + " ^NoSchedule^, ^None^",
                "'nodeName':'h','devices':[{'name':'d','attributes':{'/x':{'int':1}}}] |"
                        + " spec.devices[0].attributes: Invalid value: ^^: the domain must not be empty",
                "'nodeName':'h','devices':[{'name':'d','bindingConditions':['a'],'bindingFailureConditions':['a']}] |"
                        + " spec.devices[0].bindingFailureConditions[0]: Invalid value: ^a^: bindingFailureConditions"
                        + " must not overlap with bindingConditions",
                "'nodeName':'h','devices':[{'name':'d','capacity':{'m':{'value':'4','requestPolicy':{'default':'1'}}}}]"
                        + " | spec.devices[0].capacity[m].requestPolicy: Forbidden: allowMultipleAllocations must be"
                        + " true",
                "'nodeName':'h','devices':[{'name':'d','allowMultipleAllocations':true,'capacity':{'m':{'value':'4',"
                        + "'requestPolicy':{'default':'3','validValues':['1','2']}}}}] |"
                        + " spec.devices[0].capacity[m].requestPolicy.validValues: Invalid value: ^3^: default value is"
                        + " not valid according to the requestPolicy",
                "'nodeName':'h','devices':[{'name':'d','allowMultipleAllocations':true,'capacity':{'m':{'value':'8',"
                        + "'requestPolicy':{'default':'2','validRange':{'min':'1','step':'2'}}}}}] |"
                        + " spec.devices[0].capacity[m].requestPolicy.validRange.step: Invalid value: ^2^: value is"
                        + " not a multiple of a given step (2) from (1)",
            })
    void devicesOfSlices(String fields, String error) {
        check(
                "resourceslices.resource.k8s.io",
                "{'driver':'d.example','pool':{'name':'p','generation':1,'resourceSliceCount':1}," + fields + "}",
                error);
    }

    @Test
    void longListsAreNotReadFurther() {
        String requests = String.join(",", Collections.nCopies(33, "{'name':'Bad_','exactly':{}}"));
        assertThat(errors("resourceclaims.resource.k8s.io", "{'devices':{'requests':[" + requests + "]}}"))
                .containsExactly("spec.devices.requests: Too many: 33: must have at most 32 items");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'shareID':'x' | shareID: Invalid value: ^x^: error validating uid: invalid UUID length: 1",
                "'shareID':'{0123456789abcdef0123456789abcdef012}' | shareID: Invalid value:"
                        + " ^{0123456789abcdef0123456789abcdef012}^: error validating uid: invalid UUID length: 37",
                "'shareID':'0123456789abcdef0123456789abcdef' | shareID: Invalid value:"
                        + " ^0123456789abcdef0123456789abcdef^: uid must be in RFC 4122 normalized form,"
                        + " `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters",
                "'shareID':'(01234567-89ab-cdef-0123-456789abcdef)' | shareID: Invalid value:"
                        + " ^(01234567-89ab-cdef-0123-456789abcdef)^: error validating uid: invalid bracketed UUID"
                        + " format",
                "'shareID':'uri:uuid:01234567-89ab-cdef-0123-456789abcdef' | shareID: Invalid value:"
                        + " ^uri:uuid:01234567-89ab-cdef-0123-456789abcdef^: error validating uid: invalid urn prefix:"
                        + " ^uri:uuid:^",
                "'conditions':[{'type':'T','status':'True','reason':'Not ok','lastTransitionTime':"
                        + "'2026-01-01T00:00:00Z'}] | conditions[0].reason: Invalid value: ^Not ok^: a condition reason"
                        + " must start with alphabetic character, optionally followed by a string of alphanumeric"
                        + " characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',"
                        + "  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for"
                        + " validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')",
                "'data':[1] | data: Invalid value: ^<value omitted>^: must be a valid JSON object",
                "'networkData':{'ips':['10.0.0.1']} | networkData.ips[0]: Invalid value: ^10.0.0.1^: must be a valid"
                        + " address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)",
                "'networkData':{'ips':['2001:DB8::1/64']} | networkData.ips[0]: Invalid value: ^2001:DB8::1/64^: must be"
                        + " in canonical form (^2001:db8::1/64^)",
            })
    void statesOfDevicesOfClaims(String fields, String error) {
        String device = "'driver':'d.example','pool':'p','device':'d'";
        JsonObject tree = Kinds.tree("{'spec':{'devices':{'requests':[{'name':'r'}]}},'status':{'devices':[{" + device
                + "," + fields + "}],'allocation':{'devices':{'results':[{'request':'r'," + device
                + (fields.startsWith("'shareID'") ? "," + fields : "") + "}]}}}}");
        List<FieldError> errors = new ArrayList<>();
        Kinds.of("resourceclaims.resource.k8s.io").validateStatusUpdate(Field.of(tree, errors), new JsonObject());
        assertThat(errors).extracting(FieldError::text).contains("status.devices[0]." + error.replace('^', '"'));
    }

    @Test
    void devicesOfClaimsAreShownWithTheirParts() {
        String device = "{'driver':'d.example','pool':'p','device':'d'}";
        JsonObject tree = Kinds.tree("{'spec':{'devices':{'requests':[{'name':'r'}]}},'status':{'devices':[" + device
                + "," + device + "]}}");
        List<FieldError> errors = new ArrayList<>();
        Kinds.of("resourceclaims.resource.k8s.io").validateStatusUpdate(Field.of(tree, errors), new JsonObject());
        String shown = "{\"Driver\":\"d.example\",\"Pool\":\"p\",\"Device\":\"d\",\"ShareID\":\"\"}";
        assertThat(errors)
                .extracting(FieldError::text)
                .containsExactly(
                        "status.devices[0]: Invalid value: " + shown + ": must be an allocated device in the claim",
                        "status.devices[1]: Invalid value: " + shown + ": must be an allocated device in the claim",
                        "status.devices[1]: Duplicate value: " + shown);
    }

    @Test
    void selectorsOfClassesAreBooleans() {
        assertThat(errors("deviceclasses.resource.k8s.io", "{'selectors':[{'cel':{'expression':'true'}}]}"))
                .isEmpty();
        String loops = "[1,2,3,4,5,6,7,8,9,10].all(a, ".repeat(6) + "true" + ")".repeat(6);
        assertThat(errors("deviceclasses.resource.k8s.io", "{'selectors':[{'cel':{'expression':'" + loops + "'}}]}"))
                .containsExactly("spec.selectors[0].cel.expression: Forbidden: too complex, exceeds cost limit");
        assertThat(errors("deviceclasses.resource.k8s.io", "{'selectors':[{'cel':{'expression':'1'}}]}"))
                .containsExactly("spec.selectors[0].cel.expression: Invalid value: \"1\": must evaluate to bool or"
                        + " the unknown type, not int");
    }

    @Test
    void namesOfPropertiesAreRefusedWhereTheyAreListed() {
        assertThat(errors(
                        "resourceslices.resource.k8s.io",
                        "{'driver':'d.example','pool':{'name':'p','generation':1,'resourceSliceCount':1},'allNodes':true,"
                                + "'sharedCounters':[{'name':'s','counters':{'A_':{'value':'1'}}}]}"))
                .singleElement()
                .asString()
                .startsWith("spec.sharedCounters[0].counters: Invalid value: \"A_\": a lowercase RFC 1123 label");
    }

    @Test
    void valuesOfFeaturesThatAreOffAreRemoved() {
        JsonObject slice = Kinds.tree("{'spec':{'devices':[{'name':'d','attributes':{'a':{'bools':[true]},"
                + "'b':{'int':1}},'nodeAllocatableResourceMappings':{'cpu':{}}}]}}");
        Kinds.of("resourceslices.resource.k8s.io").dropDisabled(slice);
        assertThat(slice)
                .isEqualTo(Kinds.tree("{'spec':{'devices':[{'name':'d','attributes':{'a':{},'b':{'int':1}}}]}}"));
    }

    @Test
    void upperCaseDriversOfSlicesAreWarnedAbout() {
        KindStrategy strategy = Kinds.of("resourceslices.resource.k8s.io");
        assertThat(strategy.warnings(Kinds.tree("{'spec':{'driver':'D.example'}}"), null))
                .containsExactly("spec.driver: driver names should be lowercase; \"D.example\" contains uppercase"
                        + " characters");
        assertThat(strategy.warnings(Kinds.tree("{'spec':{'driver':'d.example'}}"), null))
                .isEmpty();
    }

    @Test
    void statesOfDevicesGoWithTheirAllocation() {
        String device = "'driver':'d.example','pool':'p','device':";
        JsonObject old = Kinds.tree("{'status':{'allocation':{'devices':{'results':[{" + device + "'a'},{" + device
                + "'b'}]}},'devices':[{" + device + "'a'},{" + device + "'b'}]}}");
        JsonObject tree = Kinds.tree("{'status':{'allocation':{'devices':{'results':[{" + device
                + "'a'}]}},'devices':[{" + device + "'a'},{" + device + "'b'},{" + device + "'c'}]}}");
        KindStrategy strategy = Kinds.of("resourceclaims.resource.k8s.io");
        strategy.prepareForStatusUpdate(tree, old, Kinds.CONTEXT);
        assertThat(tree.object("status").objects("devices"))
                .extracting(left -> left.string("device"))
                .containsExactly("a", "c");
        JsonObject none = Kinds.tree("{'status':{'devices':[{" + device + "'a'}]}}");
        strategy.prepareForStatusUpdate(none, old, Kinds.CONTEXT);
        assertThat(none.has("status", "devices")).isFalse();
    }

    @Test
    void statesOfSharesGoWithTheirShare() {
        String first = "{'driver':'d.example','pool':'p','device':'a','shareID':'s1'}";
        String second = first.replace("s1", "s2");
        JsonObject old = Kinds.tree("{'status':{'allocation':{'devices':{'results':[" + first + "," + second + "]}}}}");
        JsonObject tree = Kinds.tree("{'status':{'allocation':{'devices':{'results':[" + second + "]}},'devices':["
                + first + "," + second + "]}}");
        Kinds.of("resourceclaims.resource.k8s.io").prepareForStatusUpdate(tree, old, Kinds.CONTEXT);
        assertThat(tree.object("status").objects("devices"))
                .extracting(left -> left.string("shareID"))
                .containsExactly("s2");
    }
}
