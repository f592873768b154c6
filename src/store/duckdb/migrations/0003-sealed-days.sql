-- The last day that takes no events any more, and whose states of messages go, as do all days before it. One row at most.
CREATE TABLE sealed_days (until INTEGER NOT NULL);
