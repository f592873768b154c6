import { McpServer } from "@modelcontextprotocol/server";
import { VERSION } from "../../server/operators/version.js";
import { compareLabels } from "./compare-labels.js";
import { deliveryReport } from "./delivery-report.js";
import { listApps } from "./list-apps.js";
import { registerReadTool, type Source } from "./read-tool.js";
import { whatChanged } from "./what-changed.js";

/** Makes a server of the Model Context Protocol whose tools read the delivery data of a project. */
export function mcpServer(source: Source): McpServer {
  const server = new McpServer(
    { name: "waybill", title: "Waybill", version: VERSION },
    { instructions: instructionsFor(source.project) },
  );
  registerReadTool(server, source, deliveryReport);
  registerReadTool(server, source, whatChanged);
  registerReadTool(server, source, compareLabels);
  registerReadTool(server, source, listApps);
  return server;
}

const instructionsFor = (project: string): string =>
  `Delivery of push messages to the Android apps of the project ${project}. ` +
  "Days are those of America/Los_Angeles; a day is listed once it has ended. " +
  "An incident is a run of days on which the share of an outcome was out of its usual band.";
