import type { Project } from "#console/api/waybill-api.js";
import type { Option } from "#console/ui/choose/options.js";

const COLLATOR = new Intl.Collator(undefined, { numeric: true });

/**
 * Lists projects to choose from: recently visited ones first, then the others by display name or, without one, by id.
 *
 * @param names display names, by project id.
 * @param visited project ids, most recent first.
 */
export function projectOptions(
  projects: readonly Project[],
  names: ReadonlyMap<string, string>,
  visited: readonly string[],
): readonly Option[] {
  const recent = new Map(visited.map((id, index) => [id, index]));
  const placeOf = ({ value }: Option): number => recent.get(value) ?? recent.size;
  return projects
    .map(({ id, number }): Option => {
      const name = names.get(id);
      if (name === undefined || name === id) return { value: id, text: id, names: [number] };
      return { value: id, text: name, names: [id, number] };
    })
    .sort((a, b) => placeOf(a) - placeOf(b) || COLLATOR.compare(a.text, b.text));
}
