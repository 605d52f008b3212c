package dev.evenkeel.cli;

import dev.evenkeel.reconcile.internal.describe.AccessRules;
import dev.evenkeel.reconcile.internal.describe.RbacObjects;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code evenkeel rbac}. */
@Command(
        name = "rbac",
        description = {
            "Prints the RBAC rules that controllers need, as YAML to apply, or a diagram.",
            "",
            "The rules are derived from the controllers' declarations. They are complete for composable reconcilers;"
                    + " for other controllers they cover reads only, and the output contains a reminder to add rules for writes.",
            ""
        })
final class RbacCommand extends BaseCommand {
    /** The namespace of events about objects that have none. */
    private static final String EVENTS_OF_CLUSTER_SCOPED = "default";

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "CLASS[#METHOD]",
            defaultValue = "",
            description = "a class with static methods without parameters that return " + UserClass.MAKES
                    + "; all of them, or the named one (default: the examples website and database)")
    private String type = "";

    @Mixin
    private UserClass user = new UserClass();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            defaultValue = "",
            description = "name of the roles (default: the name of the first controller)")
    private String name = "";

    @Option(
            names = "--namespace",
            paramLabel = "NAMESPACE",
            description = "grant access to namespaced kinds in this namespace only, for a namespaced manager:"
                    + " Manager.builder(client).namespaces(\"NAMESPACE\"); may be repeated")
    private List<String> namespaces = List.of();

    @Option(
            names = "--leases",
            paramLabel = "NAMESPACE",
            defaultValue = "",
            description = "grant access to leases in this namespace, for processes that share controllers")
    private String leases = "";

    @Option(
            names = "--service-account",
            paramLabel = "NAMESPACE/NAME",
            defaultValue = "",
            description = "create this service account, and bind the roles to it")
    private String account = "";

    /** The alternative output to YAML. */
    static final class Picture {
        @Option(names = "--tree", description = "print the parts and their requirements as text")
        private boolean tree;

        @Option(names = "--mermaid", description = "print them as Mermaid flowcharts")
        private boolean mermaid;
    }

    @ArgGroup
    private @Nullable Picture picture;

    @Override
    public Integer call() {
        require(
                account.isEmpty() || account.matches("[^/]+/[^/]+"),
                "--service-account must be NAMESPACE/NAME, such as default/operator: " + account);
        List<Declared> all = type.isEmpty()
                ? Stream.of(ExampleProgram.website(), ExampleProgram.database())
                        .flatMap(program -> program.controllers().stream())
                        .map(Declared::of)
                        .toList()
                : user.declarations(type).stream().map(UserClass.Made::declared).toList();
        PrintWriter out = line().getOut();
        if (picture != null && picture.tree) {
            all.forEach(one -> out.print(one.tree()));
        } else if (picture != null && picture.mermaid) {
            all.forEach(one -> out.print(one.mermaid()));
        } else {
            all.stream()
                    .filter(one -> !one.isWhole())
                    .forEach(one -> out.println("# The writes of the reconciler of " + one.name()
                            + " are not declared, because it is not composable: add rules for them."));
            out.print(access(all).yaml());
        }
        out.flush();
        return 0;
    }

    private RbacObjects access(List<Declared> all) {
        AccessRules rules = AccessRules.events();
        for (Declared one : all) {
            rules = rules.and(one.rules());
        }
        RbacObjects access = RbacObjects.named(name.isEmpty() ? named(all.getFirst()) : name);
        if (namespaces.isEmpty()) {
            access = access.allowing(rules);
        } else {
            for (String namespace : namespaces) {
                access = access.allowing(rules, namespace);
            }
            if (all.stream().anyMatch(Declared::isClusterScoped)) {
                access = access.allowing(AccessRules.events(), EVENTS_OF_CLUSTER_SCOPED);
            }
        }
        if (!leases.isEmpty()) {
            boolean sharded = all.stream().anyMatch(Declared::isSharded);
            access = access.allowing(sharded ? AccessRules.shards() : AccessRules.leases(), leases);
        }
        if (!account.isEmpty()) {
            int slash = account.indexOf('/');
            access = access.serviceAccount(account.substring(0, slash), account.substring(slash + 1));
        }
        return access;
    }

    /** Returns a role name, within the rule for most objects. */
    private static String named(Declared declared) {
        return declared.name()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9.-]+", "-")
                .replaceAll("^[-.]+|[-.]+$", "");
    }
}
