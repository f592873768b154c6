/**
 * Limits on the work and memory that a caller can cause. A name's suffix is the unit, such as `_BYTES`. A section
 * comment names the scope that each limit applies to. `docs/reference/limits.md` lists the values.
 */

/** Maximum length of an excerpt of the caller's text in an error message, a header or a log line, in characters. */
export const MAX_EXCERPT = 200;

// Errors. Per response.

/** Maximum length of an error message, violation description or metadata value, in characters. */
export const MAX_ERROR_TEXT = 1_000;
/** Maximum number of field violations in an error. */
export const MAX_VIOLATIONS = 100;
/** Maximum length of all field names and descriptions of an error's violations together, in characters. */
export const MAX_VIOLATION_TEXT = 32 * 1024;
/** Maximum number of bytes that an error adds to gRPC headers or trailers. Many clients accept 8 KiB in total. */
export const MAX_ERROR_HEADER_BYTES = 8 * 1024;

// Request heads. Per request of any sender.

/** Maximum size of a request target, in bytes. */
export const MAX_TARGET_BYTES = 16 * 1024;
/** Maximum size of a header section without the request line, in bytes. */
export const MAX_HEADER_BYTES = 32 * 1024;
/**
 * Maximum size of a head that the HTTP/1.1 parser reads, in bytes. It is far above the other limits, so that the server
 * can distinguish a URL that is too long from headers that are too large, and respond to each.
 */
export const MAX_PARSED_HEAD_BYTES = 256 * 1024;

// Request bodies. Per request, in bytes after decompression unless noted.

/** Maximum size of a JSON body. */
export const MAX_JSON_BYTES = 1024 * 1024;
/** Maximum size of a request of an app on a device, which needs no token, in any protocol. */
export const MAX_APP_MESSAGE_BYTES = 64 * 1024;
/** Maximum size of a form at the token endpoint, which needs no token. */
export const MAX_TOKEN_FORM_BYTES = 64 * 1024;
/** Maximum size of a body that exchanges a demo code, which needs no token. */
export const MAX_DEMO_CODE_BYTES = 1024;
/** Maximum size of a gRPC, gRPC-Web or Connect message: the usual limit of gRPC servers. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
/** Maximum window of a zstd frame, which the decoder keeps in memory. RFC 8878 §3.1.1.1.2 recommends this size. */
export const MAX_ZSTD_WINDOW_BYTES = 8 * 1024 * 1024;
/** Maximum window bytes that the frames and blocks of a zstd body may touch before any output. */
export const MAX_ZSTD_EMPTY_WORK_BYTES = 256 * 1024 * 1024;
/** Maximum window bytes that the frames and blocks of a zstd body may touch per byte of output. */
export const MAX_ZSTD_WORK_BYTES = 512;
/** Maximum size of a principal's concurrent zstd windows. */
export const MAX_ZSTD_WINDOWS_BYTES = 64 * 1024 * 1024;
/** Maximum size of concurrent zstd windows, across all principals. */
export const MAX_ALL_ZSTD_WINDOWS_BYTES = 256 * 1024 * 1024;
/** Maximum time to decompress a zstd body before other bodies get a slot, in milliseconds. */
export const MAX_ZSTD_SLICE_MS = 2;
/** Maximum number of bytes by which the compressed part of a body may exceed twice its decompressed part. */
export const MAX_PACKED_LEAD_BYTES = 1024 * 1024;
/** Maximum number of bytes to discard of a rejected HTTP/1.1 request so that its client can read the response. */
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
/** Maximum number of days of the events in an import. Each day needs a rollup. */
export const MAX_IMPORT_DAYS = 1_000;

// Names. Per project. Defaults that a configuration can change.

/** Maximum number of distinct labels of a project. Each day may have an entry for each label. */
export const MAX_PROJECT_LABELS = 100_000;
/** Maximum number of Android apps of a project. */
export const MAX_PROJECT_APPS = 10_000;

// Registry. Per project.

/** Maximum number of registered apps, including removed ones that can be restored. Every process has them in memory. */
export const MAX_REGISTERED_APPS = 10_000;

// Concurrent imports. A project may hold at most as much as it leaves free; for slots, so may a principal.

/** Maximum number of imports that are parsed and stored at the same time. */
export const MAX_IMPORTS = 16;
/**
 * Maximum number of decompressed bytes of all running imports, plus 16 bytes for each event, kept to find its line. Four
 * times the maximum import size if that is configured to be larger.
 */
export const MAX_IMPORTS_BYTES = 256 * 1024 * 1024;
/** Bytes that count toward {@link MAX_IMPORTS_BYTES} before an import's first line, for its decoder and a segment of lines. */
export const MAX_OPEN_BODY_BYTES = 1024 * 1024;
/** Minimum rate of an import body, in decompressed bytes per second, averaged over {@link MAX_SLOW_BODY_MS}. */
export const MIN_BODY_BYTES_PER_SECOND = 1024;
/** Maximum time that an import body may be slower than {@link MIN_BODY_BYTES_PER_SECOND}, in milliseconds. */
export const MAX_SLOW_BODY_MS = 30_000;

// Rollups.

/** Maximum number of days of a project that are rolled up before another project gets a slot. */
export const MAX_DAYS_PER_SLOT = 256;

// Incidents.

/** Maximum number of concurrent app evaluations. The rows of one app may need tens of megabytes. */
export const MAX_EVALUATIONS = 1;
/** Maximum number of a principal's concurrent calls that need evaluations: for one app, and for all apps of a project. */
export const MAX_EVALUATING_CALLS = 1;
/** Maximum number of evaluated days: the last listed ones. */
export const MAX_EVALUATED_DAYS = 400;
/** Maximum number of evaluated labels: the ones with the most messages. */
export const MAX_EVALUATED_LABELS = 2_500;
/** Maximum number of apps that a call may request at once. */
export const MAX_EVALUATED_APPS = 1_000;
/** Maximum number of apps that have a metric series of their own for ongoing incidents. */
export const MAX_WATCHED_APPS = 1_000;
/** Maximum number of incidents of a project that keep their ids while late events move them: the newest. */
export const MAX_IDENTIFIED_INCIDENTS = 10_000;
/** Maximum size of a message to `waybill mcp`, in bytes. */
export const MAX_MCP_LINE_BYTES = 10 * 1024 * 1024;

// Outgoing requests. Per response.

/** Maximum `Retry-After` that is honored, in milliseconds: a day. */
export const MAX_RETRY_AFTER_MS = 86_400_000;

// Webhooks. Per address.

/** Timeout for the response to a message, in milliseconds. */
export const MAX_WEBHOOK_MS = 15_000;
/** The same for a message in flight when the server stops. */
export const MAX_WEBHOOK_AT_STOP_MS = 1_000;
/** Maximum time for which the message about a change is retried, in milliseconds: seven days. */
export const MAX_NOTIFYING_MS = 7 * 86_400_000;
/** Maximum number of ongoing or recent incidents of a project that a webhook remembers: the newest. */
export const MAX_NOTIFIED_INCIDENTS = 1_000;

// A mirror's upstream service. Per response unless noted.

/** Maximum size of a page, decompressed. The largest pages that the contract allows have a few megabytes. */
export const MAX_UPSTREAM_PAGE_BYTES = 32 * 1024 * 1024;
/** Read timeout, in milliseconds. */
export const MAX_UPSTREAM_SILENCE_MS = 60_000;
/** Timeout for a whole response, in milliseconds. */
export const MAX_UPSTREAM_RESPONSE_MS = 300_000;
/** Timeout for an access token, in milliseconds. */
export const MAX_UPSTREAM_TOKEN_MS = 30_000;
/** Maximum number of pages of an app in a round. */
export const MAX_UPSTREAM_PAGES = 1_000;
/** Maximum number of entries of an app in a round, rounded up to a whole page. */
export const MAX_UPSTREAM_ENTRIES = 500_000;
/** Maximum number of apps in an app list, and in all app lists of a mirror so far. */
export const MAX_UPSTREAM_APPS = 10_000;

// Attestation.

/** Maximum number of apps that have metric series of their own for attestation failures. */
export const MAX_FAILED_APPS = 1_000;

// The last listed day.

/** Maximum number of apps that have metric series of their own for messages of the last listed day. */
export const MAX_MEASURED_APPS = 1_000;

// Client timeouts, in milliseconds. Per connection, or per HTTP/2 stream.

/** Timeout for a request head. No client needs to send one slowly. */
export const MAX_HEAD_MS = 20_000;
/** Timeout for a request head that is still arriving when the server stops. */
export const MAX_HEAD_AT_STOP_MS = 2_000;
/** Timeout for a whole request. */
export const MAX_REQUEST_MS = 300_000;
/** Maximum time that a connection may be idle before it is closed. */
export const MAX_IDLE_MS = 72_000;
/**
 * Timeout for the client to read the next {@link MAX_PIECE_BYTES} of a response, or its rest. This sets a minimum rate:
 * a client that reads a byte now and then cannot keep a response open longer than one that reads nothing.
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
/** Maximum number of connections from one remote address, or one IPv6 /64 network: clients of a proxy may share one. */
export const MAX_CONNECTIONS_OF_ADDRESS = 1_024;
/** Maximum number of concurrent streams of an HTTP/2 connection. */
export const MAX_STREAMS = 256;
/** Maximum number of streams of an HTTP/2 connection that have their response while their request is still arriving. */
export const MAX_RESPONDED_STREAMS = 32;
/** Maximum number of queued requests of an HTTP/1.1 connection. Each waits until the client has read the previous response. */
export const MAX_PIPELINED = 100;

// Unread response bytes.

/** Maximum size of a piece of a response that is written at once. The next one follows when the client has read it. */
export const MAX_PIECE_BYTES = 128 * 1024;
/** Maximum size of a response that does not count: its stream needs more memory than that. */
export const MAX_UNCOUNTED_RESPONSE_BYTES = 1024;
/**
 * Maximum number of unread bytes of a principal. Bytes that several of its responses share, such as a cached page, count
 * once, plus one piece for each response.
 */
export const MAX_UNREAD_BYTES = 64 * 1024 * 1024;
/** Maximum number of unread bytes, across all principals. */
export const MAX_ALL_UNREAD_BYTES = 512 * 1024 * 1024;
/** Maximum number of unread bytes of one remote address, in responses to calls without a valid token. */
export const MAX_UNAUTHENTICATED_UNREAD_BYTES = 8 * 1024 * 1024;
/** Maximum number of unread bytes in responses to calls without a valid token, across all remote addresses. */
export const MAX_ALL_UNAUTHENTICATED_UNREAD_BYTES = 64 * 1024 * 1024;

// Streams that need no token: health watches and server reflection.

/** Maximum number of open streams of a connection. A client watches one or two services; a proxy carries several clients. */
export const MAX_OPEN_STREAMS_OF_CONNECTION = 16;
/** Maximum number of open streams of one remote address. */
export const MAX_OPEN_STREAMS_OF_ADDRESS = 128;
/** Maximum number of open streams of the process. */
export const MAX_OPEN_STREAMS = 1_024;
/** Maximum duration of an open stream, in milliseconds. */
export const MAX_OPEN_STREAM_MS = 30 * 60_000;
/** Maximum size of a message in a call that needs no token, in bytes. Such a message contains little more than a name. */
export const MAX_OPEN_MESSAGE_BYTES = 1024;

// Slots for slow work on responses: reading an uncached page, selecting its fields, compressing it.

/** Maximum number of concurrent slots of a principal. */
export const MAX_SLOTS = 1;
/** Maximum number of concurrent slots. One fewer than the threads that serve reads, compression and files. */
export const MAX_ALL_SLOTS = 3;
/** Bytes that are reserved within a principal's {@link MAX_UNREAD_BYTES} for a response in the making. */
export const MAX_EXPECTED_RESPONSE_BYTES = 8 * 1024 * 1024;
/** Maximum time for which a backup receiver reads nothing, in milliseconds. It may be writing to a slow disk. */
export const MAX_BACKUP_STALL_MS = 300_000;
/** Maximum size of the key set at an issuer's URL, in bytes. */
export const MAX_KEY_SET_BYTES = 1024 * 1024;

// Token introspection. Per issuer. Known tokens are the ones that the issuer has reported as active recently.

/** Maximum number of concurrent calls for known tokens, and for unknown ones. A caller may hold as many as it leaves free. */
export const MAX_INTROSPECTIONS = 64;
/** Maximum number of queued calls for known tokens, and for unknown ones. */
export const MAX_WAITING_INTROSPECTIONS = 1_024;
/**
 * Maximum number of queued calls per caller. A known token's caller is its principal. An unknown token's caller is the
 * remote IPv4 address or IPv6 /64 network.
 */
export const MAX_WAITING_INTROSPECTIONS_OF_CALLER = 256;
/** Maximum number of known tokens. */
export const MAX_KNOWN_TOKENS = 10_000;
/** Maximum number of remembered rejected tokens of one remote address, or one IPv6 /64 network. */
export const MAX_REJECTED_TOKENS_OF_ADDRESS = 100;
/** Maximum number of remote addresses, or IPv6 /64 networks, that have remembered rejected tokens. */
export const MAX_ADDRESSES_OF_REJECTED_TOKENS = 100;

// Waits for slots and budgets of any kind.

/** Maximum time that a call waits in total, in milliseconds. Its caller then has a response within ten seconds. */
export const MAX_WAIT_MS = 9_000;
/** Maximum number of a principal's queued calls: as many as a connection has streams. */
export const MAX_WAITING = 256;
/** Maximum number of queued calls, across all principals. */
export const MAX_ALL_WAITING = 4096;

// The log.

/** Maximum size of log lines that are not written yet, in bytes. Further lines are dropped. */
export const MAX_WAITING_LOG_BYTES = 4 * 1024 * 1024;
/** Maximum time that the process waits at its exit for the log to be written, in milliseconds. */
export const MAX_LOG_AT_EXIT_MS = 500;
