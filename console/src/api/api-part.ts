import type { WaybillClient } from "@waybill/client";

/** A page of a list. */
export interface ListPage<T> {
  readonly items: readonly T[];
  /** Undefined on the last page. */
  readonly nextPageToken: string | undefined;
}

/** Options of queries that read a list page by page. */
export const PAGE_BY_PAGE = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextPageToken }: ListPage<unknown>) => nextPageToken,
  staleTime: 0,
};

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
