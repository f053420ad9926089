/**
 * What a prefab is made from: the one that it is a variant of, or those that it is composed of.
 */
import { basePrefabOf, composedOf, type Instance, prefabOf } from "espalier/scene";

/** The names of these prefabs; nothing for a prefab that stands on its own. */
export interface PrefabOrigin {
  readonly kind: "variant" | "composed";
  readonly names: readonly string[];
}

export function originOf(instance: Instance): PrefabOrigin | undefined {
  try {
    const prefab = prefabOf(instance);
    const names = composedOf(prefab).map(({ name }) => name);
    if (names.length > 0) return { kind: "composed", names };
    const base = basePrefabOf(prefab);
    return base === undefined ? undefined : { kind: "variant", names: [base.name] };
  } catch {
    // A prefab that cannot be read is reported where it is used.
    return undefined;
  }
}
