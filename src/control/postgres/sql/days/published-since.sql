-- The publications after the number $1, behind the last number of all, as of one moment. If the number $1 is not known, it may
-- belong to a commit that the database has lost.
SELECT last.number AS last, $1 = ANY (number || recent) AS is_known, project, day, version, is_empty, publication
FROM waybill.publications AS last
LEFT JOIN (
  SELECT project, day, version, is_empty, publication FROM waybill.days WHERE publication > $1
) AS published ON true
