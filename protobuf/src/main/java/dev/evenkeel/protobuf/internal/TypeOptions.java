package dev.evenkeel.protobuf.internal;

import com.google.protobuf.DescriptorProtos.FileOptions;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.ExtensionRegistry;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.protobuf.type.v1.Resource;
import dev.evenkeel.protobuf.type.v1.Scope;
import dev.evenkeel.protobuf.type.v1.TypeProto;
import dev.evenkeel.protobuf.type.v1.UnknownFields;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The options of a version of a type, with their defaults.
 *
 * @param message the message of the data
 * @param group the functional area, as in protobuf, such as {@code data_sets}
 * @param apiGroup the API group, such as {@code data-sets.example.com}
 * @param version such as {@code v1}
 */
public record TypeOptions(
        Descriptor message, Resource options, String group, String apiGroup, String version, String kind) {
    private static final Pattern GROUP = Pattern.compile("[a-z][a-z0-9_]*");
    private static final Pattern VERSION = Pattern.compile("v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?");
    private static final Pattern KIND = Pattern.compile("[A-Z][A-Za-z0-9]*");
    private static final Pattern NAME = Pattern.compile("[a-z]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final ExtensionRegistry EXTENSIONS = extensions();

    private static ExtensionRegistry extensions() {
        ExtensionRegistry registry = ExtensionRegistry.newInstance();
        TypeProto.registerAllExtensions(registry);
        return registry;
    }

    /** Returns true if a message has the option of types. */
    static boolean isType(Descriptor message) {
        return options(message).hasExtension(TypeProto.resource);
    }

    /**
     * Returns the options of a message.
     *
     * @throws IllegalArgumentException when an option is invalid, or absent and without a default
     */
    public static TypeOptions of(Descriptor message) {
        Resource options = options(message).getExtension(TypeProto.resource);
        List<String> parts =
                new ArrayList<>(Arrays.asList(message.getFile().getPackage().split("\\.")));
        parts.removeIf(String::isEmpty);
        boolean versioned = !parts.isEmpty() && VERSION.matcher(parts.getLast()).matches();
        String packageVersion = versioned ? parts.removeLast() : "";
        String packageGroup = parts.isEmpty() ? "" : parts.getLast();
        if (options.getGroup().isEmpty() || options.getGroup().equals(packageGroup)) {
            parts = parts.subList(0, Math.max(0, parts.size() - 1));
        }
        String domain = fileOptions(message).getExtension(TypeProto.domain);
        String in = domain.isEmpty() ? String.join(".", parts.reversed()) : domain;
        String group = value(message, "group", options.getGroup(), packageGroup, GROUP);
        String version = value(message, "group_version", options.getGroupVersion(), packageVersion, VERSION);
        String kind = value(message, "kind", options.getKind(), message.getName(), KIND);
        String label = group.replace('_', '-');
        TypeOptions result =
                new TypeOptions(message, options, group, in.isEmpty() ? label : label + "." + in, version, kind);
        check(message, "plural", result.plural(), NAME);
        check(message, "singular", result.singular(), NAME);
        options.getShortNamesList().forEach(name -> check(message, "short_names", name, NAME));
        return result;
    }

    private static String value(Descriptor message, String option, String given, String otherwise, Pattern form) {
        String value = given.isEmpty() ? otherwise : given;
        if (value.isEmpty()) {
            throw invalid(
                    message,
                    option,
                    "not set, and the package \"" + message.getFile().getPackage()
                            + "\" does not end with a group and a version, as in example.catalog.v1");
        }
        return check(message, option, value, form);
    }

    private static String check(Descriptor message, String option, String value, Pattern form) {
        if (!form.matcher(value).matches()) {
            throw invalid(message, option, "\"" + value + "\" must match " + form.pattern());
        }
        return value;
    }

    private static IllegalArgumentException invalid(Descriptor message, String option, String why) {
        return new IllegalArgumentException("message " + message.getFullName() + ", option " + option + " of ("
                + TypeProto.resource.getDescriptor().getFullName() + "): " + why);
    }

    /** Reads the options of a message again: those of a descriptor that was read from bytes may be unknown fields. */
    private static MessageOptions options(Descriptor message) {
        try {
            return MessageOptions.parseFrom(message.getOptions().toByteString(), EXTENSIONS);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException(
                    "the options of message " + message.getFullName() + ": " + e.getMessage(), e);
        }
    }

    private static FileOptions fileOptions(Descriptor message) {
        try {
            return FileOptions.parseFrom(message.getFile().getOptions().toByteString(), EXTENSIONS);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException(
                    "the options of file " + message.getFile().getName() + ": " + e.getMessage(), e);
        }
    }

    /** Returns {@code group/version} of the API. */
    public String apiVersion() {
        return apiGroup + "/" + version;
    }

    /** Returns the kind with objects in a class. */
    public <T extends HasMetadata> Kind<T> kind(Class<T> type) {
        return new Kind<>(type, apiGroup, version, kind, plural(), namespaced());
    }

    String singular() {
        return options.getSingular().isEmpty() ? kind.toLowerCase(Locale.ROOT) : options.getSingular();
    }

    String plural() {
        if (!options.getPlural().isEmpty()) {
            return options.getPlural();
        }
        String name = kind.toLowerCase(Locale.ROOT);
        if (name.matches(".*[^aeiou]y")) {
            return name.substring(0, name.length() - 1) + "ies";
        }
        return name + (name.matches(".*(s|x|z|ch|sh)") ? "es" : "s");
    }

    boolean namespaced() {
        return options.getScope() == Scope.SCOPE_NAMESPACE || options.getScope() == Scope.SCOPE_UNSPECIFIED;
    }

    /** Returns true if objects are one for all partitions. */
    public boolean global() {
        return options.getScope() == Scope.SCOPE_CLUSTER;
    }

    boolean refusesUnknownFields() {
        return options.getUnknown() == UnknownFields.UNKNOWN_FIELDS_REFUSE;
    }
}
