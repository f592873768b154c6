-- Removes the states of the messages of a day of a project.
ALTER TABLE {DATABASE}.message_states {ON_CLUSTER} DROP PARTITION ({PROJECT}, {DAY})
