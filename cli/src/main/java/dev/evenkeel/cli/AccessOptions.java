package dev.evenkeel.cli;

import dev.evenkeel.access.ListenerBuilder;
import dev.evenkeel.access.OidcProvider;
import dev.evenkeel.engine.Authorization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of a server about users and their permissions, named as those of kube-apiserver. */
final class AccessOptions {
    @Option(
            names = "--authorization",
            paramLabel = "MODE",
            defaultValue = "rbac",
            converter = Mode.class,
            description = "rbac: users may do what roles and bindings allow; allow-all: every user may do everything"
                    + " (default: ${DEFAULT-VALUE})")
    private Authorization authorization = Authorization.RBAC;

    @Option(
            names = "--token-auth-file",
            paramLabel = "FILE",
            description = "accept the tokens of this file: lines of token,user,uid,\"group1,group2\"")
    private @Nullable Path tokenFile;

    @Option(
            names = "--client-ca-file",
            paramLabel = "FILE",
            description =
                    "accept client certificates of the authorities in this file, in PEM: the common name is the user,"
                            + " the organisations are the groups")
    private @Nullable Path clientCa;

    @Option(
            names = "--anonymous-auth",
            description = "handle requests without credentials as those of system:anonymous, instead of refusing them")
    private boolean anonymous;

    @Option(
            names = "--service-account-issuer",
            paramLabel = "URL",
            description = "issuer of the tokens of service accounts (default: https://kubernetes.default.svc)")
    private @Nullable String issuer;

    @Option(
            names = "--oidc-issuer-url",
            paramLabel = "URL",
            description = "accept the ID tokens of this OpenID Connect provider; needs --oidc-client-id")
    private @Nullable URI oidcIssuer;

    @Option(names = "--oidc-client-id", paramLabel = "ID", description = "the audience that its tokens must have")
    private String oidcClient = "";

    @Option(
            names = "--oidc-username-claim",
            paramLabel = "CLAIM",
            defaultValue = "sub",
            description = "the claim with the name of the user (default: ${DEFAULT-VALUE})")
    private String oidcUsername = "sub";

    @Option(
            names = "--oidc-username-prefix",
            paramLabel = "PREFIX",
            defaultValue = "",
            description =
                    "what names of its users begin with; - for none (default: the URL and #, none for the claim email)")
    private String oidcUsernamePrefix = "";

    @Option(
            names = "--oidc-groups-claim",
            paramLabel = "CLAIM",
            defaultValue = "",
            description = "the claim with the groups (default: groups are not read)")
    private String oidcGroups = "";

    @Option(
            names = "--oidc-groups-prefix",
            paramLabel = "PREFIX",
            defaultValue = "",
            description = "what its groups begin with (default: nothing)")
    private String oidcGroupsPrefix = "";

    @Option(
            names = "--oidc-ca-file",
            paramLabel = "FILE",
            description = "authority of the provider's certificate, in PEM (default: those that Java trusts)")
    private @Nullable Path oidcCa;

    /** Reads the mode of authorization as it is written on the command line. */
    static final class Mode implements ITypeConverter<Authorization> {
        @Override
        public Authorization convert(String value) {
            return switch (value) {
                case "rbac" -> Authorization.RBAC;
                case "allow-all" -> Authorization.ALLOW_ALL;
                default -> throw new TypeConversionException("must be rbac or allow-all: " + value);
            };
        }
    }

    Authorization authorization() {
        return authorization;
    }

    /** Sets the options on a server. */
    <B extends ListenerBuilder<B>> B configure(B server) {
        server.anonymous(anonymous);
        if (tokenFile != null) {
            server.tokenFile(tokenFile);
        }
        if (clientCa != null) {
            server.clientCa(text("--client-ca-file", clientCa));
        }
        if (issuer != null) {
            server.issuer(issuer);
        }
        if (oidcIssuer != null) {
            OidcProvider provider = OidcProvider.of(oidcIssuer, oidcClient)
                    .username(oidcUsername, oidcUsernamePrefix)
                    .groups(oidcGroups, oidcGroupsPrefix);
            server.oidc(oidcCa == null ? provider : provider.caPem(text("--oidc-ca-file", oidcCa)));
        } else if (!oidcClient.isEmpty()) {
            throw new Failure("--oidc-client-id needs --oidc-issuer-url");
        }
        return server;
    }

    private static String text(String option, Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(option + ": cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
