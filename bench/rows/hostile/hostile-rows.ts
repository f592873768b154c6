import type { Row } from "../../support/row.js";
import { attackRow } from "./attack-row.js";
import {
  importsItsEvent,
  lists,
  listsItsEvent,
  listsItsEventSoon,
  listsWithOpaqueTokens,
} from "./bystander.js";

/** The effect of attacks on other principals, each on a new server. */
export const HOSTILE_ROWS: readonly Row[] = [
  attackRow({ number: "1", what: "packed bodies of empty frames", client: "packed-bodies" }),
  attackRow({
    number: "2",
    what: "imports on very many days",
    client: "many-days",
    meanwhile: listsItsEvent,
  }),
  attackRow({
    number: "3",
    what: "unread responses",
    client: "unread-responses",
    readsPages: true,
    meanwhile: lists,
  }),
  attackRow({ number: "3-http2", what: "unread streams", client: "unread-streams", readsPages: true }),
  attackRow({ number: "4", what: "watches without a token", client: "health-watches" }),
  attackRow({
    number: "5",
    what: "trickled imports",
    client: "trickled-imports",
    meanwhile: importsItsEvent,
  }),
  attackRow({ number: "6", what: "shaped large pages", client: "shaped-pages", readsPages: true }),
  attackRow({ number: "7", what: "calls without a message", client: "empty-calls", stops: true }),
  attackRow({ number: "8", what: "long names", client: "long-names" }),
  attackRow({
    number: "tokens",
    what: "unknown tokens",
    client: "unknown-tokens",
    introspects: true,
    meanwhile: listsWithOpaqueTokens,
  }),
  attackRow({ number: "connections", what: "idle connections", client: "idle-connections" }),
  attackRow({
    number: "log",
    what: "a log on a full disk",
    client: "logged-requests",
    log: "/dev/full",
    stops: true,
  }),
  attackRow({ number: "admin", what: "foreign hosts and tokens", client: "admin-requests" }),
  attackRow({
    number: "labels",
    what: "a label per message",
    client: "label-per-message",
    meanwhile: listsItsEventSoon,
  }),
  attackRow({
    number: "challenges",
    what: "a flood of challenges",
    client: "challenge-flood",
    attests: "with limits",
  }),
  attackRow({
    number: "forgeries",
    what: "forged attestations",
    client: "forged-attestations",
    attests: "without limits",
  }),
  attackRow({
    number: "replays",
    what: "replayed exchanges and tokens",
    client: "replayed-exchanges",
    attests: "without limits",
  }),
  attackRow({ number: "16", what: "rejected bodies", client: "rejected-bodies", stops: true }),
];
