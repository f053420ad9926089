/**
 * A single prefab instance as a draft: the prefab with a patch merged in.
 */
import type { Entity, World } from "../../ecs/index.ts";
import type { EntityEntry } from "../file.ts";
import { type ReadResult, readScene } from "../read/load.ts";
import type { InstanceDraft, Template } from "../read/node.ts";
import type { Prefabs } from "../read/prefab-source.ts";
import type { Draft } from "../read/read.ts";
import { matchMembers } from "../read/template.ts";
import type { Registry } from "../registry.ts";
import type { InstanceRecord } from "../tables.ts";

/** The id that the root has in such a draft. */
export const instanceId = "instance";

/** @param patch - What a file would say about the instance. */
export function expandPatch(
  registry: Registry,
  template: Template,
  reference: string,
  patch: Omit<EntityEntry, "id" | "prefab" | "parent">,
  options: {
    readonly lenient?: boolean;
    readonly prefabs?: Prefabs;
    readonly externals?: ReadonlyMap<string, Entity>;
  } = {},
): ReadResult {
  const { externals, ...read } = options;
  return readScene(
    registry,
    { version: registry.version, entities: [{ id: instanceId, prefab: reference, ...patch }] },
    { file: template.file, unknown: "keep", ...read },
    { given: new Map([[reference, template]]), ...(externals === undefined ? {} : { externals }) },
  );
}

/** The living entities of an instance by the nodes of such a draft, which may be of another form of the prefab. */
export function entitiesIn(world: World, draft: Draft, record: InstanceRecord): (Entity | undefined)[] {
  const entities: (Entity | undefined)[] = new Array(draft.nodes.length).fill(undefined);
  const { instance } = draft.nodes[draft.byId.get(instanceId) as number];
  const { template, members } = instance as InstanceDraft;
  const same = matchMembers(template, record.template);
  members.forEach((k, at) => {
    const entity = record.members[same[at]];
    if (k >= 0 && entity !== undefined && world.isAlive(entity)) entities[k] = entity;
  });
  return entities;
}
