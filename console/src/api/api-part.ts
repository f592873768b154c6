import type { WaybillClient } from "@waybill/client";

/** Reads and changes one kind of data with the viewer's token. */
export abstract class ApiPart<Client = WaybillClient> {
  protected readonly client: Client;
  /** Passes a call's result on, and reports a rejected token. */
  protected readonly admitted: <T>(call: Promise<T>) => Promise<T>;

  constructor(client: Client, admitted: <T>(call: Promise<T>) => Promise<T>) {
    this.client = client;
    this.admitted = admitted;
  }
}
