SELECT id, name, (row_number() OVER (ORDER BY name))::UBIGINT AS label_rank
  FROM (SELECT id, name FROM labels WHERE project = $project UNION ALL SELECT 0, '')
