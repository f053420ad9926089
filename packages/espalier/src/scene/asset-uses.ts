/**
 * The files that entities of a draft need: what they name in fields that were declared `asset("texture")` and the like.
 */
import type { ComponentCodec } from "./codec.ts";
import type { SceneNode } from "./read/node.ts";
import type { Draft } from "./read/read.ts";
import type { ProblemLocation } from "./read/report.ts";

/** A file that a scene needs, and the first entity that names it. */
export interface AssetUse {
  /** The kind of file, as the field declares it: `texture`. */
  readonly kind: string;
  /** The value of the field. */
  readonly name: string;
  /** The component that names it. */
  readonly component: string;
  /** The field that names it. */
  readonly field: string;
  /** The id of the entity, as the scene writes it: `tank/turret` for one inside an instance. */
  readonly entity: string;
  /** The path of the entity from the roots of the scene, by names, or by ids where there are none: `/level/tank`. */
  readonly path: string;
}

/** The uses in a draft, each kind and name once, with their locations. */
export function* usesIn(draft: Draft): Iterable<{ readonly use: AssetUse; location(): ProblemLocation }> {
  const { codecs } = draft.registry;
  const fields = new Map([...codecs.values()].map((codec) => [codec.name, assetFields(codec)]));
  const met = new Set<string>();
  for (const at of draft.order) {
    const node = draft.nodes[at];
    for (const component in node.components) {
      for (const { name: field, asset: kind } of fields.get(component) ?? []) {
        const codec = codecs.get(component) as ComponentCodec;
        const name = heldBy(node, codec, field);
        const key = `${kind}\n${name}`;
        if (name === undefined || name === "" || met.has(key)) continue;
        met.add(key);
        const use = { kind, name, component, field, entity: node.id, path: pathOf(draft, node) };
        yield {
          use,
          location: () => sayingNode(node, codec, field).location("components", component, field),
        };
      }
    }
  }
}

function assetFields({ fields }: ComponentCodec): { readonly name: string; readonly asset: string }[] {
  return [...fields.values()].flatMap(({ name, field: { asset } }) =>
    asset === undefined ? [] : [{ name, asset }],
  );
}

/** The value that the field of an entity will have; `undefined` if the entity does not get the component. */
function heldBy(node: SceneNode, codec: ComponentCodec, field: string): string | undefined {
  // A plain node has its values as JSON; creating its inits would retain them.
  const found =
    node.plain === undefined
      ? node.inits.find(({ component }) => component === codec.component)
      : { values: node.components[codec.name] };
  if (found === undefined) return undefined;
  const values = Object(found.values) as { readonly [field: string]: unknown };
  const value = Object.hasOwn(values, field) ? values[field] : codec.component.schema[field].initial;
  return typeof value === "string" ? value : undefined;
}

/** The node of the file that sets the value: for an entity inside an instance that of the prefab, unless it is overridden. */
function sayingNode(node: SceneNode, codec: ComponentCodec, field: string): SceneNode {
  const held = heldBy(node, codec, field);
  let saying = node;
  for (;;) {
    const { template, member } = saying.rare;
    const inside: SceneNode | undefined = template?.nodes[member];
    if (inside === undefined || heldBy(inside, codec, field) !== held) return saying;
    saying = inside;
  }
}

function pathOf({ nodes }: Draft, node: SceneNode): string {
  const steps: string[] = [];
  for (let at: SceneNode | undefined = node; at !== undefined; at = nodes[at.parent])
    steps.push(at.name ?? at.id.slice(at.id.lastIndexOf("/") + 1));
  return `/${steps.reverse().join("/")}`;
}
