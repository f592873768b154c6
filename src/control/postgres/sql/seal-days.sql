UPDATE waybill.sealed_days SET sealed_until = greatest(sealed_until, $1)
