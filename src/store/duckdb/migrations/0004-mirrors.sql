-- Entries that another service gave: each as it came, and since when it has been like this, in milliseconds since 1970.
-- The text is divided in its form and its figures, apart from each other and compressed as columns: a third of its space.
-- All are NULL in entries that come from events.
ALTER TABLE entries ADD COLUMN original_form VARCHAR;
ALTER TABLE entries ADD COLUMN original_figures VARCHAR;  -- NULL if the form is the whole text
ALTER TABLE entries ADD COLUMN fetched_at BIGINT;

-- Entries as the other service gave them until a later answer replaced them.
CREATE TABLE entry_versions (
  project BIGINT NOT NULL,
  app INTEGER NOT NULL,          -- apps.id
  day INTEGER NOT NULL,
  label VARCHAR NOT NULL,
  fetched_at BIGINT NOT NULL,    -- since when it was like this
  original_form VARCHAR NOT NULL,
  original_figures VARCHAR
);

-- The answers of the other service, and their bodies: a body that came many times stands once.
CREATE TABLE answers (
  project BIGINT NOT NULL,
  app INTEGER NOT NULL,          -- apps.id
  fetched_at BIGINT NOT NULL,    -- when it had come, in milliseconds since 1970
  url VARCHAR NOT NULL,
  digest BLOB NOT NULL           -- SHA-256 of the body
);
CREATE TABLE answer_bodies (
  project BIGINT NOT NULL,
  app INTEGER NOT NULL,
  digest BLOB NOT NULL,
  body BLOB NOT NULL             -- in gzip
);
