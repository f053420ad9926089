/**
 * A prefab that was read and checked.
 */
import { equalJson } from "../json/values.ts";
import { matchIds } from "./id-steps.ts";
import type { IdIndex, SceneNode, Template } from "./node.ts";
import type { Prefabs } from "./prefab-source.ts";
import type { Source } from "./report.ts";

/** The entities of a prefab: in pre-order, the root first, parents as indices. */
export interface TemplateNodes {
  readonly nodes: readonly SceneNode[];
  readonly byId: IdIndex;
}

/**
 * A prefab. Its nodes are made on request: one that is used once and read in place needs none of its own until
 * its instance is saved.
 */
export class LazyTemplate implements Template {
  readonly source: Source;
  readonly file: string;
  /** The source of the prefabs inside it. */
  readonly prefabs: Prefabs;
  readonly usedBy: Template["usedBy"];
  private readonly read: () => TemplateNodes;
  private made: TemplateNodes | undefined = undefined;
  /** The first child of each name, by the index of the parent; built on first use. */
  private childNamed: ReadonlyMap<string, number> | undefined = undefined;

  constructor(
    source: Source,
    file: string,
    { prefabs, usedBy }: Pick<Template, "prefabs" | "usedBy">,
    read: () => TemplateNodes,
  ) {
    this.source = source;
    this.file = file;
    this.prefabs = prefabs;
    this.usedBy = usedBy;
    this.read = read;
  }

  get nodes(): readonly SceneNode[] {
    return this.parts.nodes;
  }

  get byId(): IdIndex {
    return this.parts.byId;
  }

  /** The index of the entity with an id, or with a path of names or ids below the root. */
  find(key: string): number | undefined {
    const byId = this.byId.find(key);
    if (byId !== undefined) return byId;
    this.childNamed ??= this.indexNames();
    let at: number | undefined = 0;
    for (const segment of key.split("/")) {
      at = this.childNamed.get(`${at}/${segment}`);
      if (at === undefined) return undefined;
    }
    return at;
  }

  private indexNames(): Map<string, number> {
    const found = new Map<string, number>();
    const note = (key: string, k: number) => {
      if (!found.has(key)) found.set(key, k);
    };
    this.nodes.forEach((node, k) => {
      if (k === 0) return;
      if (typeof node.name === "string") note(`${node.parent}/${node.name}`, k);
      if (!node.isInside) note(`${node.parent}/${node.id}`, k);
    });
    return found;
  }

  private get parts(): TemplateNodes {
    this.made ??= this.read();
    return this.made;
  }
}

/** For each entity of a prefab the index of the same entity in another form of the prefab; -1 if there is none. */
export function matchMembers(from: Template, to: Template): Int32Array {
  const found = matchIds(from.byId, to.byId, from.nodes.length);
  // The roots match each other whatever their ids, and nothing else matches a root.
  return found.map((index, k) => (k === 0 ? 0 : index === 0 ? -1 : index));
}

/**
 * Whether two readings of a prefab are equal: the same text of the same file, and the same prefabs inside. Equal entities
 * are not enough: values of a prefab inside become visible when an override of it is reverted.
 */
export function isSameForm(a: Template, b: Template): boolean {
  if (a === b) return true;
  if (a.file !== b.file) return false;
  const pairs: [Source, Source][] = [[a.source, b.source]];
  const seen = new Set<Source>();
  for (const [one, other] of pairs) {
    if (!equalJson(one.value, other.value)) return false;
    const inOther = b.usedBy(other);
    for (const [k, used] of a.usedBy(one).entries()) {
      const same = inOther[k];
      if (used?.file !== same?.file) return false;
      if (used === undefined || same === undefined || seen.has(used)) continue;
      seen.add(used);
      pairs.push([used, same]);
    }
  }
  return true;
}

/** `isSameForm` that compares the same two prefabs once. */
export function formComparer(): typeof isSameForm {
  const known = new Map<Template, Map<Template, boolean>>();
  return (a, b) => {
    const ofA = known.get(a) ?? new Map<Template, boolean>();
    known.set(a, ofA);
    const found = ofA.get(b) ?? isSameForm(a, b);
    ofA.set(b, found);
    return found;
  };
}
