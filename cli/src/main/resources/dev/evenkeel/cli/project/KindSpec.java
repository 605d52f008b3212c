package {{package}};

/**
 * The desired state of a {@link {{Kind}}}.
 *
 * @param text the text of the ConfigMap
 */
public record {{Kind}}Spec(String text) {}
