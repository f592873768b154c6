/**
 * Limits on the work and memory that a caller can cause. Each limit has its unit in its name or its comment,
 * and its section says what it is counted for. `SECURITY.md` lists the same numbers for users; a test
 * compares both.
 */

/** Longest excerpt of the caller's text in an error message, a header or a log line, in characters. */
export const MAX_EXCERPT = 200;

// Errors. Each limit applies to one response.

/** Longest error message, description of a field violation or metadata value, in characters. */
export const MAX_ERROR_TEXT = 1_000;

/** Most field violations in an error. */
export const MAX_VIOLATIONS = 100;

/** Most characters in the fields and descriptions of all violations of an error. */
export const MAX_VIOLATION_TEXT = 32 * 1024;

/** Most bytes that an error adds to gRPC headers or trailers; many clients accept 8 KiB in total. */
export const MAX_ERROR_HEADER_BYTES = 8 * 1024;

// Request heads. Each limit applies to one request of any sender.

/** Longest request target, in bytes. */
export const MAX_TARGET_BYTES = 16 * 1024;

/** Largest header section, without the request line, in bytes. */
export const MAX_HEADER_BYTES = 32 * 1024;

/**
 * Largest head that the HTTP/1.1 parser reads, in bytes. It is far above the limits of the parts of a head:
 * the server can tell a URL that is too long from headers that are too large, and answer each.
 */
export const MAX_PARSED_HEAD_BYTES = 256 * 1024;

// Request bodies. Each limit applies to one request, in bytes after decompression unless it says otherwise.

/** Largest JSON body. */
export const MAX_JSON_BYTES = 1024 * 1024;

/** Largest form at the token endpoint, which anybody may call. */
export const MAX_TOKEN_FORM_BYTES = 64 * 1024;

/** Largest body of an exchange of a demo code, which anybody may send. */
export const MAX_DEMO_CODE_BYTES = 1024;

/** Largest message of a gRPC, gRPC-Web or Connect call; the usual limit of gRPC servers. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/**
 * Largest window of a zstd frame, which the decoder keeps in memory; the size that RFC 8878 §3.1.1.1.2
 * recommends to support.
 */
export const MAX_ZSTD_WINDOW_BYTES = 8 * 1024 * 1024;

/** Most bytes of windows that the frames and blocks of a zstd body may touch before any output. */
export const MAX_ZSTD_EMPTY_WORK_BYTES = 256 * 1024 * 1024;

/** Most bytes of windows that the frames and blocks of a zstd body may touch for each byte of output. */
export const MAX_ZSTD_WORK_BYTES = 512;

/** Most bytes of zstd windows that a principal may occupy at the same time. */
export const MAX_ZSTD_WINDOWS_BYTES = 64 * 1024 * 1024;

/** Most bytes of zstd windows that all principals together may occupy at the same time. */
export const MAX_ALL_ZSTD_WINDOWS_BYTES = 256 * 1024 * 1024;

/** Longest time to decompress a zstd body before another body has its turn, in milliseconds. */
export const MAX_ZSTD_TURN_MS = 2;

/** Most bytes by which the compressed part of a body may exceed twice its decompressed part. */
export const MAX_PACKED_LEAD_BYTES = 1024 * 1024;

/**
 * Most bytes of a refused HTTP/1.1 request that are read and discarded to let its client read the response.
 */
export const MAX_DISCARDED_BYTES = 128 * 1024 * 1024;

// Changes of configurations. Each limit applies to one request.

/** Most distinct fields that a field mask may name. */
export const MAX_MASK_FIELDS = 100;

/** Longest name of a principal, in characters. */
export const MAX_PRINCIPAL = 1_024;

// Imports. Defaults for configurations without limits of their own; each applies to one request.

/** Longest line of an import without its line break, in bytes. */
export const MAX_LINE_BYTES = 8 * 1024;

/** Largest import after decompression, in bytes. */
export const MAX_IMPORT_BYTES = 64 * 1024 * 1024;

/** Most days that the events of an import may cover; each of them needs a rollup. */
export const MAX_IMPORT_DAYS = 1_000;

// Names of a project. Defaults for configurations without limits of their own.

/** Maximum number of distinct labels of a project. Each day may have an entry for each of them. */
export const MAX_PROJECT_LABELS = 100_000;

/** Maximum number of Android apps of a project. */
export const MAX_PROJECT_APPS = 10_000;

// Concurrent imports. A project may hold at most as much as it leaves free; for slots, a principal too.

/** Most imports that are parsed and stored at the same time. */
export const MAX_IMPORTS = 16;

/**
 * Maximum number of decompressed bytes of all running imports, plus the 16 bytes that are kept of each event to find its
 * line; four times the largest import if that is configured to be larger.
 */
export const MAX_IMPORTS_BYTES = 256 * 1024 * 1024;

/**
 * Bytes that an import counts toward {@link MAX_IMPORTS_BYTES} before its first line is parsed, for its
 * decoder and a segment of lines.
 */
export const MAX_OPEN_BODY_BYTES = 1024 * 1024;

/**
 * Minimum rate of an import's body, in decompressed bytes per second, averaged over {@link MAX_SLOW_BODY_MS}.
 */
export const MIN_BODY_BYTES_PER_SECOND = 1024;

/**
 * Longest time that the body of an import may be slower than {@link MIN_BODY_BYTES_PER_SECOND}, in
 * milliseconds.
 */
export const MAX_SLOW_BODY_MS = 30_000;

// Rollups.

/** Most days of one project that are rolled up before another project has its turn. */
export const MAX_DAYS_A_TURN = 256;

// Incidents.

/** Most apps that are judged at the same time: the rows of one may take tens of megabytes. Projects take turns. */
export const MAX_JUDGEMENTS = 1;

/** Most calls of one principal that have apps judged at the same time: for one app, and for all apps of a project. */
export const MAX_JUDGING_CALLS = 1;

/** Most days that are judged, the last listed ones. */
export const MAX_JUDGED_DAYS = 400;

/** Most labels that are judged, those with the most messages. */
export const MAX_JUDGED_LABELS = 2_500;

/** Most apps that a call may ask for at once. */
export const MAX_JUDGED_APPS = 1_000;

/** Most apps whose ongoing incidents have a series of their own in the metrics. */
export const MAX_WATCHED_APPS = 1_000;

/** Maximum number of incidents of one project whose ids are remembered while late events move them: the newest. */
export const MAX_IDENTIFIED_INCIDENTS = 10_000;

/** Maximum size of a message to `waybill mcp`, in bytes. */
export const MAX_MCP_LINE_BYTES = 10 * 1024 * 1024;

// Calls of Waybill itself. The limit applies to one answer.

/** Longest time to wait that an answer can ask for, in milliseconds: a day. */
export const MAX_RETRY_AFTER_MS = 86_400_000;

// Webhooks. Each limit applies to one address.

/** Longest time for an address to take a message, in milliseconds. */
export const MAX_WEBHOOK_MS = 15_000;

/** The same for a message that is on its way when the server stops. */
export const MAX_WEBHOOK_AT_STOP_MS = 1_000;

/** Longest time for which a change of an incident is told again and again, in milliseconds: seven days. */
export const MAX_TOLD_MS = 7 * 86_400_000;

/** Most incidents of one project that are remembered: those that go on or ended lately, the newest. */
export const MAX_TOLD_INCIDENTS = 1_000;

// The original of a mirror, which Waybill itself calls. Each limit applies to one answer, unless it says otherwise.

/** Largest page of the original, unpacked; the largest that the contract allows have a few megabytes. */
export const MAX_ORIGINAL_PAGE_BYTES = 32 * 1024 * 1024;

/** Longest time in which the original sends no byte of its answer, in milliseconds. */
export const MAX_ORIGINAL_SILENCE_MS = 60_000;

/** Longest time for a whole answer of the original, in milliseconds. */
export const MAX_ORIGINAL_ANSWER_MS = 300_000;

/** Longest time for an access token to the original, in milliseconds. */
export const MAX_ORIGINAL_TOKEN_MS = 30_000;

/** Most pages of an app that are read at a time. */
export const MAX_ORIGINAL_PAGES = 1_000;

/** Most entries of an app that are read at a time, rounded up to a whole page. */
export const MAX_ORIGINAL_ENTRIES = 500_000;

/** Most apps that listings of the original may name, in one and in all. */
export const MAX_ORIGINAL_APPS = 10_000;

// The last listed day.

/** Most apps whose messages of the last listed day have series of their own in the metrics. */
export const MAX_MEASURED_APPS = 1_000;

// Timeouts for clients, in milliseconds. Each applies to one connection, or to one HTTP/2 stream.

/** Longest time to receive a request head, which no client needs to send slowly. */
export const MAX_HEAD_MS = 20_000;

/** Longest time to receive the rest of a request head that has begun to arrive when the server stops. */
export const MAX_HEAD_AT_STOP_MS = 2_000;

/** Longest time to receive a whole request. */
export const MAX_REQUEST_MS = 300_000;

/** Longest time that a connection may be idle before it is closed. */
export const MAX_IDLE_MS = 72_000;

/**
 * Longest time for the client to take the next {@link MAX_PIECE_BYTES} of a response, or its rest. This also
 * sets a minimum rate: a client that takes a byte now and then cannot hold a response longer than one that
 * takes nothing.
 */
export const MAX_STALL_MS = 60_000;

/** Longest time that a client may continue the body of a refused HTTP/1.1 request before it is cut off. */
export const MAX_DISCARD_MS = 10_000;

/**
 * Longest time that a client may continue the body of an answered HTTP/2 request before its stream is reset.
 */
export const MAX_ANSWERED_STREAM_MS = 1_000;

/** Longest time that an unusable connection stays open for the client to read the response. */
export const MAX_BROKEN_CONNECTION_MS = 2_000;

/** Longest time for a client to close its side of an ended HTTP/2 connection. */
export const MAX_ENDED_CONNECTION_MS = 500;

// Connections.

/** Most concurrent connections to the services. A TLS connection takes about 60 KB. */
export const MAX_CONNECTIONS = 4_096;

/** Most concurrent TLS handshakes; each blocks the event loop for about a millisecond. */
export const MAX_HANDSHAKES = 256;

/** Most concurrent TLS handshakes from one remote address, or one IPv6 /64 network. */
export const MAX_HANDSHAKES_OF_ADDRESS = 64;

/**
 * Most connections from one remote address, or one IPv6 /64 network; all clients of a proxy may share one.
 */
export const MAX_CONNECTIONS_OF_ADDRESS = 1_024;

/** Most concurrent streams of one HTTP/2 connection. */
export const MAX_STREAMS = 256;

/** Most streams of one HTTP/2 connection that are answered while their request is still arriving. */
export const MAX_ANSWERED_STREAMS = 32;

/**
 * Most waiting requests of one HTTP/1.1 connection. A request begins once the client has taken the response
 * to the previous one.
 */
export const MAX_PIPELINED = 100;

// Responses that clients have not yet taken, in bytes.

/** Largest piece of a response that is written at once; the next follows when the client has taken it. */
export const MAX_PIECE_BYTES = 128 * 1024;

/** Largest response that is not counted: its stream takes more memory than that. */
export const MAX_UNCOUNTED_ANSWER_BYTES = 1024;

/**
 * Most unread bytes of one principal. Bytes that several of its responses share, such as those of a cached
 * page, count once, plus one piece for each response.
 */
export const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

/** Most unread bytes of all principals together. */
export const MAX_ALL_UNREAD_BYTES = 512 * 1024 * 1024;

/** Most unread bytes of one remote address, in responses to calls without a valid token. */
export const MAX_STRANGER_UNREAD_BYTES = 8 * 1024 * 1024;

/** Most unread bytes of all remote addresses together, in responses to calls without a valid token. */
export const MAX_ALL_STRANGERS_UNREAD_BYTES = 64 * 1024 * 1024;

// Streams that need no token: health watches and server reflection.

/**
 * Most open streams of one connection. A client watches one service, rarely two; a proxy may carry several
 * clients.
 */
export const MAX_OPEN_STREAMS_OF_CONNECTION = 16;

/** Most open streams of one remote address. */
export const MAX_OPEN_STREAMS_OF_ADDRESS = 128;

/** Most open streams of the process. */
export const MAX_OPEN_STREAMS = 1_024;

/** Longest duration of an open stream, in milliseconds. */
export const MAX_OPEN_STREAM_MS = 30 * 60_000;

/** Largest message of a call that needs no token, in bytes; such a message holds little more than a name. */
export const MAX_OPEN_MESSAGE_BYTES = 1024;

// Turns at slow work on responses: reading a page that is not cached, selecting its fields, compressing it.

/** Most concurrent turns of one principal. */
export const MAX_TURNS = 1;

/**
 * Longest time in which the receiver of a backup takes no more of it, in milliseconds; it may be writing to a
 * slow disk.
 */
export const MAX_BACKUP_STALL_MS = 300_000;

/**
 * Most concurrent turns of all principals; one fewer than the threads that serve reads, compression and
 * files.
 */
export const MAX_ALL_TURNS = 3;

/** Bytes that are reserved within a principal's {@link MAX_UNREAD_BYTES} for a response in the making. */
export const MAX_EXPECTED_ANSWER_BYTES = 8 * 1024 * 1024;

/** Maximum size of the key set at an issuer's URL, in bytes. */
export const MAX_KEY_SET_BYTES = 1024 * 1024;

// Introspection of tokens. Limits apply to one issuer; known tokens are those that it has reported as active recently.

/** Most concurrent calls about known tokens, and about unknown ones. A caller may hold at most as many as it leaves free. */
export const MAX_INTROSPECTIONS = 64;

/** Most calls about known tokens, and about unknown ones, that wait for a slot. */
export const MAX_WAITING_INTROSPECTIONS = 1_024;

/** Most of them of one caller: the principal of a known token, the remote address or IPv6 /64 network of another. */
export const MAX_WAITING_INTROSPECTIONS_OF_CALLER = 256;

/** Most known tokens that are remembered. */
export const MAX_KNOWN_TOKENS = 10_000;

/** Most rejected tokens of one remote address, or one IPv6 /64 network, that are remembered. */
export const MAX_REJECTED_TOKENS_OF_ADDRESS = 100;

/** Most remote addresses, or IPv6 /64 networks, of remembered rejected tokens. */
export const MAX_ADDRESSES_OF_REJECTED_TOKENS = 100;

// Waits for slots and budgets, of any kind.

/**
 * Maximum time that a call waits for slots and budgets in total, in milliseconds: its caller then has a response within ten
 * seconds.
 */
export const MAX_WAIT_MS = 9_000;

/** Most calls of one principal that wait for their turn; as many as a connection has streams. */
export const MAX_WAITING = 256;

/** Most calls of all principals that wait for their turn. */
export const MAX_ALL_WAITING = 4096;

// The log.

/** Maximum size of log lines that are not written yet, in bytes; further lines are dropped. */
export const MAX_WAITING_LOG_BYTES = 4 * 1024 * 1024;

/** Maximum time that the exit of the process waits for its log to be written, in milliseconds. */
export const MAX_LOG_AT_EXIT_MS = 500;
