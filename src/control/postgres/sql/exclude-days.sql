UPDATE waybill.sealed_days SET excluded_until = greatest(excluded_until, $1)
