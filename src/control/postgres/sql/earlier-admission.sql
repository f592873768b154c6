SELECT FROM waybill.admissions WHERE excluded_until IS NULL OR excluded_until < $1 LIMIT 1
