-- Removes entries of replaced versions, in the background.
ALTER TABLE {DATABASE}.entries {ON_CLUSTER} DELETE WHERE project = {PROJECT} AND ({REPLACED})
