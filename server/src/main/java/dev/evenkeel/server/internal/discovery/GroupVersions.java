package dev.evenkeel.server.internal.discovery;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Compares API versions: stable ones first, then beta, then alpha, higher numbers first, other names last. */
public final class GroupVersions {
    private static final Pattern FORM = Pattern.compile("v(\\d{1,9})(?:(alpha|beta)(\\d{1,9}))?");

    public static final Comparator<String> PREFERENCE = Comparator.comparingInt(GroupVersions::stability)
            .thenComparing(Comparator.comparingInt((String v) -> number(v, 1)).reversed())
            .thenComparing(Comparator.comparingInt((String v) -> number(v, 3)).reversed())
            .thenComparing(Comparator.naturalOrder());

    private GroupVersions() {}

    private static int stability(String version) {
        Matcher form = FORM.matcher(version);
        if (!form.matches()) {
            return 3;
        }
        return form.group(2) == null ? 0 : form.group(2).equals("beta") ? 1 : 2;
    }

    private static int number(String version, int group) {
        Matcher form = FORM.matcher(version);
        return form.matches() && form.group(group) != null ? Integer.parseInt(form.group(group)) : 0;
    }
}
