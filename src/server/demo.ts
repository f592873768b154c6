import { WaybillClient } from "@waybill/client";
import { Scope } from "../gen/waybill/auth/v1/authorization_pb.js";
import { type Day, dayOf, formatDay } from "../model/day.js";
import type { Fault } from "../simulator/faults.js";
import { type SimulationOptions, simulateTraffic } from "../simulator/simulate-traffic.js";
import type { ListeningUrls } from "./addresses.js";
import { DEMO_ANDROID_APPS, DEMO_CONFIG, DEMO_PRINCIPAL } from "./config/demo-config.js";
import type { RunningServer } from "./start-server.js";

const TOKEN_SECONDS = 24 * 60 * 60;

/**
 * Imports simulated traffic of the days before today, if the store is empty.
 *
 * @returns a message for the user, with a token and example requests.
 */
export async function runDemo({ parts, services }: RunningServer): Promise<string> {
  const { config, addresses, scopeNames, localIssuer, dayClock } = parts;
  if (localIssuer === undefined) return "The demo has no token to show: auth.localIssuer is off.\n";
  const token = await localIssuer.sign({
    principal: DEMO_PRINCIPAL,
    scopes: [scopeNames.nameOf(Scope.PLATFORM)],
    ttlSeconds: TOKEN_SECONDS,
  });
  const messagingData = services["messaging-data"];
  const server = addresses.listening.messagingDataUrl;
  if (messagingData !== undefined && server !== undefined && (await messagingData.store.isEmpty())) {
    const project = DEMO_CONFIG.projects[0].id;
    const traffic = simulateTraffic(demoTraffic(dayOf(dayClock.wall())));
    // All events are in one request if the limits allow it. An interrupted demo then has either all events or none.
    const { maxRequestBytes, maxLineBytes } = config.messagingData.import;
    const batchBytes = Math.max(1, maxRequestBytes - maxLineBytes - 1);
    const client = new WaybillClient({ messagingDataUrl: server, token });
    await client.importEvents({ project, events: bytesOf(traffic), batchBytes });
    await messagingData.settled(Number.POSITIVE_INFINITY);
  }
  return guide(addresses.listening, token, messagingData?.console?.demoLink());
}

function* bytesOf(texts: Iterable<string>): Generator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

function guide(
  { integrityUrl, messagingDataUrl }: ListeningUrls,
  token: string,
  link: string | undefined,
): string {
  const [project] = DEMO_CONFIG.projects;
  const curl = (title: string, url: string): string =>
    `${title}:\n  curl -H 'Authorization: Bearer ${token}' '${url}prettyPrint=true'\n`;
  return [
    ...(link === undefined
      ? []
      : [`\nThe web console, with a sign-in link that works once, within an hour:\n  ${link}`]),
    `\nAccess token of ${DEMO_PRINCIPAL}, valid for 24 hours:\n  ${token}\n`,
    ...(integrityUrl === undefined
      ? []
      : [
          curl(
            "The app-attestation configuration of an app",
            `${integrityUrl}/v1/projects/${project.id}/apps/${project.apps[0].id}/appAttestConfig?`,
          ),
        ]),
    ...(messagingDataUrl === undefined
      ? []
      : [
          curl(
            "The delivery data of an app, newest day first",
            `${messagingDataUrl}/v1beta1/projects/${project.id}/androidApps/${DEMO_ANDROID_APPS[0]}/deliveryData?pageSize=2&`,
          ),
        ]),
  ].join("\n");
}

const DAYS = 75;

/** Simulates traffic up to the day before `today`. All apps have two failures, which serve as example incidents. */
export const demoTraffic = (today: Day): SimulationOptions => ({
  apps: DEMO_ANDROID_APPS,
  startDay: formatDay(today - DAYS),
  days: DAYS,
  messages: 60_000,
  labels: 8,
  seed: 1,
  faults: [badDay(formatDay(today - 26)), fallOfPromo(formatDay(today - 12))],
});

const badDay = (day: string): Fault => ({ from: day, to: day, delivered: 0.5 });

const fallOfPromo = (from: string): Fault => ({ label: "promo", from, delivered: 0.45 });
