package dev.evenkeel.engine.internal.builtin.kinds;

import com.google.re2j.Pattern;
import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Rules of the security contexts of containers and pods. */
final class SecurityContextRules {
    private static final String CONTEXT = "core.v1.SecurityContext";
    private static final String SYSCTL = "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
    private static final Pattern SYSCTL_PATTERN = Pattern.compile(SYSCTL);
    private static final int LONGEST_SYSCTL = 253;
    private static final int LONGEST_PROFILE = 4095;
    private static final int LONGEST_CREDENTIALS = 64 * 1024;
    private static final int LONGEST_DOMAIN = 256;
    private static final int LONGEST_USER = 104;
    private static final String NOT_IN_USERS = "\"/\\:;|=,+*?<>@[]";
    private static final Pattern NET_BIOS = Pattern.compile("[^\\\\/:*?\"<>|.][^\\\\/:*?\"<>|]{0,14}");
    private static final String WINDOWS_LABEL = "[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
    private static final Pattern WINDOWS_DOMAIN = Pattern.compile(WINDOWS_LABEL + "(\\." + WINDOWS_LABEL + ")*");

    private SecurityContextRules() {}

    /**
     * Validates the context of a container. Privileged containers are not allowed, the default of upstream.
     *
     * @param hostUsers whether the pod has the users of its node
     */
    static void container(Field context, boolean hostUsers) {
        if (!context.given()) {
            return;
        }
        boolean privileged = isTrue(context.at("privileged"));
        if (privileged) {
            context.at("privileged").forbidden("disallowed by cluster policy");
        }
        id(context.at("runAsUser"));
        id(context.at("runAsGroup"));
        Field procMount = context.at("procMount");
        if (procMount.given()) {
            procMount.oneOf("Default", "Unmasked");
            if (hostUsers && procMount.text().equals("Unmasked")) {
                procMount.invalid("`hostUsers` must be false to use `Unmasked`");
            }
        }
        seccomp(context.at("seccompProfile"));
        if (Boolean.FALSE.equals(context.at("allowPrivilegeEscalation").value())) {
            if (privileged) {
                context.invalidText(
                        InternalForm.text(CONTEXT, context.value()),
                        "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
            }
            context.at("capabilities", "add").array().stream()
                    .filter("CAP_SYS_ADMIN"::equals)
                    .forEach(capability -> context.invalidText(
                            InternalForm.text(CONTEXT, context.value()),
                            "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN"));
        }
        windows(context.at("windowsOptions"));
        appArmor(context.at("appArmorProfile"));
    }

    /** Validates the context of a pod. */
    static void pod(Field spec) {
        Field context = spec.at("securityContext");
        id(context.at("fsGroup"));
        id(context.at("runAsUser"));
        id(context.at("runAsGroup"));
        context.at("supplementalGroups").items().forEach(SecurityContextRules::id);
        boolean shared = isTrue(spec.at("shareProcessNamespace"));
        if (shared && isTrue(spec.at("hostPID"))) {
            context.with("shareProcessNamespace", true)
                    .invalid("ShareProcessNamespace and HostPID cannot both be enabled");
        }
        sysctls(context.at("sysctls"), isTrue(spec.at("hostNetwork")), isTrue(spec.at("hostIPC")));
        oneOfIfPresent(context.at("fsGroupChangePolicy"), "Always", "OnRootMismatch");
        seccomp(context.at("seccompProfile"));
        windows(context.at("windowsOptions"));
        appArmor(context.at("appArmorProfile"));
        oneOfIfPresent(context.at("supplementalGroupsPolicy"), "Merge", "Strict");
        oneOfIfPresent(context.at("seLinuxChangePolicy"), "Recursive");
    }

    static void oneOfIfPresent(Field field, String... allowed) {
        if (field.given()) {
            field.oneOf(allowed);
        }
    }

    static boolean isTrue(Field field) {
        return Boolean.TRUE.equals(field.value());
    }

    private static void id(Field id) {
        id.between(0, Integer.MAX_VALUE);
    }

    private static void sysctls(Field sysctls, boolean hostNetwork, boolean hostIpc) {
        Set<String> seen = new HashSet<>();
        for (Field sysctl : sysctls.items()) {
            Field name = sysctl.at("name");
            String text = name.text();
            if (name.require()) {
                if (text.length() > LONGEST_SYSCTL || !SYSCTL_PATTERN.matches(text)) {
                    name.invalid("must have at most " + LONGEST_SYSCTL + " characters and match regex " + SYSCTL);
                } else if (seen.contains(text)) {
                    name.duplicate(text);
                }
            }
            String dotted = text.replace('/', '.');
            if (hostNetwork && dotted.startsWith("net.")) {
                name.invalid("may not be specified when 'hostNetwork' is true");
            } else if (hostIpc && isOfIpc(dotted)) {
                name.invalid("may not be specified when 'hostIPC' is true");
            }
            seen.add(text);
        }
    }

    private static boolean isOfIpc(String name) {
        return name.startsWith("kernel.msg")
                || name.startsWith("kernel.shm")
                || name.startsWith("fs.mqueue.")
                || name.equals("kernel.sem");
    }

    private static void seccomp(Field profile) {
        if (!profile.given()) {
            return;
        }
        Field type = profile.at("type");
        if (type.require("type is required when seccompProfile is set")) {
            type.oneOf("Localhost", "RuntimeDefault", "Unconfined");
        }
        Field local = profile.at("localhostProfile");
        if (!type.text().equals("Localhost")) {
            if (local.given()) {
                local.invalidText(
                        StructText.of(profile, "Type", "type", "LocalhostProfile", "localhostProfile"),
                        "can only be set when seccomp type is Localhost");
            }
        } else if (local.given()) {
            FormatRules.relativePath(local, local.text());
        } else {
            local.missing("must be set when seccomp type is Localhost");
        }
    }

    private static void appArmor(Field profile) {
        if (!profile.given()) {
            return;
        }
        Field type = profile.at("type");
        Field local = profile.at("localhostProfile");
        switch (type.text()) {
            case "Localhost" -> {
                String text = local.text();
                if (local.given() && !text.strip().equals(text)) {
                    local.invalid("must not be padded with whitespace");
                } else if (text.isEmpty()) {
                    local.missing("must be set when AppArmor type is Localhost");
                }
                if (Names.bytes(text) > LONGEST_PROFILE) {
                    local.tooLong(LONGEST_PROFILE);
                }
            }
            case "RuntimeDefault", "Unconfined" -> {
                if (local.given()) {
                    local.invalid("can only be set when AppArmor type is Localhost");
                }
            }
            case "" -> type.missing("type is required when appArmorProfile is set");
            default -> type.oneOf("Localhost", "RuntimeDefault", "Unconfined");
        }
    }

    private static void windows(Field options) {
        Field name = options.at("gmsaCredentialSpecName");
        if (name.given()) {
            name.obeys(Names::subdomain);
        }
        Field credentials = options.at("gmsaCredentialSpec");
        if (credentials.given()) {
            if (credentials.text().isEmpty()) {
                credentials.invalid("gmsaCredentialSpec cannot be an empty string");
            } else if (Names.bytes(credentials.text()) > LONGEST_CREDENTIALS) {
                credentials.invalid("gmsaCredentialSpec size must be under 64 KiB");
            }
        }
        if (options.at("runAsUserName").given()) {
            windowsUser(options.at("runAsUserName"));
        }
    }

    private static void windowsUser(Field name) {
        List<String> parts = List.of(name.text().split("\\\\", -1));
        if (name.text().isEmpty()) {
            name.invalid("runAsUserName cannot be an empty string");
        } else if (name.text().chars().anyMatch(c -> c < ' ' || c == 127)) {
            name.invalid("runAsUserName cannot contain control characters");
        } else if (parts.size() > 2) {
            name.invalid("runAsUserName cannot contain more than one backslash");
        } else {
            if (parts.size() == 2) {
                windowsDomain(name, parts.getFirst());
            }
            String user = parts.getLast();
            if (user.isEmpty()) {
                name.invalid("runAsUserName's User cannot be empty");
            } else if (Names.bytes(user) > LONGEST_USER) {
                name.invalid("runAsUserName's User length must not be longer than " + LONGEST_USER + " characters");
            }
            if (user.matches("[. ]+")) {
                name.invalid("runAsUserName's User cannot contain only periods or spaces");
            }
            if (user.chars().anyMatch(c -> NOT_IN_USERS.indexOf(c) >= 0)) {
                name.invalid("runAsUserName's User cannot contain the following characters: " + NOT_IN_USERS);
            }
        }
    }

    private static void windowsDomain(Field name, String domain) {
        if (Names.bytes(domain) >= LONGEST_DOMAIN) {
            name.invalid("runAsUserName's Domain length must be under " + LONGEST_DOMAIN + " characters");
        }
        if (!NET_BIOS.matches(domain) && !WINDOWS_DOMAIN.matches(domain)) {
            name.invalid("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
        }
    }

    /** Requires that all containers are processes of a Windows host or none, which are privileged and so not allowed. */
    static void hostProcess(Field spec) {
        Object whole =
                spec.at("securityContext", "windowsOptions", "hostProcess").value();
        List<Field> containers = PodAnnotationRules.containers(spec);
        int count = 0;
        for (Field container : containers) {
            Field own = container.at("securityContext", "windowsOptions", "hostProcess");
            if (whole != null && own.given() && !whole.equals(own.value())) {
                own.invalid("pod hostProcess value must be identical if both are specified, was " + whole);
            }
            if (Boolean.TRUE.equals(own.given() ? own.value() : whole)) {
                count++;
            }
        }
        if (count == 0) {
            return;
        }
        if (count != containers.size()) {
            spec.invalid(
                    "",
                    "If pod contains any hostProcess containers then all containers must be HostProcess containers");
        }
        if (!isTrue(spec.at("hostNetwork"))) {
            spec.at("hostNetwork")
                    .invalid(false, "hostNetwork must be true if pod contains any hostProcess containers");
        }
        spec.forbidden("hostProcess containers are disallowed by cluster policy");
    }

    /** Requires that the pod has no options of another operating system. */
    static void operatingSystem(Field spec, List<Field> containers) {
        Field os = spec.at("os");
        if (!os.given() || !os.at("name").require("cannot be empty")) {
            return;
        }
        switch (os.at("name").text()) {
            case "linux" -> {
                absent(spec.at("securityContext"), "windows options cannot be set for a linux pod", "windowsOptions");
                containers.forEach(container -> absent(
                        container.at("securityContext"),
                        "windows options cannot be set for a linux pod",
                        "windowsOptions"));
            }
            case "windows" -> windowsPod(spec, containers);
            case String other -> os.notSupported(other, List.of("linux", "windows"));
        }
    }

    private static void windowsPod(Field spec, List<Field> containers) {
        String detail = "cannot be set for a windows pod";
        Field context = spec.at("securityContext");
        absent(context, detail, "appArmorProfile", "seLinuxOptions");
        absent(spec, detail, "hostUsers");
        for (String name : List.of("hostPID", "hostIPC")) {
            if (isTrue(spec.at(name))) {
                spec.at(name).forbidden(detail);
            }
        }
        absent(context, detail, "seccompProfile", "fsGroup", "fsGroupChangePolicy");
        if (!context.at("sysctls").array().isEmpty()) {
            context.at("sysctls").forbidden(detail);
        }
        absent(spec, detail, "shareProcessNamespace");
        absent(
                context,
                detail,
                "runAsUser",
                "runAsGroup",
                "supplementalGroups",
                "supplementalGroupsPolicy",
                "seLinuxChangePolicy");
        containers.forEach(container -> absent(
                container.at("securityContext"),
                detail,
                "appArmorProfile",
                "seLinuxOptions",
                "seccompProfile",
                "capabilities",
                "readOnlyRootFilesystem",
                "privileged",
                "allowPrivilegeEscalation",
                "procMount",
                "runAsUser",
                "runAsGroup"));
    }

    private static void absent(Field parent, String detail, String... names) {
        for (String name : names) {
            if (parent.at(name).given()) {
                parent.at(name).forbidden(detail);
            }
        }
    }
}
