/** DuckDB expression that reads the event file `$file` with its columns' types. */
export const READ_EVENTS = `read_json($file, format = 'newline_delimited', columns = {
  appId: 'VARCHAR', messageId: 'VARCHAR', eventTime: 'TIMESTAMPTZ', eventType: 'VARCHAR',
  analyticsLabel: 'VARCHAR', notification: 'BOOLEAN', usageReportingOptIn: 'BOOLEAN'
})`;

/** A table with the same columns. */
export const CREATE_EVENTS = `CREATE TABLE events (
  appId VARCHAR, messageId VARCHAR, eventTime TIMESTAMPTZ, eventType VARCHAR,
  analyticsLabel VARCHAR, notification BOOLEAN, usageReportingOptIn BOOLEAN
)`;
