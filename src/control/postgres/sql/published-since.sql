SELECT project, day, version, is_empty, publication FROM waybill.days WHERE publication > $1
