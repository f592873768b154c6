import type { Readable } from "node:stream";
import { getOption } from "@bufbuild/protobuf";
import { ApiError } from "../../api/api-error.js";
import { requestTimeout, unsupportedMediaType } from "../../api/errors.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import { body } from "../../gen/waybill/media/v1/body_pb.js";
import { ImportMessageEventsRequestSchema } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";

const MEDIA_TYPE = getOption(ImportMessageEventsRequestSchema.field.events, body).mediaType;

/** Checks the content type of an import. @throws ApiError `UNSUPPORTED_MEDIA_TYPE` if it is not NDJSON. */
export function requireNdjson(contentType: string): void {
  const [essence = ""] = contentType.split(";", 1);
  if (essence.trim().toLowerCase() !== MEDIA_TYPE)
    throw unsupportedMediaType(contentType || undefined, MEDIA_TYPE);
}

/** Yields a body's chunks. @throws ApiError `REQUEST_TOO_LARGE` at the chunk that exceeds the limit. */
export async function* limitedBody(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new ApiError({
        code: Code.INVALID_ARGUMENT,
        httpStatus: 413,
        reason: "REQUEST_TOO_LARGE",
        message: `The events of one request may have at most ${maxBytes} bytes after decompression: send them in several requests.`,
        metadata: { maxBytes: String(maxBytes) },
      });
    }
    yield chunk;
  }
}

/** Minimum rate at which a body must arrive. */
export interface MinRate {
  /** Minimum number of bytes in {@link milliseconds}. */
  readonly bytes: number;
  readonly milliseconds: number;
}

/**
 * Yields a body's chunks. If the body arrives too slowly, fails with `REQUEST_TIMEOUT`. The time is measured only while
 * the server waits for a chunk.
 */
export async function* steadyBody(body: Readable, { bytes, milliseconds }: MinRate): AsyncGenerator<Buffer> {
  let arrived = 0;
  let left = milliseconds;
  let waitingSince = 0;
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    waitingSince = performance.now();
    timer = setTimeout(check, left);
  };
  const check = (): void => {
    if (arrived < bytes) {
      body.destroy(requestTimeout());
      return;
    }
    arrived = 0;
    left = milliseconds;
    wait();
  };
  try {
    wait();
    for await (const chunk of body as AsyncIterable<Buffer>) {
      clearTimeout(timer);
      left = Math.max(0, left - (performance.now() - waitingSince));
      arrived += chunk.length;
      yield chunk;
      wait();
    }
  } finally {
    clearTimeout(timer);
  }
}
