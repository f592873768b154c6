DELETE FROM waybill.admissions WHERE ends_at <= clock_timestamp()
