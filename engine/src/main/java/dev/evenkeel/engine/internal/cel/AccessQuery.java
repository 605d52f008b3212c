package dev.evenkeel.engine.internal.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.syntax.Names;
import dev.evenkeel.engine.spi.Authorizer;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import dev.evenkeel.engine.spi.Authorizer.Decision;
import java.util.List;
import java.util.Map;

/**
 * The variable {@code authorizer} of policies and conditions: asks what the sender of the request, or a service account,
 * may do.
 *
 * @param user the user whose permissions are in question
 */
public record AccessQuery(Authorizer authorizer, User user) {
    /** The name of the variable. */
    static final String VARIABLE = "authorizer";

    /** The name of the check of the request's own resource. */
    static final String REQUEST = VARIABLE + ".requestResource";

    /** The types of the variables, by name. */
    static final Map<String, CelType> TYPES = Map.of(
            VARIABLE, OpaqueType.create(Signatures.AUTHORIZER), REQUEST, OpaqueType.create(Signatures.RESOURCE_CHECK));

    /** Allows everything to an unnamed user. */
    public static final AccessQuery NONE =
            new AccessQuery(attributes -> Decision.allow(""), new User("", "", List.of()));

    /** A check of a path. */
    record PathCheck(AccessQuery by, String path) {}

    /** A check of a resource that is still to be named. */
    record GroupCheck(AccessQuery by, String group) {}

    /** A check of a resource. */
    public record ResourceCheck(
            AccessQuery by, String group, String resource, String subresource, String namespace, String name) {}

    /** Returns the check of a request's own resource. */
    public ResourceCheck check(String group, String resource, String subresource, String namespace, String name) {
        return new ResourceCheck(this, group, resource, subresource, namespace, name);
    }

    static void addTo(Library library) {
        library.add(
                "path",
                AccessQuery.class,
                String.class,
                (by, path) -> path.isBlank() ? new Problem("path must not be empty") : new PathCheck(by, path));
        library.add("group", AccessQuery.class, String.class, GroupCheck::new);
        library.add(
                "serviceAccount",
                a -> a.length == 3
                                && a[0] instanceof AccessQuery all
                                && a[1] instanceof String namespace
                                && a[2] instanceof String name
                        ? all.as(namespace, name)
                        : Problem.NO_SUCH_OVERLOAD);
        library.add(
                "resource",
                GroupCheck.class,
                String.class,
                (check, resource) -> resource.isBlank()
                        ? new Problem("resource must not be empty")
                        : check.by().check(check.group(), resource, "", "", ""));
        Class<ResourceCheck> resource = ResourceCheck.class;
        library.add(
                "subresource",
                resource,
                String.class,
                (c, value) -> c.by().check(c.group(), c.resource(), value, c.namespace(), c.name()));
        library.add(
                "namespace",
                resource,
                String.class,
                (c, value) -> c.by().check(c.group(), c.resource(), c.subresource(), value, c.name()));
        library.add(
                "name",
                resource,
                String.class,
                (c, value) -> c.by().check(c.group(), c.resource(), c.subresource(), c.namespace(), value));
        // selectors narrow a question, and rules of roles have none
        library.add("fieldSelector", resource, String.class, (check, value) -> check);
        library.add("labelSelector", resource, String.class, (check, value) -> check);
        library.add("check", AccessQuery::decide);
        library.add("allowed", Decision.class, Decision::allowed);
        library.add("reason", Decision.class, Decision::reason);
        library.add("errored", Decision.class, decision -> false);
        library.add("error", Decision.class, decision -> "");
    }

    private Object as(String namespace, String name) {
        if (!Names.subdomain(name).isEmpty()) {
            return new Problem("Invalid service account name");
        }
        return Names.label(namespace).isEmpty()
                ? new AccessQuery(authorizer, account(namespace, name))
                : new Problem("Invalid service account namespace");
    }

    private static User account(String namespace, String name) {
        return new User(
                "system:serviceaccount:" + namespace + ":" + name,
                "",
                List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace, User.AUTHENTICATED));
    }

    private static Object decide(Object[] arguments) {
        if (arguments.length != 2 || !(arguments[1] instanceof String verb)) {
            return Problem.NO_SUCH_OVERLOAD;
        }
        return switch (arguments[0]) {
            case PathCheck(AccessQuery by, String path) ->
                by.authorizer().authorize(Attributes.ofPath(by.user(), verb, path));
            case ResourceCheck check ->
                check.by()
                        .authorizer()
                        .authorize(new Attributes(
                                check.by().user(),
                                verb,
                                check.group(),
                                "*",
                                check.resource(),
                                check.subresource(),
                                check.namespace(),
                                check.name(),
                                "",
                                true));
            default -> Problem.NO_SUCH_OVERLOAD;
        };
    }
}
