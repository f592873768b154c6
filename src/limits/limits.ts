/**
 * Everything that a caller can make the server do or keep, and the most of it. Each limit has its unit in its name or its
 * comment and says whom it is counted for; `SECURITY.md` has the same numbers for users, and a test compares both.
 */

/** Longest excerpt of a caller's text that an error message, a header or a log line repeats, in characters. */
export const MAX_EXCERPT = 200;

// Failures. Each is counted for one answer.

/** Longest message of a failure, description of what is wrong with a field, or value in its metadata, in characters. */
export const MAX_ERROR_TEXT = 1_000;

/** Most fields that are told to be wrong. */
export const MAX_VIOLATIONS = 100;

/** Most characters of their names and descriptions together. */
export const MAX_VIOLATION_TEXT = 32 * 1024;

/** Most bytes that a failure adds to the headers or trailers of gRPC: many clients take 8 KiB of all. */
export const MAX_ERROR_HEADER_BYTES = 8 * 1024;

// Heads of requests. Each is counted for one request, whoever sends it.

/** Longest request target, in bytes. */
export const MAX_TARGET_BYTES = 16 * 1024;

/** Largest header section without the request line, in bytes. */
export const MAX_HEADER_BYTES = 32 * 1024;

/**
 * Largest head that the parser of HTTP/1.1 reads, in bytes. It lies far above the limits of its parts, so that a URL and a
 * header that are too long can be told from each other and answered in order.
 */
export const MAX_PARSED_HEAD_BYTES = 256 * 1024;

// Bodies of requests. Each is counted for one request, in bytes after unpacking.

/** Largest body of JSON. */
export const MAX_JSON_BYTES = 1024 * 1024;

/** Largest form at the token endpoint, where anybody may send one. */
export const MAX_TOKEN_FORM_BYTES = 64 * 1024;

/** Largest body that exchanges the code of a demo, which anybody may send. */
export const MAX_DEMO_CODE_BYTES = 1024;

/** Largest message of a call by gRPC, gRPC-Web or Connect; what gRPC servers commonly take. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** Largest window of a zstd frame, which the decoder keeps in memory: what RFC 8878 §3.1.1.1.2 recommends to support. */
export const MAX_ZSTD_WINDOW_BYTES = 8 * 1024 * 1024;

/** Most bytes of windows that frames and blocks of a zstd body touch before anything is unpacked. */
export const MAX_ZSTD_EMPTY_WORK_BYTES = 256 * 1024 * 1024;

/** Most bytes of windows that frames and blocks of a zstd body touch for each byte that is unpacked. */
export const MAX_ZSTD_WORK_BYTES = 512;

/** Most bytes of windows that decoders of zstd keep for a principal at the same time. */
export const MAX_ZSTD_WINDOWS_BYTES = 64 * 1024 * 1024;

/** Most bytes of windows that decoders of zstd keep for all principals at the same time. */
export const MAX_ALL_ZSTD_WINDOWS_BYTES = 256 * 1024 * 1024;

/** Longest time that a body of zstd is unpacked before another has its turn, in milliseconds. */
export const MAX_ZSTD_TURN_MS = 2;

/** Most bytes that a packed body has beyond twice what has been unpacked of it. */
export const MAX_PACKED_LEAD_BYTES = 1024 * 1024;

/** Most bytes of a refused HTTP/1.1 request that are read and forgotten, so that its client reads the answer. */
export const MAX_DISCARDED_BYTES = 128 * 1024 * 1024;

// Changes of configurations. Each is counted for one request.

/** Most fields that a field mask may name. Those that it repeats count once. */
export const MAX_MASK_FIELDS = 100;

/** Longest line of the journal of changes, in bytes; a longer one is taken for damage. */
export const MAX_JOURNAL_LINE_BYTES = 16 * 1024;

/** Longest name of a principal, in characters. */
export const MAX_PRINCIPAL = 1_024;

// Imports. Each is what a configuration without limits of its own has, counted for one request.

/** Longest line of an import, without its line break. */
export const MAX_LINE_BYTES = 8 * 1024;

/** Largest import, unpacked. */
export const MAX_IMPORT_BYTES = 64 * 1024 * 1024;

/** Most days that the events of an import may have: each has to be rolled up. */
export const MAX_IMPORT_DAYS = 1_000;

// Imports at the same time. A project, and of places a principal too, gets at most as much as it leaves free.

/** Most imports that are parsed and stored at the same time, in all. */
export const MAX_IMPORTS = 16;

/** Most bytes of all imports under way, unpacked; four times the largest import if that is configured to be larger. */
export const MAX_IMPORTS_BYTES = 256 * 1024 * 1024;

/** What an import counts among these before any of its lines are parsed: a decoder and a segment of lines that gathers. */
export const MAX_OPEN_BODY_BYTES = 1024 * 1024;

/** Least bytes a second, unpacked, of the body of an import that the server waits for, counted over {@link MAX_SLOW_BODY_MS}. */
export const MIN_BODY_BYTES_PER_SECOND = 1024;

/** How long the body of an import may be slower than that, in milliseconds. */
export const MAX_SLOW_BODY_MS = 30_000;

// Rollups.

/** Most days of one project that are rolled up before another project has its turn. */
export const MAX_DAYS_A_TURN = 256;

// Time that clients may take, in milliseconds. Each is counted for one connection, or for one stream of HTTP/2.

/** Until the head of a request is there: nobody has a reason to send it slowly. */
export const MAX_HEAD_MS = 20_000;

/** Until the head of a request is there that has begun when the server stops. */
export const MAX_HEAD_AT_STOP_MS = 2_000;

/** Until the whole of a request is there. */
export const MAX_REQUEST_MS = 300_000;

/** Until a connection on which nothing is asked is closed. */
export const MAX_IDLE_MS = 72_000;

/**
 * Until the client has taken the next {@link MAX_PIECE_BYTES} of an answer, or its rest. That is a least rate as well: a
 * client that takes a byte now and then keeps an answer no longer than one that takes nothing.
 */
export const MAX_STALL_MS = 60_000;

/** How long a client may go on with the body of a refused HTTP/1.1 request before it is cut off. */
export const MAX_DISCARD_MS = 10_000;

/** How long a client may go on with the body of an HTTP/2 request that has been answered before its stream is reset. */
export const MAX_ANSWERED_STREAM_MS = 1_000;

/** How long a connection that cannot be used any more stays, so that the client reads the answer. */
export const MAX_BROKEN_CONNECTION_MS = 2_000;

/** How long a client may take to close its side of an HTTP/2 connection that has ended. */
export const MAX_ENDED_CONNECTION_MS = 500;

// Connections.

/** Most connections to the services at the same time. One with TLS takes some 60 KB. */
export const MAX_CONNECTIONS = 4_096;

/** Most handshakes of TLS at the same time: each costs about a millisecond in which nothing else is done. */
export const MAX_HANDSHAKES = 256;

/** Most handshakes of TLS at the same time from one remote address, or one /64 network of IPv6. */
export const MAX_HANDSHAKES_OF_ADDRESS = 64;

/** Most connections from one remote address, or one /64 network of IPv6: all clients of a proxy may share it. */
export const MAX_CONNECTIONS_OF_ADDRESS = 1_024;

/** Most streams of one HTTP/2 connection at the same time. */
export const MAX_STREAMS = 256;

/** Most streams of one HTTP/2 connection that have been answered while their request goes on. */
export const MAX_ANSWERED_STREAMS = 32;

/**
 * Most requests of one HTTP/1.1 connection that wait for their turn. A request is begun when the client has taken the answer
 * to the one before.
 */
export const MAX_PIPELINED = 100;

// Answers that were handed over and that their clients have not taken yet, in bytes.

/** Largest piece of an answer that is written at a time; the next follows when the client has taken it. */
export const MAX_PIECE_BYTES = 128 * 1024;

/** Largest answer that is not counted: the stream that it is for takes more memory. */
export const MAX_UNCOUNTED_ANSWER_BYTES = 1024;

/**
 * For a principal. Bytes that several of its answers share, such as those of a page that is kept, count once, and again a
 * piece for each answer.
 */
export const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

/** For all principals together. */
export const MAX_ALL_UNREAD_BYTES = 512 * 1024 * 1024;

/** For a remote address, of answers to calls without a valid token. */
export const MAX_STRANGER_UNREAD_BYTES = 8 * 1024 * 1024;

/** For all remote addresses together. */
export const MAX_ALL_STRANGERS_UNREAD_BYTES = 64 * 1024 * 1024;

// Streams that anybody may open without a token: those that watch the health of a service, and server reflection.

/** Most of one connection. A client watches one service, rarely two; a proxy may bring several clients. */
export const MAX_OPEN_STREAMS_OF_CONNECTION = 16;

/** Most of one remote address. */
export const MAX_OPEN_STREAMS_OF_ADDRESS = 128;

/** Most of one process. */
export const MAX_OPEN_STREAMS = 1_024;

/** How long each may last, in milliseconds. */
export const MAX_OPEN_STREAM_MS = 30 * 60_000;

/** Largest message of a call that needs no token, in bytes: a name is all that these ask with. */
export const MAX_OPEN_MESSAGE_BYTES = 1024;

// Turns at making what takes long: reading a page that is not kept, selecting fields of it, compressing it.

/** For a principal, at the same time. */
export const MAX_TURNS = 2;

/** For all principals at the same time: one less than the threads that serve reading, compressing and files. */
export const MAX_ALL_TURNS = 3;

/** What is kept free among the bytes that a principal may leave untaken for an answer that is being made. */
export const MAX_EXPECTED_ANSWER_BYTES = 8 * 1024 * 1024;

/** Most calls of a principal that wait for their turn: as many as a connection has streams. */
export const MAX_WAITING = 256;

/** Most calls of all principals that wait for their turn. */
export const MAX_ALL_WAITING = 4096;
