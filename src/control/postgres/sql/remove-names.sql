-- Removes the names of a project that count no longer: nothing is left of their last day. Days that are not sealed may get events of
-- an append that has counted its names before.
WITH removed AS (
  DELETE FROM waybill.names AS known USING waybill.sealed_days AS sealed
  WHERE known.project = $1
    AND known.last_day <= sealed.sealed_until
    AND NOT EXISTS (
      SELECT FROM waybill.days AS day
      WHERE day.project = $1 AND day.day = known.last_day AND (day.has_states OR NOT day.is_empty)
    )
  RETURNING known.name
)
SELECT count(*) AS names FROM removed
