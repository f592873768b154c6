/**
 * Limits on requests, responses and connections of callers, and on the memory that these need. A name's suffix is its
 * unit, such as `_BYTES`. The comment above each section states what its limits apply to. `docs/reference/limits.md`
 * lists all values.
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
/** Maximum size of a message to `waybill mcp`, in bytes. */
export const MAX_MCP_LINE_BYTES = 10 * 1024 * 1024;

// Configuration changes. Per request.

/** Maximum number of distinct fields in a field mask. */
export const MAX_MASK_FIELDS = 100;
/** Maximum length of a principal's name, in characters. */
export const MAX_PRINCIPAL = 1_024;

// Client timeouts, in milliseconds. Per connection, or per HTTP/2 stream.

/** Timeout for a request head. Legitimate clients send it quickly. */
export const MAX_HEAD_MS = 20_000;
/** Timeout for a request head that is still arriving when the server stops. */
export const MAX_HEAD_AT_STOP_MS = 2_000;
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
/** Maximum time for which a backup's receiver may read nothing, in milliseconds. It may be writing to a slow disk. */
export const MAX_BACKUP_STALL_MS = 300_000;

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

/**
 * Maximum number of concurrent slots. It is one less than the number of threads for reads, compression and files. A
 * principal may start with two of them, or with one if another principal uses any.
 */
export const MAX_ALL_SLOTS = 3;
/** Bytes that are reserved from a principal's {@link MAX_UNREAD_BYTES} while a response is being created. */
export const MAX_EXPECTED_RESPONSE_BYTES = 8 * 1024 * 1024;

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

/**
 * Maximum size of log lines that wait to be written, in bytes. Further lines are dropped. A character counts as one byte,
 * so that lines beyond ASCII can need up to three times as much memory.
 */
export const MAX_WAITING_LOG_BYTES = 4 * 1024 * 1024;
/** Maximum time for which an exiting process waits until the log is written, in milliseconds. */
export const MAX_LOG_AT_EXIT_MS = 500;
