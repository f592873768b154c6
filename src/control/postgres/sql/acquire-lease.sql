-- Acquires a free lease, or extends its holder's lease. Returns no row if another holder has it.
INSERT INTO waybill.leases AS lease (name, holder, fence, ends_at)
VALUES ($1, $2, 1, clock_timestamp() + $3 * interval '1 millisecond')
ON CONFLICT (name) DO UPDATE SET
  holder = excluded.holder,
  fence = CASE WHEN lease.ends_at > clock_timestamp() THEN lease.fence ELSE lease.fence + 1 END,
  ends_at = clock_timestamp() + $3 * interval '1 millisecond'
WHERE lease.holder = excluded.holder OR lease.ends_at <= clock_timestamp()
RETURNING fence
