/**
 * Locations in a text whose value was migrated: migrations may add, remove and move entities, so paths in the new
 * value are different in the text. Ids identify the entity.
 */
import { isJsonObject, type Json, type JsonStep } from "../json/json.ts";
import { parseJson } from "../json/parse.ts";

/** An entry of the text: its index in the list that contains it, and the entry that list belongs to. */
interface Entry {
  readonly above: Entry | undefined;
  readonly at: number;
}

export class FormerPaths {
  private readonly byId = new Map<string, Entry>();

  constructor(text: string) {
    const { value } = parseJson(text);
    const lists: [list: Json | undefined, above: Entry | undefined][] = [];
    if (isJsonObject(value)) lists.push([value.entities, undefined]);
    while (lists.length > 0) {
      const [list, above] = lists.pop() as [Json | undefined, Entry | undefined];
      if (!Array.isArray(list)) continue;
      list.forEach((entry: Json, at) => {
        if (!isJsonObject(entry)) return;
        const found = { above, at };
        if (typeof entry.id === "string") this.byId.set(entry.id, found);
        if (entry.children !== undefined) lists.push([entry.children, found]);
      });
    }
  }

  /** The path in the text for a path in the new value. For an entity without id it is only the path of its list. */
  of(path: readonly JsonStep[], entity: string | undefined): readonly JsonStep[] {
    // Entities of a prefab instance are in the entry of the instance.
    const [id] = (entity ?? "").split("/");
    let entry = this.byId.get(id);
    if (entry === undefined) return path.slice(0, 1);
    const up: JsonStep[] = [];
    for (; entry !== undefined; entry = entry.above) {
      up.push(entry.at, entry.above === undefined ? "entities" : "children");
    }
    return [...up.reverse(), ...path.slice(lengthOfEntry(path))];
  }
}

/** The number of steps of a path up to the entry of an entity. */
function lengthOfEntry(path: readonly JsonStep[]): number {
  for (let k = path.length - 1; k > 0; k--) {
    const list = path[k - 1];
    if (typeof path[k] === "number" && (list === "entities" || list === "children")) return k + 1;
  }
  return 0;
}
