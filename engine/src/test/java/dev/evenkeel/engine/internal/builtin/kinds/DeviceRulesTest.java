package dev.evenkeel.engine.internal.builtin.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.FieldError;
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
            })
    void devicesOfSlices(String fields, String error) {
        check(
                "resourceslices.resource.k8s.io",
                "{'driver':'d.example','pool':{'name':'p','generation':1,'resourceSliceCount':1}," + fields + "}",
                error);
    }

    @Test
    void selectorsOfClassesAreBooleans() {
        assertThat(errors("deviceclasses.resource.k8s.io", "{'selectors':[{'cel':{'expression':'true'}}]}"))
                .isEmpty();
        assertThat(errors("deviceclasses.resource.k8s.io", "{'selectors':[{'cel':{'expression':'1'}}]}"))
                .containsExactly("spec.selectors[0].cel.expression: Invalid value: \"1\": must evaluate to bool or"
                        + " the unknown type, not int");
    }
}
