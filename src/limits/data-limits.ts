/**
 * Limits on the data of projects, on the server's work with it, and on the server's own requests. A name's suffix is its
 * unit, such as `_BYTES`. The comment above each section states what its limits apply to. `docs/reference/limits.md`
 * lists all values.
 */

// Imports. Per request. Defaults that a configuration can change.

/** Maximum size of an import line without its line break, in bytes. */
export const MAX_LINE_BYTES = 8 * 1024;
/** Maximum size of an import after decompression, in bytes. */
export const MAX_IMPORT_BYTES = 64 * 1024 * 1024;
/** Maximum number of distinct days in an import. Each day needs a rollup. */
export const MAX_IMPORT_DAYS = 1_000;

// Names. Per project. Defaults that a configuration can change.

/** Maximum number of distinct labels in a project. Each day may have an entry for each label. */
export const MAX_PROJECT_LABELS = 100_000;
/** Maximum number of Android apps in a project. */
export const MAX_PROJECT_APPS = 10_000;

// Registry. Per project.

/**
 * Maximum number of registered apps, including removed apps that can be restored. Every process keeps all of them in
 * memory.
 */
export const MAX_REGISTERED_APPS = 10_000;

// Annotations. Per project.

/** Maximum number of annotations in a project. */
export const MAX_ANNOTATIONS = 1_000;
/** Maximum length of an annotation's text, in characters. */
export const MAX_ANNOTATION_TEXT = 100;

// Targets. Per project.

/** Maximum number of targets in a project. */
export const MAX_TARGETS = 100;

// Saved views of the console. Per project.

/** Maximum number of views in a project. */
export const MAX_VIEWS = 100;

/** Maximum length of a view's display name, in characters. */
export const MAX_VIEW_NAME = 100;

/** Maximum size of a view's query, in bytes. */
export const MAX_VIEW_QUERY_BYTES = 2_000;

/** Maximum lifetime of a view's link, in days. */
export const MAX_LINK_LIFETIME_DAYS = 90;

/** Maximum number of requests for shared views per minute, per network. */
export const MAX_LINK_REQUESTS_PER_MINUTE = 120;

// Concurrent imports. A project may use at most as much as it leaves free. The same applies to each principal's slots.

/** Maximum number of imports that are parsed and stored at the same time. */
export const MAX_IMPORTS = 16;
/**
 * Maximum memory of all imports in progress, in bytes: their decompressed size, plus 16 bytes per event for finding its
 * line. If the maximum import size is configured to be larger, the limit is four times that size.
 */
export const MAX_IMPORTS_BYTES = 256 * 1024 * 1024;
/**
 * Bytes that count toward {@link MAX_IMPORTS_BYTES} before the first line of an import arrives, for the decoder and a
 * segment of lines.
 */
export const MAX_OPEN_BODY_BYTES = 1024 * 1024;
/** Minimum rate of an import body, in decompressed bytes per second, averaged over {@link MAX_SLOW_BODY_MS}. */
export const MIN_BODY_BYTES_PER_SECOND = 1024;
/** Maximum time for which an import body may be slower than {@link MIN_BODY_BYTES_PER_SECOND}, in milliseconds. */
export const MAX_SLOW_BODY_MS = 30_000;

// Rollups.

/** Maximum number of days of one project that are rolled up before another project gets a slot. */
export const MAX_DAYS_PER_SLOT = 256;

// Incidents.

/** Maximum number of apps that are evaluated at the same time. The rows of one app may need tens of megabytes. */
export const MAX_EVALUATIONS = 1;
/**
 * Maximum number of a principal's concurrent calls that need evaluations. It applies separately to calls for one app
 * and to calls for all apps of a project.
 */
export const MAX_EVALUATING_CALLS = 1;
/** Maximum number of days to evaluate. The last listed days are evaluated. */
export const MAX_EVALUATED_DAYS = 400;
/** Maximum number of labels to evaluate. The labels with the most messages are evaluated. */
export const MAX_EVALUATED_LABELS = 2_500;
/** Maximum number of apps that a call may request to be evaluated. */
export const MAX_EVALUATED_APPS = 1_000;
/** Maximum number of apps with their own metric series for ongoing incidents, or for missed targets. */
export const MAX_WATCHED_APPS = 1_000;
/**
 * Maximum number of incidents in a project that keep their ids when late events move them. The newest incidents keep
 * them.
 */
export const MAX_IDENTIFIED_INCIDENTS = 10_000;
/** Maximum number of incidents in a project that have an acknowledgement or a note. */
export const MAX_TRIAGED_INCIDENTS = 5_000;
/** Maximum length of a note about an incident, in characters. */
export const MAX_INCIDENT_NOTE = 1_000;

// Outgoing requests. Per response.

/** Maximum `Retry-After` that is respected, in milliseconds: a day. Longer ones are reduced to it. */
export const MAX_RETRY_AFTER_MS = 86_400_000;
/** Maximum size of the key set that an issuer publishes at a URL, in bytes. */
export const MAX_KEY_SET_BYTES = 1024 * 1024;

// Webhooks. Per address.

/** Timeout for the response to a webhook message, in milliseconds. */
export const MAX_WEBHOOK_MS = 15_000;
/** Timeout for a webhook message that is being sent when the server stops, in milliseconds. */
export const MAX_WEBHOOK_AT_STOP_MS = 1_000;
/** Maximum time for which the message about a change is sent again, in milliseconds: seven days. */
export const MAX_NOTIFYING_MS = 7 * 86_400_000;
/** Maximum number of ongoing or recent incidents in a project that a webhook remembers. The newest are remembered. */
export const MAX_NOTIFIED_INCIDENTS = 1_000;
/** Maximum number of apps, incidents, missed targets and annotations in a weekly report to a webhook, each. */
export const MAX_REPORTED = 100;

// A mirror's upstream service. Per response unless noted.

/** Maximum size of a page after decompression. The largest pages that the contract allows have a few megabytes. */
export const MAX_UPSTREAM_PAGE_BYTES = 32 * 1024 * 1024;
/** Maximum time without new data from upstream, in milliseconds. */
export const MAX_UPSTREAM_SILENCE_MS = 60_000;
/** Timeout for a whole response, in milliseconds. */
export const MAX_UPSTREAM_RESPONSE_MS = 300_000;
/** Timeout for getting an access token, in milliseconds. */
export const MAX_UPSTREAM_TOKEN_MS = 30_000;
/** Maximum number of pages that are read for an app in a round. */
export const MAX_UPSTREAM_PAGES = 1_000;
/** Maximum number of entries that are read for an app in a round, rounded up to a whole page. */
export const MAX_UPSTREAM_ENTRIES = 500_000;
/** Maximum number of apps in one app list, and in all app lists of a mirror together. */
export const MAX_UPSTREAM_APPS = 10_000;

// Attestation.

/** Maximum number of apps with their own metric series for attestation failures. */
export const MAX_FAILED_APPS = 1_000;

// The last listed day.

/** Maximum number of apps with their own metric series for messages on the last listed day. */
export const MAX_MEASURED_APPS = 1_000;
