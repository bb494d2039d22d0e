"""One folder a benchmark: what can be built, and how; beside them what several of them share."""
