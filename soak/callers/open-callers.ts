import { Agent } from "node:http";
import {
  createConnectTransport,
  createGrpcWebTransport,
  Http2SessionManager,
} from "@connectrpc/connect-node";
import type { Random } from "../../src/simulator/random.js";
import type { Caller, Target } from "./caller.js";
import { ConnectCaller, type OpenTransport } from "./connect.js";
import { GrpcCaller } from "./grpc.js";
import { Http1Exchange } from "./http1.js";
import { Http2Exchange } from "./http2.js";
import { JsonCaller } from "./json-caller.js";
import { TypedClientCaller } from "./typed-client.js";

/** A caller for each protocol, with its own connections. */
export function openCallers(target: Target, random: Random): readonly Caller[] {
  return [
    new JsonCaller("HTTP/1.1 JSON", new Http1Exchange(), target, random),
    new JsonCaller("HTTP/2 JSON", new Http2Exchange(), target, random),
    new GrpcCaller(target, random),
    new ConnectCaller("gRPC-Web", openGrpcWeb, target),
    new ConnectCaller("Connect", openConnect, target),
    new TypedClientCaller(target),
  ];
}

/** gRPC-Web by HTTP/2, because this client cannot stream by HTTP/1.1. */
const openGrpcWeb: OpenTransport = (baseUrl) => {
  const sessionManager = new Http2SessionManager(baseUrl);
  const transport = createGrpcWebTransport({ baseUrl, httpVersion: "2", sessionManager });
  return { transport, close: () => sessionManager.abort() };
};

/** Connect by HTTP/1.1, in binary. */
const openConnect: OpenTransport = (baseUrl) => {
  const agent = new Agent({ keepAlive: true });
  const transport = createConnectTransport({
    baseUrl,
    httpVersion: "1.1",
    useBinaryFormat: true,
    nodeOptions: { agent },
  });
  return { transport, close: () => agent.destroy() };
};
