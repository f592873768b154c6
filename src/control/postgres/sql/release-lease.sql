-- Keeps the row, whose fence the next holder raises.
UPDATE waybill.leases SET ends_at = '-infinity' WHERE name = $1 AND holder = $2
