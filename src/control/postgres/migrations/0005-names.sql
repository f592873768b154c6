-- The apps and labels of the events of projects, each with the last day of its events: it counts until that day is removed.
CREATE TABLE waybill.names (
  project bigint NOT NULL,
  kind text NOT NULL,      -- 'apps' or 'labels'
  name text NOT NULL,
  last_day integer NOT NULL,
  PRIMARY KEY (project, kind, name)
);
