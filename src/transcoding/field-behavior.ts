import { type DescField, getOption } from "@bufbuild/protobuf";
import { FieldBehavior, field_behavior } from "../gen/google/api/field_behavior_pb.js";

/** Returns true if requests must have the field. */
export const isRequired = (field: DescField): boolean => behaviorsOf(field).includes(FieldBehavior.REQUIRED);

/** Returns true if the field appears only in responses. */
export const isOutputOnly = (field: DescField): boolean =>
  behaviorsOf(field).includes(FieldBehavior.OUTPUT_ONLY);

const behaviorsOf = (field: DescField): readonly FieldBehavior[] => getOption(field, field_behavior);
