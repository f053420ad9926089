/**
 * Reloading a prefab file that changed while a game runs: all its instances follow, and so do the prefabs that were read.
 */
import type { Hierarchy } from "../../hierarchy/index.ts";
import type { Template } from "../read/node.ts";
import type { Registry } from "../registry.ts";
import { changeForms, followNext } from "./change-forms.ts";
import { type Instance, instancesIn } from "./instance.ts";
import { type ChangedFile, nextForms } from "./next-forms.ts";
import type { Prefab } from "./prefab.ts";

/** Prefabs that were read and are still referenced. */
export class ReadPrefabs {
  private refs: WeakRef<Prefab>[] = [];
  private sweepAt = 64;

  add(prefab: Prefab): void {
    this.refs.push(new WeakRef(prefab));
    if (this.refs.length < this.sweepAt) return;
    this.refs = this.refs.filter((ref) => ref.deref() !== undefined);
    this.sweepAt = Math.max(64, this.refs.length * 2);
  }

  held(): Prefab[] {
    return this.refs.flatMap((ref) => ref.deref() ?? []);
  }
}

/**
 * Returns the instances that changed. All or nothing.
 * @throws SceneError
 */
export function reloadPrefabs(
  tree: Hierarchy,
  registry: Registry,
  prefabs: ReadPrefabs,
  changed: ChangedFile,
): Instance[] {
  const forms = nextForms(changed);
  // Everything is read before anything changes.
  const next = new Map<Prefab, Template>();
  for (const prefab of prefabs.held()) {
    const form = forms(prefab.form, registry);
    if (form !== undefined) next.set(prefab, form);
  }
  const instances = instancesIn(tree).filter(
    ({ record }) => record.registry === registry && forms(record.template, registry) !== undefined,
  );
  const follow = () => {
    const followed = instances.filter((instance) => followNext(instance, forms));
    for (const [prefab, form] of next) prefab.follow(form);
    return followed;
  };
  // Without an instance to change there is no step, and loose changes keep accumulating.
  const followed = instances.length === 0 ? follow() : changeForms(tree, "Reload prefab", follow);
  return followed.filter(({ isThere }) => isThere);
}
