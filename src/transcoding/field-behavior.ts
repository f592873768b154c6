import { type DescField, getOption } from "@bufbuild/protobuf";
import { FieldBehavior, field_behavior } from "../gen/google/api/field_behavior_pb.js";

/** Whether a request must have the field. */
export const isRequired = (field: DescField): boolean => behaviorsOf(field).includes(FieldBehavior.REQUIRED);

/** Whether only answers have the field. */
export const isOutputOnly = (field: DescField): boolean =>
  behaviorsOf(field).includes(FieldBehavior.OUTPUT_ONLY);

const behaviorsOf = (field: DescField): readonly FieldBehavior[] => getOption(field, field_behavior);
