"""The building side: from upstream files to versioned dataset configs."""
