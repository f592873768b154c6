import { closedAtEnd } from "../closing.js";
import { test as serving } from "../servers/fixtures.js";
import { GrpcService } from "./grpc.js";

export const INTEGRITY = "waybill.integrity.v1.IntegrityService";
export const MESSAGING_DATA = "waybill.messagingdata.v1beta1.MessagingDataService";

/** Tests with gRPC clients of the file's server. */
export const test = serving
  .extend("integrity", { scope: "file" }, ({ server }, { onCleanup }) =>
    closedAtEnd(new GrpcService(server.integrityUrl, INTEGRITY), onCleanup),
  )
  .extend("messagingData", { scope: "file" }, ({ server }, { onCleanup }) =>
    closedAtEnd(new GrpcService(server.messagingDataUrl, MESSAGING_DATA), onCleanup),
  );
