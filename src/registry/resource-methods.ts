import { create, type DescMessage, type Message, type MessageShape } from "@bufbuild/protobuf";
import type { GenMessage } from "@bufbuild/protobuf/codegenv2";
import { protoCamelCase } from "@bufbuild/protobuf/reflect";
import {
  type Empty,
  EmptySchema,
  type FieldMask,
  type Timestamp,
  timestampFromMs,
} from "@bufbuild/protobuf/wkt";
import { ParameterViolations } from "../api/api-error.js";
import type { ProjectCaller } from "../api/caller.js";
import type { CallContext } from "../api/service.js";
import { type MaskFields, readUpdateMask } from "../api/update-mask.js";
import type { Clock, UnixMillis } from "../model/clock.js";
import { itemsAfter, type PageRequest, readPageOf } from "../paging/page.js";
import type { PageTokens } from "../paging/page-tokens.js";
import { auditNote } from "./audit/audit-note.js";
import type { ProjectResource, ProjectResources } from "./project-resources.js";

/** A resource's values, with its creation time and update time. */
export type Timed<Values> = Values & { readonly createTime: UnixMillis; readonly updateTime: UnixMillis };

/** Fields that every resource has in the contract. */
export interface ResourceMessage extends Message {
  name: string;
  createTime?: Timestamp | undefined;
  updateTime?: Timestamp | undefined;
  etag: string;
}

/** A type of resources in a project, with its values in records and its message in the contract. */
export interface ResourceType<
  Values extends object,
  M extends ResourceMessage,
  Field extends string,
  List extends DescMessage,
> {
  readonly schema: GenMessage<M>;
  /** Field with the resource in requests to create or update one. */
  readonly field: Field;
  /** Response with a page of resources, in a field that is named like the collection. */
  readonly listSchema: List;
  /** Collection in resource names, such as `annotations`. */
  readonly collection: string;
  readonly fields: MaskFields;
  /** Reads all values of a message, and adds a violation for each invalid one. May return `undefined` if it added any. */
  readonly read: (message: M, violations: ParameterViolations) => Values | undefined;
  /** Returns the message. The methods add the name, the times and the etag. */
  readonly toMessage: (values: Values) => M;
  /** Adds values that are not in the message to changed values. Omitted if the message has all of them. */
  readonly keep?: (before: Values, after: Values) => Values;
  readonly newId: (values: Values) => string;
  /** Returns the place in lists; the lowest is first. Resources in the same place are sorted by id in byte order. */
  readonly placeOf: (values: Values) => number;
}

export interface ResourceParts<Values, M = unknown> {
  readonly resources: ProjectResources<Timed<Values>>;
  readonly tokens: PageTokens;
  readonly clock: Clock;
  /** Adds output-only fields to the messages in a response to get or list. */
  readonly complete?: (messages: readonly M[], context: Context) => Promise<readonly M[]>;
}

type Context = CallContext<ProjectCaller>;

/** The mask in a request to update a resource. */
export interface Masked {
  readonly updateMask?: FieldMask | undefined;
}

/** Creates the standard methods (AIP-131 to AIP-135) of a type of resources. */
export function resourceMethods<
  Values extends object,
  M extends ResourceMessage,
  Field extends string,
  List extends DescMessage,
>(
  type: ResourceType<Values, M, Field, List>,
  { resources, tokens, clock, complete = async (messages) => messages }: ResourceParts<Values, M>,
) {
  type Request = { readonly [F in Field]?: M | undefined };
  const { schema, field, listSchema, collection, fields, placeOf } = type;
  const singular = schema.name;
  const idIn = ({ resource }: Context): string => resource.idIn(collection);

  const messageOf = (resource: ProjectResource<Timed<Values>>): M => resourceMessage(type, resource);

  function read(message: M): Values {
    const violations = new ParameterViolations();
    const values = type.read(message, violations);
    violations.throwIfAny();
    if (values === undefined) throw new Error(`${singular} has no values, but no violations either`);
    return values;
  }

  return {
    async create(request: Request, { caller }: Context): Promise<M> {
      const values = read(request[field] ?? create(schema));
      const now = clock.wall();
      const value = { ...values, createTime: now, updateTime: now };
      const note = auditNote(caller, `Create${singular}`);
      return messageOf(await resources.create(caller.project.number, type.newId(values), value, note));
    },

    async get(_request: unknown, context: Context): Promise<M> {
      const found = messageOf(await resources.get(context.caller.project.number, idIn(context)));
      const [message = found] = await complete([found], context);
      return message;
    },

    async list(request: PageRequest, context: Context): Promise<MessageShape<List>> {
      const project = context.caller.project.number;
      const read = async (after: string | undefined, limit: number) => {
        const sorted = (await resources.list(project))
          .map((resource) => ({ resource, id: resource.id, place: placeOf(resource.value) }))
          .sort(byPlace);
        const last = after === undefined ? undefined : readPlace(after);
        return itemsAfter(sorted, (item) => last === undefined || byPlace(item, last) > 0, limit);
      };
      const list = {
        operation: `List:${collection}`,
        parent: `projects/${project}`,
        read,
        positionOf: writePlace,
      };
      const { items, nextPageToken } = await readPageOf(list, request, tokens);
      const messages = items.map(({ resource }) => messageOf(resource));
      const completed = await complete(messages, context);
      return Object.assign(create(listSchema), { [collection]: completed, nextPageToken });
    },

    async update(request: Request & Masked, context: Context): Promise<M> {
      const message: M = request[field] ?? create(schema);
      const mask = [...readUpdateMask(request.updateMask, fields, true)].map(protoCamelCase);
      const now = clock.wall();
      const after = (before: Timed<Values>): Timed<Values> => {
        const changed = mask.map((name) => [name, message[name as keyof M]]);
        const inMessage = read({ ...type.toMessage(before), ...Object.fromEntries(changed) });
        const values = type.keep?.(before, inMessage) ?? inMessage;
        return { ...values, createTime: before.createTime, updateTime: now };
      };
      const note = auditNote(context.caller, `Update${singular}`);
      const project = context.caller.project.number;
      return messageOf(await resources.update(project, idIn(context), message.etag, after, note));
    },

    async delete({ etag }: { readonly etag: string }, context: Context): Promise<Empty> {
      const note = auditNote(context.caller, `Delete${singular}`);
      await resources.delete(context.caller.project.number, idIn(context), etag, note);
      return create(EmptySchema);
    },
  };
}

export const resourceMessage = <Values extends object, M extends ResourceMessage>(
  { toMessage }: { readonly toMessage: (values: Values) => M },
  { name, etag, value }: ProjectResource<Timed<Values>>,
): M => ({
  ...toMessage(value),
  name,
  etag,
  createTime: timestampFromMs(value.createTime),
  updateTime: timestampFromMs(value.updateTime),
});

interface Place {
  readonly place: number;
  readonly id: string;
}

/** Ids contain only ASCII characters. */
const byPlace = (a: Place, b: Place): number => a.place - b.place || (a.id < b.id ? -1 : Number(a.id > b.id));

const writePlace = ({ place, id }: Place): string => JSON.stringify([place, id]);

function readPlace(text: string): Place {
  const [place, id] = JSON.parse(text) as [number, string];
  return { place, id };
}
