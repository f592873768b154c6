const ACCEPTED = {
  appId: "1:123456789012:android:0a1b2c3d4e5f",
  messageId: "m-1",
  eventTime: "2026-03-08T01:59:59.999-08:00",
  eventType: "ACCEPTED",
  analyticsLabel: "spring_sale~50%",
  notification: true,
  usageReportingOptIn: true,
};
const line = (more: object): string => JSON.stringify({ ...ACCEPTED, ...more });

/** Lines of an import, valid and invalid. */
export const EVENT_LINES: readonly string[] = [
  line({}),
  line({ eventType: "DELIVERED", analyticsLabel: undefined, notification: undefined }),
  line({ eventTime: "0001-01-01T08:00:00Z" }),
  line({ eventTime: "9999-12-31T23:59:60.5+00:00", eventType: 3 }),
  line({ eventTime: "2024-02-29t00:00:00.123456789z", analyticsLabel: null }),
  line({ appId: "é\u{1f4da}/", messageId: "\u0000\ud800" }),
  line({ appId: "..", eventType: "EVENT_TYPE_UNSPECIFIED" }),
  line({ appId: ".." }),
  line({ appId: "-" }),
  line({ appId: "a".repeat(256), messageId: "\u{1f4da}".repeat(256) }),
  line({ usageReportingOptIn: "true", more: [{ "a\\": '"' }] }),
  '{"app_id":"a","message_id":"\\u006d","event_time":"2026-03-08T10:00:00Z","event_type":"STORED"}\r',
  '{"appId":"a","appId":"b","messageId":"m","eventTime":"2026-03-08T10:00:00Z","eventType":"STORED"}',
  ' { "appId" : "a" , "messageId" : "m" , "eventTime" : "2026-03-08T10:00:00Z" , "eventType" : "DELAYED_DEVICE_DOZE" } ',
  line({ eventTime: "1970-01-01T00:00:00-08:00" }),
  line({ eventTime: "2026-03-10T23:59:59.999-07:00" }),
  line({ eventTime: "1969-12-31T23:59:59.999-08:00" }),
  "[]",
  "null",
  "\ufeff{}",
];

export const EVENT_WORDS: readonly string[] = [
  ...Object.keys(ACCEPTED).flatMap((name) => [`"${name}":`, `"${name}":"`]),
  ...['"app_id":', '"message_id":', '"event_time":', '"event_type":', '"usage_reporting_opt_in":'],
  ...[
    "ACCEPTED",
    "DELIVERED",
    "COLLAPSED",
    "STORED",
    "DROPPED_TTL_EXPIRED",
    "PROXY_PROXIED",
    "PRIORITY_LOWERED",
  ],
  ...["DROPPED_TOO_MANY_PENDING_MESSAGES", "DELAYED_DEVICE_OFFLINE", "EVENT_TYPE_UNSPECIFIED", "toString"],
  ...["true", "false", "null", "1", "0", "19", "1.0", "1e0", ",", ":", "{", "}", '"', "\\", '\\"', "\\u0061"],
  ...[
    "2026-03-08T01:59:59.999-08:00",
    "T24:00:00Z",
    "-00:00",
    "+23:59",
    ".000",
    "02-29",
    "02-30",
    "0000-",
    "9999-",
  ],
  ...["\r", "\t", " ", "/", "\u0085", "\ud83d\udcda", "\\ud83d\\udcda", "\\ud83d", ".", ".."],
];
