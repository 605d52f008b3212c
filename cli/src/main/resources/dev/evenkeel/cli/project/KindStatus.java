package {{package}};

import dev.evenkeel.reconcile.condition.ResourceStatus;

/** What is, of a {@link {{Kind}}}: conditions, and the generation that they are about. What else there is to say goes here. */
public class {{Kind}}Status extends ResourceStatus {}
