package {{package}};

import dev.evenkeel.reconcile.condition.ResourceStatus;

/** The observed state of a {@link {{Kind}}}: conditions and their generation. Add further fields here. */
public class {{Kind}}Status extends ResourceStatus {}
