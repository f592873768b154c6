-- Removes rows of replaced versions from a table of entries, in the background.
ALTER TABLE {DATABASE}.{TABLE} {ON_CLUSTER} DELETE WHERE project = {PROJECT} AND ({REPLACED})
