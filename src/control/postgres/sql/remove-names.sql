-- Removes a project's names that no longer count, because their last day has no data left. A day that is not sealed may still get
-- events from an append that has counted its names.
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
