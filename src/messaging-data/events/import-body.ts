import type { Readable } from "node:stream";
import { getOption } from "@bufbuild/protobuf";
import { ApiError } from "../../api/api-error.js";
import { requestTimeout, unsupportedMediaType } from "../../api/errors.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import { body } from "../../gen/waybill/media/v1/body_pb.js";
import { ImportMessageEventsRequestSchema } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";

const MEDIA_TYPE = getOption(ImportMessageEventsRequestSchema.field.events, body).mediaType;

/** @throws ApiError `UNSUPPORTED_MEDIA_TYPE` */
export function requireNdjson(contentType: string): void {
  const [essence = ""] = contentType.split(";", 1);
  if (essence.trim().toLowerCase() !== MEDIA_TYPE)
    throw unsupportedMediaType(contentType || undefined, MEDIA_TYPE);
}

/** @throws ApiError `REQUEST_TOO_LARGE` at the chunk that exceeds the limit. */
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

/** Minimum rate of an arriving body. */
export interface MinRate {
  /** Minimum number of bytes per {@link milliseconds} of waiting. */
  readonly bytes: number;
  readonly milliseconds: number;
}

/**
 * Yields a body's chunks. A body that arrives too slowly fails with `REQUEST_TIMEOUT`. Only the time that the server waits
 * for chunks counts.
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
