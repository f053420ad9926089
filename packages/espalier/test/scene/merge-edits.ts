/** Random edits of scenes by ids, so that the same edit can be made in several of them. */
import type { Entity } from "espalier";
import { component, object } from "espalier";
import { createSceneFormat, type Scene, type SceneFile, type SceneFormat, withCodec } from "espalier/scene";
import { Aim, Bag, components, emptyTree, Frozen, Health, Label, Position } from "./scenes.ts";

export const Party = component("Party", { members: object((): Entity[] => []) });

export const mergeFormat: SceneFormat = createSceneFormat({
  components: [
    ...components,
    withCodec(Party, {
      fields: {
        members: {
          references: true,
          write: (members, { idOf }) => members.map((entity) => idOf(entity)).filter((id) => id !== null),
          read: (json, { entity }) => (json as string[]).map((id) => entity(id)),
        },
      },
    }),
  ],
});

export const mergePrefabs: { readonly [name: string]: SceneFile } = {
  gun: {
    entities: [
      {
        id: "gun",
        name: "gun",
        components: { Health: { hp: 5 }, Position: {} },
        children: [
          { id: "belt", components: { Label: { text: "belt" } }, children: [{ id: "clip" }] },
          { id: "sight", components: { Position: { x: 1 } } },
          { id: "stock" },
        ],
      },
    ],
  },
  tower: {
    entities: [{ id: "tower", name: "tower", children: [{ id: "roof" }, { id: "left", prefab: "gun" }] }],
  },
};

const reading = { prefabs: mergePrefabs };

export function loadMerge(file: SceneFile): Scene {
  return mergeFormat.load(emptyTree(), file, reading);
}

/** A scene of some entities and instances, each by name of its number. */
export function randomBase(random: () => number, count: number): SceneFile {
  const scene = loadMerge({ entities: [] });
  const edits = new RandomEdits(random, "b");
  for (let k = 0; k < count; k++) edits.make(scene, k % 3 === 0 ? "instance" : "create");
  for (let k = 0; k < count; k++) edits.make(scene, "set");
  return scene.toFile();
}

type Kind = (typeof kinds)[number];
const kinds = [
  "create",
  "instance",
  "delete",
  "move",
  "reorder",
  "rename",
  "set",
  "set",
  "set",
  "refer",
  "party",
  "strip",
  "tag",
] as const;

/** An edit, to be made in any scene that has what it speaks of. Nothing happens where it cannot be made. */
export type Edit = (scene: Scene) => void;

/** Whether ids are given out after an edit: to the parts of a new instance, and to parts that leave theirs. */
export function givesIds(kind: Kind): boolean {
  return kind === "instance" || kind === "move" || kind === "delete";
}

/** Makes edits at random. New entities get ids of their own. */
export class RandomEdits {
  readonly done: { readonly edit: Edit; readonly kind: Kind }[] = [];
  /** Every id that the scene had after an edit, also of entities that are gone by now. */
  readonly given = new Set<string>();
  private readonly random: () => number;
  private readonly prefix: string;
  /** Only what is below this entity is edited, and it stays; everything if left out. */
  private readonly region: string | undefined;
  private next = 0;

  constructor(random: () => number, prefix: string, region?: string) {
    this.random = random;
    this.prefix = prefix;
    this.region = region;
  }

  make(scene: Scene, kind: Kind = this.pick(kinds)): void {
    const edit = this.edit(scene, kind);
    if (edit === undefined) return;
    edit(scene);
    if (givesIds(kind)) this.note(scene);
    this.done.push({ edit, kind });
  }

  /** Keeps the ids that the scene has now. What has none gets one: that happens when a scene is written. */
  note(scene: Scene): void {
    for (const { id = "" } of scene.toFile().entities) this.given.add(id);
  }

  private edit(scene: Scene, kind: Kind): Edit | undefined {
    const { tree } = scene;
    const ids = this.ids(scene);
    const id = ids.length === 0 ? undefined : this.pick(ids);
    const parent = this.region ?? (this.random() < 0.3 ? undefined : id);
    const under = this.region !== undefined && id !== undefined && this.random() < 0.7 ? id : parent;
    const rank = Math.floor(this.random() * 6);
    const value = Math.floor(this.random() * 50);
    if (kind === "create" || kind === "instance") {
      const fresh = `${this.prefix}${this.next++}`;
      this.given.add(fresh);
      const prefab = this.pick(Object.keys(mergePrefabs));
      return (to) => {
        const above = under === undefined ? null : find(to, under);
        if (kind === "create") to.add(to.tree.attachNew(above, Position({ x: value })), fresh);
        else {
          const made = mergeFormat.prefab(mergePrefabs[prefab] as SceneFile, { ...reading, file: prefab });
          to.add(made.instantiate(to.tree, { parent: above }).root, fresh);
        }
      };
    }
    if (id === undefined) return undefined;
    const other = this.pick(ids);
    switch (kind) {
      case "delete":
        return (to) => to.tree.destroy(find(to, id), { children: "cascade" });
      case "move": {
        const entity = scene.entity(id);
        const target = this.region === undefined && this.random() < 0.3 ? null : scene.entity(other);
        if (target !== null && (target === entity || [...tree.ancestors(target)].includes(entity)))
          return undefined;
        return (to) => to.tree.attach(find(to, id), target === null ? null : find(to, other));
      }
      case "reorder":
        return (to) => {
          const entity = find(to, id);
          const siblings = to.tree.childrenOf(to.tree.parentOf(entity)).filter((one) => one !== entity);
          const before = siblings[rank % Math.max(1, siblings.length)];
          if (before !== undefined) to.tree.moveChild(entity, { before });
        };
      case "rename":
        return (to) => to.tree.setName(find(to, id), `name${value}`);
      case "set":
        return (to) => {
          const entity = find(to, id);
          const { world: into } = to.tree;
          const choice = rank % 4;
          if (choice === 0) put(into, entity, Position, { x: value });
          else if (choice === 1)
            put(into, entity, Health, value % 2 === 0 ? { hp: value } : { lives: value });
          else if (choice === 2) put(into, entity, Label, { text: `text${value}` });
          else put(into, entity, Bag, { items: [value] });
        };
      case "refer":
        return (to) => put(to.tree.world, find(to, id), Aim, { at: find(to, other) });
      case "party":
        return (to) => put(to.tree.world, find(to, id), Party, { members: [find(to, other), find(to, id)] });
      case "strip":
        return (to) => {
          const from = [Position, Health, Label, Aim, Bag, Party][rank];
          if (from !== undefined && to.tree.world.has(find(to, id), from))
            to.tree.world.remove(find(to, id), from);
        };
      case "tag":
        return (to) => {
          // Only what the scene says that it is made in: it is made again in others.
          if (to.tree.world.has(find(to, id), Frozen)) to.tree.world.remove(find(to, id), Frozen);
          else to.tree.world.add(find(to, id), Frozen);
        };
    }
  }

  private ids(scene: Scene): string[] {
    const { tree } = scene;
    const from = this.region === undefined ? scene.roots() : tree.childrenOf(scene.entity(this.region));
    const found = from.flatMap((root) => [...tree.descendants(root, { includeSelf: true })]);
    return found.map((entity) => scene.idOf(entity) as string);
  }

  private pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.random() * items.length)] as Item;
  }
}

function find(scene: Scene, id: string): Entity {
  return scene.entity(id);
}

type World = Scene["tree"]["world"];

function put(
  world: World,
  entity: Entity,
  kind: typeof Position | typeof Health | typeof Label | typeof Aim | typeof Bag | typeof Party,
  values: object,
): void {
  if (world.has(entity, kind as typeof Position)) world.set(entity, kind as typeof Position, values);
  else world.add(entity, (kind as typeof Position)(values));
}
