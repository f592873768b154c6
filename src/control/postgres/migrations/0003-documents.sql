-- What services remember, each text replaced as a whole.
CREATE TABLE waybill.documents (name text PRIMARY KEY, text text NOT NULL);
