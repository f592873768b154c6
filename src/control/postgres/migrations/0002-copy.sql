-- The copy from the embedded store that fills this database and that of the store: one row at most.
CREATE TABLE waybill.copy (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  source text NOT NULL,  -- digest of what is copied
  is_complete boolean NOT NULL DEFAULT false
);
