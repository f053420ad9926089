/** Random steps for the twins. A step names entities by numbers; which ones are meant is settled when its turn comes. */
import type { Entity } from "espalier";
import type { AttachOptions, DestroyPolicy } from "espalier/hierarchy";
import fc from "fast-check";

export type Edit =
  | { do: "spawn"; tree: number; under: number; position: number; anchored: boolean }
  | { do: "attach"; tree: number; who: number; under: number; position: number }
  | { do: "detach" | "isolate" | "dissolve" | "detachChildren"; tree: number; who: number }
  | { do: "moveChild"; tree: number; who: number; position: number }
  | { do: "swap"; tree: number; who: number; other: number }
  | { do: "attachMany"; tree: number; many: number[]; under: number; position: number }
  | { do: "attachAll"; tree: number; many: number[]; others: number[] }
  | { do: "detachMany"; tree: number; many: number[] }
  | { do: "replaceChildren"; tree: number; many: number[]; under: number }
  | { do: "sort"; tree: number; under: number; salt: number }
  | { do: "name"; tree: number; who: number; name: number }
  | { do: "destroy"; tree: number; who: number; policy: number }
  | { do: "anchor"; who: number; add: boolean };

export type Step =
  | Edit
  | { do: "spawnTree"; tree: number; under: number; shape: number }
  | { do: "trap"; who: number; edit: Edit }
  | { do: "commands"; edits: Edit[] }
  | {
      do: "walk";
      tree: number;
      who: number;
      order: number;
      includeSelf: boolean;
      callback: boolean;
      /** At the n-th entity: an edit, or none, and whether to skip what is below. */
      turns: { edit: Edit | null; skip: boolean }[];
      stopAt: number;
    };

const n = fc.nat(10_000);
const tree = fc.nat(2);
const many = fc.array(n, { maxLength: 5 });
const is = <const T extends string>(...values: T[]) => fc.constantFrom<T[]>(...values);

const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: is("spawn"), tree, under: n, position: n, anchored: fc.boolean() }),
  },
  { weight: 8, arbitrary: fc.record({ do: is("attach"), tree, who: n, under: n, position: n }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: is("detach", "isolate", "dissolve", "detachChildren"), tree, who: n }),
  },
  { weight: 2, arbitrary: fc.record({ do: is("moveChild"), tree, who: n, position: n }) },
  { weight: 2, arbitrary: fc.record({ do: is("swap"), tree, who: n, other: n }) },
  { weight: 2, arbitrary: fc.record({ do: is("attachMany"), tree, many, under: n, position: n }) },
  { weight: 2, arbitrary: fc.record({ do: is("attachAll"), tree, many, others: many }) },
  { weight: 1, arbitrary: fc.record({ do: is("detachMany"), tree, many }) },
  { weight: 2, arbitrary: fc.record({ do: is("replaceChildren"), tree, many, under: n }) },
  { weight: 1, arbitrary: fc.record({ do: is("sort"), tree, under: n, salt: n }) },
  { weight: 2, arbitrary: fc.record({ do: is("name"), tree, who: n, name: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ do: is("destroy"), tree, who: n, policy: fc.nat(7) }) },
  { weight: 1, arbitrary: fc.record({ do: is("anchor"), who: n, add: fc.boolean() }) },
);

/** Any step; edits most of the time. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: edit },
  { weight: 1, arbitrary: fc.record({ do: is("spawnTree"), tree, under: n, shape: n }) },
  { weight: 1, arbitrary: fc.record({ do: is("trap"), who: n, edit }) },
  { weight: 1, arbitrary: fc.record({ do: is("commands"), edits: fc.array(edit, { maxLength: 5 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: is("walk"),
      tree,
      who: n,
      order: fc.nat(2),
      includeSelf: fc.boolean(),
      callback: fc.boolean(),
      turns: fc.array(fc.record({ edit: fc.option(edit, { freq: 3 }), skip: fc.boolean().map((it) => it) }), {
        maxLength: 6,
      }),
      stopAt: fc.nat(40),
    }),
  },
);

/** An edit with the entities it means. */
export type Meant =
  | {
      do: "spawn";
      tree: number;
      under: Entity | null;
      position: AttachOptions | undefined;
      anchored: boolean;
    }
  | { do: "attach"; tree: number; who: Entity; under: Entity | null; position: AttachOptions | undefined }
  | { do: "detach" | "isolate" | "dissolve" | "detachChildren"; tree: number; who: Entity }
  | { do: "moveChild"; tree: number; who: Entity; position: AttachOptions }
  | { do: "swap"; tree: number; who: Entity; other: Entity }
  | {
      do: "attachMany";
      tree: number;
      many: Entity[];
      under: Entity | null;
      position: AttachOptions | undefined;
    }
  | { do: "attachAll"; tree: number; pairs: (readonly [Entity, Entity | null])[] }
  | { do: "detachMany"; tree: number; many: Entity[] }
  | { do: "replaceChildren"; tree: number; many: Entity[]; under: Entity }
  | { do: "sort"; tree: number; under: Entity | null; salt: number }
  | { do: "name"; tree: number; who: Entity; name: string | undefined }
  | { do: "destroy"; tree: number; who: Entity; policy: DestroyPolicy | "tree" | "world" }
  | { do: "anchor"; who: Entity; add: boolean };
