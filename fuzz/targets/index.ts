import type { FuzzTarget } from "../engine/fuzz-target.js";
import { accessToken } from "./access-token.js";
import { assertion } from "./assertion.js";
import { attestation } from "./attestation.js";
import { cbor } from "./cbor.js";
import { certificate } from "./certificate.js";
import { commandLine } from "./command-line.js";
import { configFile } from "./config-file.js";
import { eventLine } from "./event-line.js";
import { fieldSelection } from "./field-selection.js";
import { filter } from "./filter.js";
import { grpc } from "./grpc.js";
import { headerValues } from "./header-values.js";
import { http1 } from "./http1.js";
import { http2Frames } from "./http2-frames.js";
import { importRows } from "./import-rows.js";
import { jsonBody } from "./json-body.js";
import { mirroredPage } from "./mirrored-page.js";
import { ndjsonFraming } from "./ndjson-framing.js";
import { pageToken } from "./page-token.js";
import { path } from "./path.js";
import { query } from "./query.js";
import { records } from "./records.js";
import { tokenExchange } from "./token-exchange.js";
import { zstd } from "./zstd.js";

/** All targets: readers in this process first, then servers. */
export const TARGETS: readonly FuzzTarget[] = [
  path,
  query,
  fieldSelection,
  headerValues,
  jsonBody,
  filter,
  pageToken,
  eventLine,
  mirroredPage,
  ndjsonFraming,
  zstd,
  cbor,
  certificate,
  attestation,
  assertion,
  records,
  accessToken,
  tokenExchange,
  configFile,
  importRows,
  commandLine,
  http1,
  http2Frames,
  grpc,
];
