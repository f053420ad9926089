/**
 * Reloading, the slow and obvious way: everything is looked up by its whole id, and done by public calls. And files that differ
 * a little from others.
 */
import type { Entity } from "espalier";
import type { Hierarchy } from "espalier/hierarchy";
import type { ReloadSummary } from "espalier/scene";
import {
  Broken,
  below,
  type Entry,
  type Expanded,
  expand,
  type File,
  type Files,
  fileOf,
  type Plain,
  type Random,
} from "./prefab-twin.ts";
import { Aim, createFormat, Health, Position } from "./scenes.ts";

const format = createFormat();

const known = { Position, Health, Aim };
type Name = keyof typeof known;
const names = Object.keys(known) as Name[];

/** A scene whose entities are known by whole ids. */
export class SlowScene {
  readonly tree: Hierarchy;
  /** Which entity has which id, alive or not. */
  ids: Map<string, Entity>;
  private before: Expanded;

  constructor(tree: Hierarchy, ids: Map<string, Entity>, before: Expanded) {
    this.tree = tree;
    this.ids = ids;
    this.before = before;
  }

  find(id: string | undefined): Entity | undefined {
    const entity = this.ids.get(id ?? "");
    return entity !== undefined && this.tree.world.isAlive(entity) ? entity : undefined;
  }

  idOf(entity: Entity): string | undefined {
    for (const id of this.ids.keys()) if (this.find(id) === entity) return id;
    return undefined;
  }

  reload(after: Expanded, mode: "changes" | "reset"): ReloadSummary {
    const reload = new SlowReload(this, mode === "reset" ? undefined : this.before, after);
    this.before = after;
    return reload.run();
  }
}

class SlowReload {
  private readonly scene: SlowScene;
  private readonly tree: Hierarchy;
  private readonly before: Expanded | undefined;
  private readonly after: Expanded;
  private readonly doomed = new Map<Entity, string | undefined>();
  private readonly added = new Set<string>();
  private readonly moved = new Set<string>();
  private readonly changed = new Set<string>();

  constructor(scene: SlowScene, before: Expanded | undefined, after: Expanded) {
    this.scene = scene;
    this.tree = scene.tree;
    this.before = before;
    this.after = after;
  }

  run(): ReloadSummary {
    const { after, tree } = this;
    this.findDoomed();
    const nodes = below(after.roots);
    for (const node of nodes) this.insert(node);
    for (const node of nodes) this.arrange(node.id, node.children);
    this.arrange(undefined, after.roots);
    for (const node of nodes) if (!this.added.has(node.id)) this.update(node);
    for (const id of this.added) this.aim(after.byId.get(id) as Plain);
    const removed = [...this.doomed.values()].filter((id) => id !== undefined);
    for (const entity of this.doomed.keys()) if (tree.world.isAlive(entity)) tree.destroy(entity);
    return { added: [...this.added], removed, moved: [...this.moved], changed: [...this.changed] };
  }

  private findDoomed(): void {
    const { scene, before, after, tree } = this;
    if (before !== undefined) {
      for (const id of before.byId.keys()) {
        const entity = after.byId.has(id) ? undefined : scene.find(id);
        if (entity !== undefined) this.doomed.set(entity, id);
      }
      return;
    }
    for (const entity of tree.world.entities()) {
      const id = scene.idOf(entity);
      if (id !== undefined && after.byId.has(id)) continue;
      const isInScene = [entity, ...tree.ancestors(entity)].some((up) => scene.idOf(up) !== undefined);
      if (isInScene) this.doomed.set(entity, id);
    }
  }

  private insert(node: Plain): void {
    const { scene, tree, before } = this;
    const entity = scene.find(node.id);
    const parent = node.parent === undefined ? null : scene.find(node.parent.id);
    const was = before?.byId.get(node.id);
    if (entity === undefined) {
      if (parent === undefined || was !== undefined) return;
      const made = tree.attachNew(parent);
      for (const name of names) if (node.components[name] !== undefined) this.addTo(made, node, name);
      if (node.name !== undefined) tree.setName(made, node.name);
      scene.ids.set(node.id, made);
      this.added.add(node.id);
      return;
    }
    if (parent === undefined || tree.parentOf(entity) === parent) return;
    const above = [...tree.ancestors(entity)];
    const isBelowDoomed = above.some((up) => this.doomed.has(up));
    if (before !== undefined) {
      const isNews = was !== undefined && was.parent?.id !== node.parent?.id;
      if (!isNews && !isBelowDoomed) return;
    } else if (parent === null && !isBelowDoomed && above.every((up) => scene.idOf(up) === undefined)) {
      return;
    }
    if (parent !== null) {
      const way = [parent, ...tree.ancestors(parent)];
      const at = way.indexOf(entity);
      if (at > 0) tree.attach(way[at - 1] as Entity, tree.parentOf(entity));
    }
    tree.attach(entity, parent);
    this.moved.add(node.id);
  }

  private arrange(id: string | undefined, children: readonly Plain[]): void {
    const { scene, tree, before } = this;
    const parent = id === undefined ? null : scene.find(id);
    if (parent === undefined) return;
    const wanted = children.map((child) => child.id);
    if (before !== undefined) {
      const had = (id === undefined ? before.roots : (before.byId.get(id)?.children ?? [])).map((c) => c.id);
      const news = wanted.filter((child) => !had.includes(child));
      const kept = had.filter((child) => wanted.includes(child));
      if ([...kept, ...news].join() === wanted.join()) return;
    }
    const isWanted = new Set(wanted.map((child) => scene.find(child)));
    let previous: Entity | undefined;
    for (const child of wanted) {
      const entity = scene.find(child);
      if (entity === undefined || tree.parentOf(entity) !== parent) continue;
      const list = tree.childrenOf(parent).filter((other) => isWanted.has(other));
      if (list[list.indexOf(entity) - 1] !== previous) {
        tree.moveChild(entity, previous === undefined ? "first" : { after: previous });
        if (!this.added.has(child)) this.moved.add(child);
      }
      previous = entity;
    }
  }

  private update(node: Plain): void {
    const { scene, tree, before } = this;
    const { world } = tree;
    const entity = scene.find(node.id);
    if (entity === undefined) return;
    const was = before?.byId.get(node.id);
    const isNewName = was === undefined || was.name !== node.name;
    if (isNewName && tree.nameOf(entity) !== node.name) {
      tree.setName(entity, node.name);
      this.changed.add(node.id);
    }
    for (const name of names) {
      // All alike for the compiler.
      const component = known[name] as unknown as typeof Position;
      const json = node.components[name];
      const has = world.has(entity, component);
      if (was !== undefined && said(node, name) === said(was, name)) continue;
      if (json === undefined) {
        if (!has) continue;
        world.remove(entity, component);
      } else if (!has) {
        this.addTo(entity, node, name);
        if (name === "Aim") this.aim(node);
      } else {
        const wanted = this.valuesOf(node, name);
        const now = world.get(entity, component) as { [field: string]: unknown };
        const jsonBefore = was?.components[name] ?? {};
        const fields = Object.keys(wanted).filter((field) =>
          was === undefined
            ? now[field] !== wanted[field]
            : json[field] !== jsonBefore[field] || (field === "at" && node.at?.id !== was.at?.id),
        );
        if (fields.length === 0) continue;
        const values = Object.fromEntries(fields.map((field) => [field, wanted[field]]));
        world.set(entity, component, values);
      }
      this.changed.add(node.id);
    }
  }

  private valuesOf({ components, at }: Plain, name: Name): { [field: string]: unknown } {
    if (name === "Aim") return { at: this.scene.find(at?.id) ?? null };
    return { ...(name === "Position" ? { x: 0, y: 0 } : { hp: 100 }), ...components[name] };
  }

  private addTo(entity: Entity, node: Plain, name: Name): void {
    const values = name === "Aim" ? {} : this.valuesOf(node, name);
    this.tree.world.add(entity, (known[name] as unknown as typeof Position)(values));
  }

  private aim(node: Plain): void {
    const entity = this.scene.find(node.id);
    if (entity === undefined || node.components.Aim === undefined) return;
    this.tree.world.set(entity, Aim, { at: this.scene.find(node.at?.id) ?? null });
  }
}

/** What a file says about a component: the same text may be the id of another entity. */
function said({ components, at }: Plain, name: Name): string {
  const json = components[name];
  const fields = json === undefined ? null : Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([fields, name === "Aim" ? at?.id : undefined]);
}

// Other files ------------------------------------------------------------------------------------------------------------

export interface World {
  files: Files;
  scene: File;
}

/** A copy of a scene and its prefabs in which something is different. */
export function variant(random: Random, from: World): World {
  let made = copy(from);
  for (let k = 1 + random(6); k > 0; k--) {
    const next = copy(made);
    const files = [next.scene, ...Object.values(next.files)];
    const file = files[random(3) === 0 ? 0 : random(files.length)] as File;
    // Files contain later ones only.
    const at = Number(file.file ?? 0);
    change(
      random,
      file,
      Object.keys(next.files).filter((name) => Number(name) > at),
    );
    if (isSound(next)) made = next;
  }
  return made;
}

function copy(from: World): World {
  return JSON.parse(JSON.stringify(from)) as World;
}

/** Whether all files of it can be used. */
export function isSound({ files, scene }: World): boolean {
  try {
    for (const file of [scene, ...Object.values(files)]) {
      const { roots, byId } = expand(files, file);
      if (byId.size < below(roots).length || (file !== scene && roots.length !== 1)) return false;
    }
    const prefabs = (name: string) => fileOf(files[name] as World["scene"]);
    return format.check(fileOf(scene), { prefabs }).length === 0;
  } catch (error) {
    if (error instanceof Broken) return false;
    throw error;
  }
}

/** Changes something in a file. It may be broken then. */
function change(random: Random, file: File, names: readonly string[]): void {
  if (file.compose !== undefined) {
    const all = [...new Set([...file.compose, names[random(names.length)] as string])];
    file.compose = all.sort(() => random(3) - 1).slice(0, 2 + random(2));
    return;
  }
  const lists: Entry[][] = [file.entities];
  for (const list of lists) {
    for (const entry of list) {
      if (entry.children !== undefined) lists.push(entry.children);
      for (const inner of Object.values(entry.overrides ?? {}))
        if (inner?.children !== undefined) lists.push(inner.children);
    }
  }
  const list = lists[random(lists.length)] as Entry[];
  const at = random(list.length);
  const entry = list[at];
  const what = random(9);
  if (entry === undefined || what === 0)
    list.push({ id: `m${random(6)}`, components: { Position: { x: random(9) } } });
  else if (what === 1) list.splice(at, 1);
  else if (what === 2) list.push(...list.splice(random(list.length), 1));
  else if (what === 3) entry.name = `n${random(4)}`;
  else if (what === 4) entry.components = { ...entry.components, Health: { hp: random(50) } };
  else if (what === 5) delete entry.components;
  else if (what === 6) delete entry.overrides;
  else if (what === 7) (lists[random(lists.length)] as Entry[]).push(...list.splice(at, 1));
  else entry.components = { ...entry.components, Aim: { at: `e${random(5)}` } };
}
