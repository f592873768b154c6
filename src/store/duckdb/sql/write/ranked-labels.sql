-- Ranks labels in byte order, to choose between two simultaneous ACCEPTED events. {ACCEPTED} yields the events to
-- compare: ranking all labels of the project would last longer than everything else in a small merge.
SELECT occurring.id, (row_number() OVER (ORDER BY name))::UBIGINT AS label_rank
FROM (SELECT DISTINCT label_of(accepted) AS id FROM ({ACCEPTED}) WHERE accepted IS NOT NULL) AS occurring
JOIN (SELECT id::UBIGINT AS id, name FROM labels WHERE project = $project UNION ALL SELECT 0, '') AS named USING (id)
