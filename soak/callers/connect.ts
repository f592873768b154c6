import { create, fromJson, toJson } from "@bufbuild/protobuf";
import { type Client, Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { ErrorInfoSchema } from "../../src/gen/google/rpc/error_details_pb.js";
import { AppAttestConfigSchema, IntegrityService } from "../../src/gen/waybill/integrity/v1/integrity_pb.js";
import {
  AggregateAndroidDeliveryDataResponseSchema,
  AggregateAndroidDeliveryDataRequest_Dimension as Dimension,
  type ImportMessageEventsRequest,
  ImportMessageEventsRequestSchema,
  ListAndroidDeliveryDataResponseSchema,
  MessagingDataService,
} from "../../src/gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { CallFailure, connectionFailure } from "./call-failure.js";
import {
  type Caller,
  type Config,
  type Page,
  type Repeat,
  type Sums,
  type Target,
  walkPages,
} from "./caller.js";

/** Opens connections to an address, and returns a function that closes them. */
export type OpenTransport = (baseUrl: string) => {
  readonly transport: Transport;
  readonly close: () => void;
};

interface Clients {
  readonly integrity: Client<typeof IntegrityService>;
  readonly messagingData: Client<typeof MessagingDataService>;
  close(): void;
}

/** Calls by a protocol of the Connect clients. */
export class ConnectCaller implements Caller {
  readonly protocol: string;
  readonly #open: OpenTransport;
  readonly #target: Target;
  readonly #options: { readonly headers: Record<string, string> };
  #clients: Clients | undefined;

  constructor(protocol: string, open: OpenTransport, target: Target) {
    this.protocol = protocol;
    this.#open = open;
    this.#target = target;
    this.#options = { headers: { authorization: `Bearer ${target.token}` } };
  }

  async getConfig(name: string): Promise<Config> {
    const { integrity } = this.#connected();
    return toJson(AppAttestConfigSchema, await asked(integrity.getAppAttestConfig({ name }, this.#options)));
  }

  async batchGetConfigs(project: string, apps: readonly string[]): Promise<readonly Config[]> {
    const names = apps.map((app) => `projects/${project}/apps/${app}/appAttestConfig`);
    const request = { parent: `projects/${project}`, names };
    const { integrity } = this.#connected();
    const { configs } = await asked(integrity.batchGetAppAttestConfigs(request, this.#options));
    return configs.map((config) => toJson(AppAttestConfigSchema, config));
  }

  async changeConfig(config: Config): Promise<Config> {
    const appAttestConfig = fromJson(AppAttestConfigSchema, { ...config });
    const request = { appAttestConfig, updateMask: { paths: ["token_ttl"] } };
    const { integrity } = this.#connected();
    return toJson(
      AppAttestConfigSchema,
      await asked(integrity.updateAppAttestConfig(request, this.#options)),
    );
  }

  walk(parent: string, pageSize: number, repeat: Repeat): Promise<readonly Page[]> {
    return walkPages(repeat, async (pageToken) => {
      const { messagingData } = this.#connected();
      const request = { parent, pageSize, pageToken };
      const page = await asked(messagingData.listAndroidDeliveryData(request, this.#options));
      return toJson(ListAndroidDeliveryDataResponseSchema, page);
    });
  }

  async sumByLabel(parent: string): Promise<Sums> {
    const { messagingData } = this.#connected();
    const request = { parent, groupBy: [Dimension.ANALYTICS_LABEL] };
    const sums = await asked(messagingData.aggregateAndroidDeliveryData(request, this.#options));
    return toJson(AggregateAndroidDeliveryDataResponseSchema, sums);
  }

  async importEvents(project: string, lines: Buffer): Promise<number> {
    const { messagingData } = this.#connected();
    const messages = messagesOf(project, lines);
    const response = await asked(messagingData.importMessageEvents(messages, this.#options));
    return Number(response.importedCount) + Number(response.optedOutCount);
  }

  disconnect(): void {
    this.#clients?.close();
    this.#clients = undefined;
  }

  #connected(): Clients {
    if (this.#clients !== undefined) return this.#clients;
    const integrity = this.#open(this.#target.integrityUrl);
    const messagingData = this.#open(this.#target.messagingDataUrl);
    this.#clients = {
      integrity: createClient(IntegrityService, integrity.transport),
      messagingData: createClient(MessagingDataService, messagingData.transport),
      close: () => {
        integrity.close();
        messagingData.close();
      },
    };
    return this.#clients;
  }
}

/** The messages of one import: two halves of the lines, cut anywhere. */
async function* messagesOf(project: string, lines: Buffer): AsyncGenerator<ImportMessageEventsRequest> {
  const middle = Math.ceil(lines.length / 2);
  for (const data of [lines.subarray(0, middle), lines.subarray(middle)]) {
    const events = { contentType: "application/x-ndjson", data };
    yield create(ImportMessageEventsRequestSchema, { parent: `projects/${project}`, events });
  }
}

/** Translates failures. Only the server's own errors have details. */
async function asked<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const failure = ConnectError.from(error);
    const [info] = failure.findDetails(ErrorInfoSchema);
    if (info === undefined) throw connectionFailure(error);
    const code = Code[failure.code].replace(/(?<!^)([A-Z])/g, "_$1").toUpperCase();
    throw new CallFailure(code, info.reason, failure.rawMessage, error);
  }
}
