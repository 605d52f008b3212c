package {{package}};

/**
 * What is wanted of a {@link {{Kind}}}.
 *
 * @param text what the ConfigMap says
 */
public record {{Kind}}Spec(String text) {}
