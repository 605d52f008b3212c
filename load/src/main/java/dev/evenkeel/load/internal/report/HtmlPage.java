package dev.evenkeel.load.internal.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * A page of HTML that needs no other file, and whose Content-Security-Policy allows no other script or style than those in
 * it, by their hashes.
 */
final class HtmlPage {
    private static final String LIBRARY = "/META-INF/resources/webjars/uplot/1.6.30/dist/";
    private static final Pattern UNIT = Pattern.compile("(\\d) (%|s|ms|µs|bytes|kB|MB|cores)(?![A-Za-z])");

    private final StringBuilder body = new StringBuilder();
    private final ArrayNode plots = JsonNodeFactory.instance.arrayNode();

    /** Adds HTML, or a number. */
    HtmlPage append(Object part) {
        body.append(part);
        return this;
    }

    /** Returns the whole page. */
    String document(String title) {
        String library = resource(LIBRARY + "uPlot.iife.min.js");
        String script = resource("report.js");
        String style = resource(LIBRARY + "uPlot.min.css") + "\n" + resource("report.css");
        return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                + "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
                + hash(library)
                + ' '
                + hash(script)
                + "; style-src "
                + hash(style)
                + "; base-uri 'none'; form-action 'none'\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"
                + escaped(title)
                + "</title>\n<style>"
                + style
                + "</style>\n</head>\n<body>\n"
                + body
                + "<script type=\"application/json\" id=\"data\">"
                + data()
                + "</script>\n<script>"
                + library
                + "</script>\n<script>"
                + script
                + "</script>\n</body>\n</html>\n";
    }

    /** Begins a section. */
    void section(String id, String title) {
        body.append("<h2 id=\"").append(id).append("\">").append(title).append("</h2>\n");
    }

    /** Adds a plot. */
    void figure(ObjectNode plot, String title, String note) {
        body.append("<figure><figcaption>")
                .append(escaped(title))
                .append(note.isEmpty() ? "" : " <small>" + escaped(note) + "</small>")
                .append("</figcaption><div class=\"plot\" data-plot=\"")
                .append(plots.size())
                .append("\"></div></figure>\n");
        plots.add(plot);
    }

    /** Adds a table, whose rows are filled in. */
    void table(List<String> header, Consumer<List<List<String>>> fill) {
        List<List<String>> rows = new ArrayList<>();
        fill.accept(rows);
        body.append("<div class=\"scroll\"><table><thead><tr>");
        for (int i = 0; i < header.size(); i++) {
            body.append(i == 0 ? "<th>" : "<th class=\"n\">")
                    .append(escaped(header.get(i)))
                    .append("</th>");
        }
        body.append("</tr></thead><tbody>\n");
        for (List<String> row : rows) {
            body.append("<tr>");
            for (int i = 0; i < row.size(); i++) {
                body.append(i == 0 ? "<th>" : "<td class=\"n\">")
                        .append(escaped(row.get(i)))
                        .append(i == 0 ? "</th>" : "</td>");
            }
            body.append("</tr>\n");
        }
        body.append("</tbody></table></div>\n");
    }

    private String data() {
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        data.set("plots", plots);
        try {
            // a name in the data must not end the element or begin a comment
            return new JsonMapper().writeValueAsString(data).replace("<", "\\u003c");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a result must be representable as JSON", e);
        }
    }

    /** Returns text as HTML. */
    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.append(c);
            }
        }
        return escaped.toString();
    }

    /** Returns text as HTML whose numbers stay on the line of their units. */
    static String sentence(String text) {
        return UNIT.matcher(escaped(text)).replaceAll("$1&nbsp;$2");
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the JDK must have SHA-256", e);
        }
    }

    private static String resource(String name) {
        try (InputStream stream = HtmlPage.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("the class path must hold " + name);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
