import { EncodedEntity } from "./encoded-entity.js";

/** The media type of every answer in JSON. */
export const JSON_TYPE = "application/json; charset=utf-8";

/** The ProtoJSON of a message, encoded once and sent as often as it is asked for. */
export class EncodedJson extends EncodedEntity {
  constructor(bytes: Buffer) {
    super(bytes, JSON_TYPE);
  }
}
