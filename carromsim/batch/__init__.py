"""Many shots: plan, executors, sinks."""
