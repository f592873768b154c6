SELECT day, version
FROM waybill.days
WHERE project = $1 AND day = ANY($2::integer[]) AND version > 0 AND published_at <= {NOW} - $3::bigint
