package dev.evenkeel.engine.internal.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StandardTest {
    /** Contexts with which a container obeys the restricted standard. */
    private static final String OBEDIENT = "'allowPrivilegeEscalation':false,'runAsNonRoot':true,"
            + "'capabilities':{'drop':['ALL']},'seccompProfile':{'type':'RuntimeDefault'}";

    private static String details(Level level, long minor, String pod) {
        JsonObject tree = (JsonObject) Json.parse(pod.replace('\'', '"'));
        return new Standard(level, minor).verdict(CheckedPod.of(tree)).details();
    }

    private static String details(Level level, long minor, String spec, String context) {
        return details(
                level, minor, "{'spec':{'containers':[{'name':'a','securityContext':{" + context + "}}]" + spec + "}}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    0  | 'hostNetwork':true,'hostPID':true,'hostIPC':true | host namespaces (hostNetwork=true, hostPID=true, hostIPC=true)
                    0  | 'hostNetwork':false | ~~
                    0  | 'volumes':[{'name':'v','hostPath':{'path':'/'}},{'name':'w','emptyDir':{}}] | hostPath volumes (volume "v")
                    0  | 'volumes':[{'name':'v','hostPath':{}},{'name':'w','hostPath':{}}] | hostPath volumes (volumes "v", "w")
                    0  | 'initContainers':[{'name':'i','ports':[{'hostPort':80},{'hostPort':8080}]}] | hostPort (container "i" uses hostPorts 80, 8080)
                    0  | 'initContainers':[{'name':'i','ports':[{'hostPort':80}]},{'name':'j','ports':[{'hostPort':80}]}] | hostPort (containers "i", "j" use hostPort 80)
                    34 | 'initContainers':[{'name':'i','livenessProbe':{'httpGet':{'host':'h'}},'lifecycle':{'preStop':{'tcpSocket':{'host':'g'}}}}] | probe or lifecycle host (container "i" uses probe or lifecycle hosts "g", "h")
                    33 | 'initContainers':[{'name':'i','livenessProbe':{'httpGet':{'host':'h'}}}] | ~~
                    36 | 'securityContext':{'windowsOptions':{'hostProcess':true}} | hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)
                    0  | 'securityContext':{'sysctls':[{'name':'net.ipv4.tcp_syncookies'},{'name':'kernel.msgmax'},{'name':'a'}]} | forbidden sysctls (kernel.msgmax, a)
                    26 | 'securityContext':{'sysctls':[{'name':'net.ipv4.ip_local_reserved_ports'}]} | forbidden sysctls (net.ipv4.ip_local_reserved_ports)
                    27 | 'securityContext':{'sysctls':[{'name':'net.ipv4.ip_local_reserved_ports'}]} | ~~
                    28 | 'securityContext':{'sysctls':[{'name':'net.ipv4.tcp_fin_timeout'}]} | forbidden sysctls (net.ipv4.tcp_fin_timeout)
                    29 | 'securityContext':{'sysctls':[{'name':'net.ipv4.tcp_fin_timeout'}]} | ~~
                    31 | 'securityContext':{'sysctls':[{'name':'net.ipv4.tcp_rmem'}]} | forbidden sysctls (net.ipv4.tcp_rmem)
                    32 | 'securityContext':{'sysctls':[{'name':'net.ipv4.tcp_rmem'}]} | ~~
                    36 | 'securityContext':{'seccompProfile':{'type':'Unconfined'}} | seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")
                    18 | 'securityContext':{'seccompProfile':{'type':'Unconfined'}} | ~~
                    36 | 'securityContext':{'appArmorProfile':{'type':'Unconfined'}} | forbidden AppArmor profile (pod must not set AppArmor profile type to "Unconfined")
                    30 | 'securityContext':{'seLinuxOptions':{'type':'container_engine_t'}} | seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "container_engine_t")
                    31 | 'securityContext':{'seLinuxOptions':{'type':'container_engine_t'}} | ~~
                    36 | 'securityContext':{'seLinuxOptions':{'type':'t','user':'u','role':'r'}} | seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "t"; user may not be set; role may not be set)
                    """)
    void theBaselineKeepsPodsApartFromTheirNode(int minor, String spec, String expected) {
        assertThat(details(Level.BASELINE, minor, "," + spec, "")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    'privileged':true | privileged (container "a" must not set securityContext.privileged=true)
                    'privileged':false | ~~
                    'procMount':'Unmasked' | procMount (container "a" must not set securityContext.procMount to "Unmasked")
                    'procMount':'Default' | ~~
                    'capabilities':{'add':['SYS_ADMIN','CHOWN','NET_RAW']} | non-default capabilities (container "a" must not include "NET_RAW", "SYS_ADMIN" in securityContext.capabilities.add)
                    'capabilities':{'add':['CHOWN']} | ~~
                    'seccompProfile':{'type':'Localhost'} | ~~
                    'seLinuxOptions':{'level':'s0'} | ~~
                    """)
    void theBaselineKeepsContainersFromWhatRuntimesDoNotGiveThem(String context, String expected) {
        assertThat(details(Level.BASELINE, 36, "", context)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    'volumes':[{'name':'v','hostPath':{}},{'name':'w','nfs':{}},{'name':'x','csi':{}}] | restricted volume types (volumes "v", "w" use restricted volume types "hostPath", "nfs")
                    'volumes':[{'name':'v','nfs':{}}] | restricted volume types (volume "v" uses restricted volume type "nfs")
                    'securityContext':{'runAsUser':0} | runAsUser=0 (pod must not set runAsUser=0)
                    'securityContext':{'runAsUser':0},'hostUsers':false | ~~
                    'securityContext':{'runAsUser':1} | ~~
                    'securityContext':{'runAsNonRoot':false} | runAsNonRoot != true (pod must not set securityContext.runAsNonRoot=false)
                    'securityContext':{'seccompProfile':{'type':'Unconfined'}} | seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")
                    """)
    void theRestrictedStandardIsAboutThePod(String spec, String expected) {
        assertThat(details(Level.RESTRICTED, Standard.LATEST, "," + spec, OBEDIENT))
                .isEqualTo(expected);
    }

    @Test
    void theRestrictedStandardNamesAllThatIsMissing() {
        assertThat(details(Level.RESTRICTED, Standard.LATEST, "", ""))
                .isEqualTo("allowPrivilegeEscalation != false (container \"a\" must set"
                        + " securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container \"a\""
                        + " must set securityContext.capabilities.drop=[\"ALL\"]), runAsNonRoot != true (pod or"
                        + " container \"a\" must set securityContext.runAsNonRoot=true), seccompProfile (pod or"
                        + " container \"a\" must set securityContext.seccompProfile.type to \"RuntimeDefault\" or"
                        + " \"Localhost\")");
        assertThat(details(Level.RESTRICTED, Standard.LATEST, ",'os':{'name':'windows'},'hostUsers':false", ""))
                .isEmpty();
        assertThat(details(Level.RESTRICTED, 24, ",'os':{'name':'windows'},'hostUsers':false", ""))
                .contains("allowPrivilegeEscalation", "capabilities", "runAsNonRoot", "seccompProfile");
        assertThat(details(Level.RESTRICTED, 18, "", ""))
                .contains("allowPrivilegeEscalation", "runAsNonRoot")
                .doesNotContain("capabilities", "seccompProfile");
        assertThat(details(Level.RESTRICTED, 7, "", "")).startsWith("runAsNonRoot != true");
    }

    @Test
    void aRestrictedRuleReplacesThatOfTheBaseline() {
        String adds = OBEDIENT.replace("['ALL']", "['ALL'],'add':['NET_BIND_SERVICE','SYS_ADMIN']");
        assertThat(details(Level.RESTRICTED, 36, "", adds))
                .isEqualTo("unrestricted capabilities (container \"a\" must not include \"SYS_ADMIN\" in"
                        + " securityContext.capabilities.add)");
        assertThat(details(Level.RESTRICTED, 21, "", adds)).startsWith("non-default capabilities (");
        String unmasked = "'procMount':'Unmasked'," + OBEDIENT;
        assertThat(details(Level.BASELINE, 35, ",'hostUsers':false", unmasked)).isEmpty();
        assertThat(details(Level.BASELINE, 34, ",'hostUsers':false", unmasked)).startsWith("procMount (");
        assertThat(details(Level.RESTRICTED, 35, ",'hostUsers':false", unmasked))
                .startsWith("procMount (");
    }

    @Test
    void annotationsOfOldVersionsAreRead() {
        String seccomp = "{'metadata':{'annotations':{'seccomp.security.alpha.kubernetes.io/pod':'unconfined',"
                + "'container.seccomp.security.alpha.kubernetes.io/a':'localhost/x',"
                + "'container.seccomp.security.alpha.kubernetes.io/other':'unconfined'}},"
                + "'spec':{'containers':[{'name':'a'}]}}";
        assertThat(details(Level.BASELINE, 18, seccomp))
                .isEqualTo(
                        "seccompProfile (forbidden annotation seccomp.security.alpha.kubernetes.io/pod=\"unconfined\")");
        assertThat(details(Level.BASELINE, 19, seccomp)).isEmpty();
        String appArmor = "{'metadata':{'annotations':{'container.apparmor.security.beta.kubernetes.io/a':'unconfined',"
                + "'container.apparmor.security.beta.kubernetes.io/b':'runtime/default'}},'spec':{'containers':"
                + "[{'name':'a','securityContext':{'appArmorProfile':{'type':'Unconfined'}}},{'name':'b'}]}}";
        assertThat(details(Level.BASELINE, 36, appArmor))
                .isEqualTo(
                        "forbidden AppArmor profiles (container \"a\" and annotation must not set AppArmor profile type"
                                + " to \"Unconfined\", \"container.apparmor.security.beta.kubernetes.io/a=\"unconfined\"\")");
    }

    @Test
    void theDetailsNameContainersOfAllKinds() {
        String privileged = "'securityContext':{'privileged':true,'runAsNonRoot':false}";
        String pod = "{'spec':{'securityContext':{'runAsNonRoot':false},'containers':[{'name':'c'," + privileged
                + "}],'initContainers':[{'name':'i'," + privileged + "}],'ephemeralContainers':[{'name':'e',"
                + privileged + "}]}}";
        assertThat(details(Level.BASELINE, 36, pod))
                .isEqualTo("privileged (containers \"i\", \"c\", \"e\" must not set securityContext.privileged=true)");
        assertThat(details(Level.RESTRICTED, 36, pod))
                .contains("runAsNonRoot != true (pod and containers \"i\", \"c\", \"e\" must not set"
                        + " securityContext.runAsNonRoot=false)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "x", "1.30", "v1", "v1.030", "v1.+3", "v1.-3", "v2.0", "v1.99999999999999999999", "Latest"})
    void otherTextsAreNoVersions(String text) {
        assertThat(Standard.minor(text)).isEmpty();
    }

    @Test
    void standardsAreNamedByLevelAndVersion() {
        assertThat(List.of(
                        new Standard(Level.BASELINE, Standard.minor("v1.30").orElseThrow()),
                        new Standard(Level.RESTRICTED, Standard.minor("latest").orElseThrow()),
                        new Standard(
                                Level.PRIVILEGED,
                                Standard.minor("v1.99999999999").orElseThrow())))
                .extracting(Standard::toString)
                .containsExactly("baseline:v1.30", "restricted:latest", "privileged:v1.99999999999");
        assertThat(details(Level.PRIVILEGED, Standard.LATEST, ",'hostPID':true", "'privileged':true"))
                .isEmpty();
    }
}
