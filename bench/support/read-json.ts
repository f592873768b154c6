/** How DuckDB reads a file of events, `$file`, with the types that its columns have. */
export const READ_EVENTS = `read_json($file, format = 'newline_delimited', columns = {
  appId: 'VARCHAR', messageId: 'VARCHAR', eventTime: 'TIMESTAMPTZ', eventType: 'VARCHAR',
  analyticsLabel: 'VARCHAR', notification: 'BOOLEAN', usageReportingOptIn: 'BOOLEAN'
})`;

/** A table of the same shape. */
export const CREATE_EVENTS = `CREATE TABLE events (
  appId VARCHAR, messageId VARCHAR, eventTime TIMESTAMPTZ, eventType VARCHAR,
  analyticsLabel VARCHAR, notification BOOLEAN, usageReportingOptIn BOOLEAN
)`;
