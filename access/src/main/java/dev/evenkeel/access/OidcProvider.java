package dev.evenkeel.access;

import java.net.URI;

/**
 * An OpenID Connect provider whose ID tokens authenticate users, with the settings of kube-apiserver.
 *
 * @param issuer URL of the provider, as in the claim {@code iss}: https, or http on loopback
 * @param clientId the audience that tokens must have
 * @param usernameClaim the claim with the name of the user
 * @param usernamePrefix what names begin with, so that they differ from those of other origins; {@code -} for none, empty
 *     for the issuer and {@code #}, or for none when the claim is {@code email}
 * @param groupsClaim the claim with the groups, a text or a list of texts; empty when groups are not read
 * @param groupsPrefix what groups begin with
 * @param caPem the certificate of the authority that signed the provider's; empty for those that the JDK trusts
 */
public record OidcProvider(
        URI issuer,
        String clientId,
        String usernameClaim,
        String usernamePrefix,
        String groupsClaim,
        String groupsPrefix,
        String caPem) {
    /**
     * Checks the issuer and the client.
     *
     * @throws IllegalArgumentException when the issuer is not a URL of https, or the client is empty
     */
    public OidcProvider {
        boolean loopback = "http".equals(issuer.getScheme())
                && issuer.getHost() != null
                && issuer.getHost().matches("localhost|127\\.0\\.0\\.1|\\[::1]");
        if (!"https".equals(issuer.getScheme()) && !loopback) {
            throw new IllegalArgumentException("the URL of an OpenID issuer must begin with https://: " + issuer);
        }
        if (clientId.isEmpty()) {
            throw new IllegalArgumentException("an OpenID issuer needs a client id: the audience of its tokens");
        }
    }

    /** Returns a provider whose users are named by {@code sub}, and whose groups are not read. */
    public static OidcProvider of(URI issuer, String clientId) {
        return new OidcProvider(issuer, clientId, "sub", "", "", "", "");
    }

    /** Returns a copy with this username claim and prefix. */
    public OidcProvider username(String claim, String prefix) {
        return new OidcProvider(issuer, clientId, claim, prefix, groupsClaim, groupsPrefix, caPem);
    }

    /** Returns a copy with this groups claim and prefix. */
    public OidcProvider groups(String claim, String prefix) {
        return new OidcProvider(issuer, clientId, usernameClaim, usernamePrefix, claim, prefix, caPem);
    }

    /** Returns a copy that trusts this authority. */
    public OidcProvider caPem(String value) {
        return new OidcProvider(issuer, clientId, usernameClaim, usernamePrefix, groupsClaim, groupsPrefix, value);
    }
}
