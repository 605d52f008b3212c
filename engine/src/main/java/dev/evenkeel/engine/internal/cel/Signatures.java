package dev.evenkeel.engine.internal.cel;

import com.google.common.collect.ImmutableList;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The functions that Kubernetes adds to CEL, as declarations for the type checker: written in the usual notation, with
 * a target type before the dot for member functions.
 */
final class Signatures {
    static final String IP = "net.IP";
    static final String CIDR = "net.CIDR";
    static final String QUANTITY = "kubernetes.Quantity";
    static final String URL = "kubernetes.URL";
    static final String FORMAT = "kubernetes.NamedFormat";
    static final String SEMVER = "kubernetes.Semver";
    static final String AUTHORIZER = "kubernetes.authorization.Authorizer";
    static final String PATH_CHECK = "kubernetes.authorization.PathCheck";
    static final String GROUP_CHECK = "kubernetes.authorization.GroupCheck";
    static final String RESOURCE_CHECK = "kubernetes.authorization.ResourceCheck";
    static final String DECISION = "kubernetes.authorization.Decision";

    private static final String TABLE = """
            string.charAt(int) string
            string.indexOf(string) int
            string.indexOf(string,int) int
            string.lastIndexOf(string) int
            string.lastIndexOf(string,int) int
            string.lowerAscii() string
            string.upperAscii() string
            string.replace(string,string) string
            string.replace(string,string,int) string
            string.split(string) list<string>
            string.split(string,int) list<string>
            string.substring(int) string
            string.substring(int,int) string
            string.trim() string
            string.format(list<dyn>) string
            list<string>.join() string
            list<string>.join(string) string
            strings.quote(string) string
            list<T>.indexOf(T) int
            list<T>.lastIndexOf(T) int
            list<T>.@sortByAssociatedKeys(list<U>) list<T>
            string.find(string) string
            string.findAll(string) list<string>
            string.findAll(string,int) list<string>
            url(string) URL
            isURL(string) bool
            URL.getScheme() string
            URL.getHost() string
            URL.getHostname() string
            URL.getPort() string
            URL.getEscapedPath() string
            URL.getQuery() map<string,list<string>>
            quantity(string) QUANTITY
            isQuantity(string) bool
            QUANTITY.sign() int
            QUANTITY.add(QUANTITY) QUANTITY
            QUANTITY.add(int) QUANTITY
            QUANTITY.sub(QUANTITY) QUANTITY
            QUANTITY.sub(int) QUANTITY
            QUANTITY.isGreaterThan(QUANTITY) bool
            QUANTITY.isLessThan(QUANTITY) bool
            QUANTITY.compareTo(QUANTITY) int
            QUANTITY.asApproximateFloat() double
            QUANTITY.asInteger() int
            QUANTITY.isInteger() bool
            ip(string) IP
            isIP(string) bool
            ip.isCanonical(string) bool
            IP.family() int
            IP.isUnspecified() bool
            IP.isLoopback() bool
            IP.isLinkLocalMulticast() bool
            IP.isLinkLocalUnicast() bool
            IP.isGlobalUnicast() bool
            string(IP) string
            cidr(string) CIDR
            isCIDR(string) bool
            CIDR.containsIP(string) bool
            CIDR.containsIP(IP) bool
            CIDR.containsCIDR(string) bool
            CIDR.containsCIDR(CIDR) bool
            CIDR.ip() IP
            CIDR.prefixLength() int
            CIDR.masked() CIDR
            string(CIDR) string
            format.named(string) optional<FORMAT>
            FORMAT.validate(string) optional<list<string>>
            semver(string) SEMVER
            semver(string,bool) SEMVER
            isSemver(string) bool
            isSemver(string,bool) bool
            SEMVER.major() int
            SEMVER.minor() int
            SEMVER.patch() int
            SEMVER.compareTo(SEMVER) int
            SEMVER.isLessThan(SEMVER) bool
            SEMVER.isGreaterThan(SEMVER) bool
            AUTHORIZER.path(string) PATH_CHECK
            AUTHORIZER.group(string) GROUP_CHECK
            AUTHORIZER.serviceAccount(string,string) AUTHORIZER
            GROUP_CHECK.resource(string) RESOURCE_CHECK
            RESOURCE_CHECK.subresource(string) RESOURCE_CHECK
            RESOURCE_CHECK.namespace(string) RESOURCE_CHECK
            RESOURCE_CHECK.name(string) RESOURCE_CHECK
            RESOURCE_CHECK.fieldSelector(string) RESOURCE_CHECK
            RESOURCE_CHECK.labelSelector(string) RESOURCE_CHECK
            PATH_CHECK.check(string) DECISION
            RESOURCE_CHECK.check(string) DECISION
            DECISION.allowed() bool
            DECISION.reason() string
            DECISION.errored() bool
            DECISION.error() string
            """;

    /** The function that only mutations of policies have. */
    private static final String ESCAPE_KEY = "jsonpatch.escapeKey(string) string";

    private static final List<String> COMPARABLE =
            List.of("int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes");
    private static final List<String> SUMMABLE = List.of("int", "uint", "double", "duration");

    private Signatures() {}

    /** Returns the functions of mutations, in addition to all others. */
    static List<CelFunctionDecl> ofMutations() {
        Map<String, List<CelOverloadDecl>> overloads = new LinkedHashMap<>();
        add(ESCAPE_KEY, overloads);
        return declarations(overloads);
    }

    static List<CelFunctionDecl> all() {
        Map<String, List<CelOverloadDecl>> overloads = new LinkedHashMap<>();
        TABLE.lines().forEach(line -> add(line, overloads));
        NamedFormats.NAMES.forEach(name -> add("format." + name + "() FORMAT", overloads));
        for (String type : COMPARABLE) {
            add("list<" + type + ">.isSorted() bool", overloads);
            add("list<" + type + ">.min() " + type, overloads);
            add("list<" + type + ">.max() " + type, overloads);
        }
        SUMMABLE.forEach(type -> add("list<" + type + ">.sum() " + type, overloads));
        return declarations(overloads);
    }

    private static List<CelFunctionDecl> declarations(Map<String, List<CelOverloadDecl>> overloads) {
        return overloads.entrySet().stream()
                .map(function -> CelFunctionDecl.newFunctionDeclaration(function.getKey(), function.getValue()))
                .toList();
    }

    private static void add(String line, Map<String, List<CelOverloadDecl>> overloads) {
        int open = line.indexOf('(');
        int close = line.indexOf(')');
        int dot = line.lastIndexOf('.', open);
        String before = dot < 0 ? "" : line.substring(0, dot);
        // a namespace starts in lower case and is not a type
        boolean member =
                dot >= 0 && !List.of("ip", "format", "strings", "jsonpatch").contains(before);
        String name = member ? line.substring(dot + 1, open) : line.substring(0, open);
        List<CelType> parameters = new ArrayList<>();
        if (member) {
            parameters.add(type(before));
        }
        if (close > open + 1) {
            for (String parameter : line.substring(open + 1, close).split(",", -1)) {
                parameters.add(type(parameter));
            }
        }
        CelType result = type(line.substring(close + 2));
        overloads
                .computeIfAbsent(name, unused -> new ArrayList<>())
                .add(
                        member
                                ? CelOverloadDecl.newMemberOverload(line, result, ImmutableList.copyOf(parameters))
                                : CelOverloadDecl.newGlobalOverload(line, result, ImmutableList.copyOf(parameters)));
    }

    private static CelType type(String text) {
        if (text.endsWith(">")) {
            String inner = text.substring(text.indexOf('<') + 1, text.length() - 1);
            return switch (text.substring(0, text.indexOf('<'))) {
                case "list" -> ListType.create(type(inner));
                case "map" ->
                    MapType.create(
                            type(inner.substring(0, inner.indexOf(','))),
                            type(inner.substring(inner.indexOf(',') + 1)));
                default -> OptionalType.create(type(inner));
            };
        }
        return switch (text) {
            case "T", "U" -> TypeParamType.create(text);
            case "IP" -> OpaqueType.create(IP);
            case "CIDR" -> OpaqueType.create(CIDR);
            case "QUANTITY" -> OpaqueType.create(QUANTITY);
            case "URL" -> OpaqueType.create(URL);
            case "FORMAT" -> OpaqueType.create(FORMAT);
            case "SEMVER" -> OpaqueType.create(SEMVER);
            case "AUTHORIZER" -> OpaqueType.create(AUTHORIZER);
            case "PATH_CHECK" -> OpaqueType.create(PATH_CHECK);
            case "GROUP_CHECK" -> OpaqueType.create(GROUP_CHECK);
            case "RESOURCE_CHECK" -> OpaqueType.create(RESOURCE_CHECK);
            case "DECISION" -> OpaqueType.create(DECISION);
            case "dyn" -> SimpleType.DYN;
            case "duration" -> SimpleType.DURATION;
            case "timestamp" -> SimpleType.TIMESTAMP;
            default -> SimpleType.findByName(text).orElseThrow(() -> new IllegalStateException("type " + text));
        };
    }
}
