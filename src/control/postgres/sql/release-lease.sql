-- Keeps the row, because the next holder raises its fence.
UPDATE waybill.leases SET ends_at = '-infinity' WHERE name = $1 AND holder = $2
