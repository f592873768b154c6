SELECT day
FROM waybill.days
WHERE changes > coalesce(rolled_up, 0) AND project = $1 AND day <= $2 AND day < $3
ORDER BY day DESC
LIMIT $4
