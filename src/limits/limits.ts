/**
 * Limits on the work and memory that callers can cause. A name's suffix is its unit, such as `_BYTES`. The comment
 * above each section states what its limits apply to. `docs/reference/limits.md` lists all values.
 */

/**
 * Maximum length of an excerpt from a caller's input, in characters. Excerpts occur in error messages, headers and log
 * lines.
 */
export const MAX_EXCERPT = 200;

// Errors. Per response.

/** Maximum length of an error message, violation description or metadata value, in characters. */
export const MAX_ERROR_TEXT = 1_000;
/** Maximum number of field violations in an error. */
export const MAX_VIOLATIONS = 100;
/** Maximum total length of the field names and descriptions in an error's violations, in characters. */
export const MAX_VIOLATION_TEXT = 32 * 1024;
/** Maximum number of bytes that an error adds to gRPC headers or trailers. Many clients accept 8 KiB in total. */
export const MAX_ERROR_HEADER_BYTES = 8 * 1024;

// Request heads. Per request of any sender.

/** Maximum size of a request target, in bytes. */
export const MAX_TARGET_BYTES = 16 * 1024;
/** Maximum size of a header section without the request line, in bytes. */
export const MAX_HEADER_BYTES = 32 * 1024;
/**
 * Maximum size of a request head that the HTTP/1.1 parser reads, in bytes. It is far above the other limits, so that
 * the server can distinguish a long URL from large headers, and send the right error for each.
 */
export const MAX_PARSED_HEAD_BYTES = 256 * 1024;

// Request bodies. Per request, in bytes after decompression unless noted.

/** Maximum size of a JSON body. */
export const MAX_JSON_BYTES = 1024 * 1024;
/** Maximum size of a request from an app on a device in any protocol. Such a request needs no token. */
export const MAX_APP_MESSAGE_BYTES = 64 * 1024;
/** Maximum size of a form at the token endpoint. Such a request needs no token. */
export const MAX_TOKEN_FORM_BYTES = 64 * 1024;
/** Maximum size of a body that contains a demo code. Such a request needs no token. */
export const MAX_DEMO_CODE_BYTES = 1024;
/** Maximum size of a gRPC, gRPC-Web or Connect message. This is the usual limit of gRPC servers. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
/** Maximum window of a zstd frame. The decoder keeps the window in memory. RFC 8878 §3.1.1.1.2 recommends this size. */
export const MAX_ZSTD_WINDOW_BYTES = 8 * 1024 * 1024;
/** Maximum work on a zstd body before it produces output, summed up as the windows of frames and blocks. */
export const MAX_ZSTD_EMPTY_WORK_BYTES = 256 * 1024 * 1024;
/** Maximum work on a zstd body for each byte of output, summed up as the windows of frames and blocks. */
export const MAX_ZSTD_WORK_BYTES = 512;
/** Maximum total size of a principal's concurrent zstd windows. */
export const MAX_ZSTD_WINDOWS_BYTES = 64 * 1024 * 1024;
/** Maximum total size of concurrent zstd windows, across all principals. */
export const MAX_ALL_ZSTD_WINDOWS_BYTES = 256 * 1024 * 1024;
/** Maximum time to decompress a zstd body before other bodies get a slot, in milliseconds. */
export const MAX_ZSTD_SLICE_MS = 2;
/** Maximum number of bytes by which the compressed input may exceed twice the decompressed output. */
export const MAX_PACKED_LEAD_BYTES = 1024 * 1024;
/** Maximum number of bytes to discard from a rejected HTTP/1.1 request, so that its client can read the response. */
export const MAX_DISCARDED_BYTES = 128 * 1024 * 1024;

// Configuration changes. Per request.

/** Maximum number of distinct fields in a field mask. */
export const MAX_MASK_FIELDS = 100;
/** Maximum length of a principal's name, in characters. */
export const MAX_PRINCIPAL = 1_024;

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
/** Maximum size of a message to `waybill mcp`, in bytes. */
export const MAX_MCP_LINE_BYTES = 10 * 1024 * 1024;

// Outgoing requests. Per response.

/** Maximum `Retry-After` that is respected, in milliseconds: a day. Longer ones are reduced to it. */
export const MAX_RETRY_AFTER_MS = 86_400_000;

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

// Client timeouts, in milliseconds. Per connection, or per HTTP/2 stream.

/** Timeout for a request head. Legitimate clients send it quickly. */
export const MAX_HEAD_MS = 20_000;
/** Timeout for a request head that is still arriving when the server stops. */
export const MAX_HEAD_AT_STOP_MS = 2_000;
/** Timeout for a whole request. */
export const MAX_REQUEST_MS = 300_000;
/** Maximum time that a connection may be idle before it is closed. */
export const MAX_IDLE_MS = 72_000;
/**
 * Timeout for the client to read the next {@link MAX_PIECE_BYTES} of a response, or the rest. It implies a minimum
 * rate: a client that reads single bytes now and then cannot keep a response open longer than a client that reads
 * nothing.
 */
export const MAX_STALL_MS = 60_000;
/** Maximum time that a client may continue to send a rejected HTTP/1.1 request before its connection is closed. */
export const MAX_DISCARD_MS = 10_000;
/** Maximum time that a client may continue an HTTP/2 request body after the response, before its stream is reset. */
export const MAX_RESPONDED_STREAM_MS = 1_000;
/** Maximum time that an unusable connection stays open for the client to read the response. */
export const MAX_BROKEN_CONNECTION_MS = 2_000;
/** Timeout for a client to close its side of an ended HTTP/2 connection. */
export const MAX_ENDED_CONNECTION_MS = 500;

// Connections.

/** Maximum number of connections to the services. A TLS connection needs about 60 KB. */
export const MAX_CONNECTIONS = 4_096;
/** Maximum number of concurrent TLS handshakes. Each blocks the event loop for about a millisecond. */
export const MAX_HANDSHAKES = 256;
/** Maximum number of concurrent TLS handshakes from one remote address, or one IPv6 /64 network. */
export const MAX_HANDSHAKES_OF_ADDRESS = 64;
/**
 * Maximum number of connections from one remote address or one IPv6 /64 network. All clients behind a proxy may have
 * the same address.
 */
export const MAX_CONNECTIONS_OF_ADDRESS = 1_024;
/** Maximum number of concurrent streams of an HTTP/2 connection. */
export const MAX_STREAMS = 256;
/**
 * Maximum number of streams on an HTTP/2 connection that have a complete response while their request is still
 * arriving.
 */
export const MAX_RESPONDED_STREAMS = 32;
/**
 * Maximum number of queued requests on an HTTP/1.1 connection. Each request waits until the client has read the
 * previous response.
 */
export const MAX_PIPELINED = 100;

// Unread response bytes.

/**
 * Maximum number of response bytes that are written at once. The next piece follows when the client has read this one.
 */
export const MAX_PIECE_BYTES = 128 * 1024;
/** Maximum size of a response that is not counted. The stream itself needs more memory than such a response. */
export const MAX_UNCOUNTED_RESPONSE_BYTES = 1024;
/**
 * Maximum number of a principal's unread bytes. If several of its responses share memory, such as a cached page, this
 * memory counts once, plus one piece for each response.
 */
export const MAX_UNREAD_BYTES = 64 * 1024 * 1024;
/** Maximum number of unread bytes, across all principals. */
export const MAX_ALL_UNREAD_BYTES = 512 * 1024 * 1024;
/** Maximum number of unread bytes of one remote address, in responses to calls without a valid token. */
export const MAX_UNAUTHENTICATED_UNREAD_BYTES = 8 * 1024 * 1024;
/** Maximum number of unread bytes in responses to calls without a valid token, across all remote addresses. */
export const MAX_ALL_UNAUTHENTICATED_UNREAD_BYTES = 64 * 1024 * 1024;

// Streams that need no token: health watches and server reflection.

/**
 * Maximum number of open streams on a connection. A client usually watches one or two services, and a proxy may forward
 * several clients on one connection.
 */
export const MAX_OPEN_STREAMS_OF_CONNECTION = 16;
/** Maximum number of open streams from one remote address. */
export const MAX_OPEN_STREAMS_OF_ADDRESS = 128;
/** Maximum number of open streams in the process. */
export const MAX_OPEN_STREAMS = 1_024;
/** Maximum duration of an open stream, in milliseconds. */
export const MAX_OPEN_STREAM_MS = 30 * 60_000;
/** Maximum size of a message in a call that needs no token, in bytes. Such a message contains little more than a name. */
export const MAX_OPEN_MESSAGE_BYTES = 1024;

// Slots for slow work on responses, such as reading an uncached page, selecting its fields or compressing it.

/** Maximum number of concurrent slots of a principal. */
export const MAX_SLOTS = 1;
/** Maximum number of concurrent slots. It is one less than the number of threads for reads, compression and files. */
export const MAX_ALL_SLOTS = 3;
/** Bytes that are reserved from a principal's {@link MAX_UNREAD_BYTES} while a response is being created. */
export const MAX_EXPECTED_RESPONSE_BYTES = 8 * 1024 * 1024;
/** Maximum time for which a backup's receiver may read nothing, in milliseconds. It may be writing to a slow disk. */
export const MAX_BACKUP_STALL_MS = 300_000;
/** Maximum size of the key set that an issuer publishes at a URL, in bytes. */
export const MAX_KEY_SET_BYTES = 1024 * 1024;

// Token introspection. Per issuer. A token is known if the issuer has reported it as active recently.

/**
 * Maximum number of concurrent calls about known tokens, and about unknown tokens. A caller may use as many as it
 * leaves free.
 */
export const MAX_INTROSPECTIONS = 64;
/** Maximum number of queued calls about known tokens, and about unknown tokens. */
export const MAX_WAITING_INTROSPECTIONS = 1_024;
/**
 * Maximum number of queued calls per caller. A known token's caller is its principal. An unknown token's caller is the
 * remote IPv4 address or IPv6 /64 network.
 */
export const MAX_WAITING_INTROSPECTIONS_OF_CALLER = 256;
/** Maximum number of known tokens. */
export const MAX_KNOWN_TOKENS = 10_000;
/** Maximum number of rejected tokens to remember for one remote address or one IPv6 /64 network. */
export const MAX_REJECTED_TOKENS_OF_ADDRESS = 100;
/** Maximum number of remote addresses or IPv6 /64 networks for which rejected tokens are remembered. */
export const MAX_ADDRESSES_OF_REJECTED_TOKENS = 100;

// Waits for slots and budgets of any kind.

/** Maximum total time that a call may wait, in milliseconds. The caller then gets a response within ten seconds. */
export const MAX_WAIT_MS = 9_000;
/** Maximum number of a principal's queued calls. It equals the number of streams on a connection. */
export const MAX_WAITING = 256;
/** Maximum number of queued calls, across all principals. */
export const MAX_ALL_WAITING = 4096;

// The log.

/** Maximum size of log lines that wait to be written, in bytes. Further lines are dropped. */
export const MAX_WAITING_LOG_BYTES = 4 * 1024 * 1024;
/** Maximum time for which an exiting process waits until the log is written, in milliseconds. */
export const MAX_LOG_AT_EXIT_MS = 500;
