/** Finds entities by name, path, component or value. */
import { describeValue, type Entity } from "../../ecs/index.ts";
import { findAll } from "../../hierarchy/index.ts";
import { deepEqual } from "../../history/internal.ts";
import type { Json, SceneFormat } from "../../scene/index.ts";
import { suggest } from "../../scene/internal.ts";
import { VerbError } from "../errors.ts";
import { membersOf, shownPath } from "../targets.ts";
import type { Verb, VerbContext } from "../verb.ts";
import { refusal, requireKnown } from "./component-names.ts";
import { valueAt, valuesOf } from "./entity-values.ts";

/** The parameters of `find`; an entity must match all of them. */
export interface FindParameters {
  /** The name, with `*` for any letters. */
  readonly name?: string;
  /** A path of names, with `*` for any name and `**` for any depth. */
  readonly path?: string;
  /** A component that it has. */
  readonly component?: string;
  /** A comparison of a value: `Health.hp < 50`. */
  readonly where?: string;
  /** The entity below which to look. */
  readonly under?: string;
  /** The maximum number of results. */
  readonly limit?: number;
}

export const find: Verb<FindParameters> = {
  name: "find",
  aliases: [],
  summary: "find entities by name, path, component or value",
  isReadOnly: true,
  parameters: {
    name: { type: "string", description: "The name; * stands for any letters." },
    path: { type: "string", description: "A path of names; * is any name, ** any depth: /level/**/tank." },
    component: { type: "string", form: "component", description: "A component that the entity has." },
    where: {
      type: "string",
      description: "A comparison of a value: Health.hp < 50. Operators: = != < <= > >= and ~ (contains).",
    },
    under: { type: "string", description: "The entity below which to look; the whole scene if left out." },
    limit: { type: "integer", minimum: 1, description: "How many to give at most; 1000 if left out." },
  },
  required: [],
  operands: ["path"],
  run(context, { name, path, component, where, under, limit = 1000 }) {
    const { tree, scene, document, format } = context;
    if (component !== undefined) requireKnown(format, "find", component);
    const wanted = name === undefined ? undefined : patternOf(name);
    const test = where === undefined ? undefined : comparisonOf(format, where);
    const found: Entity[] = [];
    let count = 0;
    for (const entity of candidates(context, path, under)) {
      if (wanted !== undefined && !wanted.test(tree.nameOf(entity) ?? "")) continue;
      if (component !== undefined || test !== undefined) {
        const values = valuesOf(document, entity);
        if (component !== undefined && !Object.hasOwn(values, component)) continue;
        if (test !== undefined && !test(values)) continue;
      }
      if (count++ < limit) found.push(entity);
    }
    const entities = found.map((entity) => ({
      id: scene.idOf(entity) ?? null,
      name: tree.nameOf(entity) ?? null,
      path: shownPath(scene, entity),
    }));
    return { count, entities };
  },
};

function* candidates(
  { scene, tree, find: resolve }: VerbContext,
  path: string | undefined,
  under: string | undefined,
): IterableIterator<Entity> {
  const below = under === undefined ? undefined : resolve(under);
  if (path === undefined) {
    if (below === undefined) yield* membersOf(scene);
    else yield* tree.descendants(below);
    return;
  }
  for (const entity of findAll(tree, path, below ?? null)) {
    if (scene.idOf(entity) !== undefined && (below === undefined || tree.isAncestor(below, entity)))
      yield entity;
  }
}

function patternOf(name: string): RegExp {
  const parts = name.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s");
}

const operators: { readonly [operator: string]: (a: Json, b: Json) => boolean } = {
  "=": isEqual,
  "!=": (a, b) => !isEqual(a, b),
  "<": (a, b) => isComparable(a, b) && (a as number) < (b as number),
  "<=": (a, b) => isComparable(a, b) && (a as number) <= (b as number),
  ">": (a, b) => isComparable(a, b) && (a as number) > (b as number),
  ">=": (a, b) => isComparable(a, b) && (a as number) >= (b as number),
  "~": (a, b) => (typeof a === "string" ? a.includes(String(b)) : Array.isArray(a) && a.includes(b)),
};

/** Keys of objects in any order; 0 equals -0. */
function isEqual(a: Json, b: Json): boolean {
  return a === b || deepEqual(a, b);
}

function isComparable(a: Json, b: Json): boolean {
  return typeof a === typeof b && (typeof a === "number" || typeof a === "string");
}

type Values = { readonly [component: string]: Json };

function comparisonOf(format: SceneFormat, where: string): (values: Values) => boolean {
  const [, path, operator, text] = /^\s*([^\s=!<>~]+)\s*(!=|<=|>=|=|<|>|~)\s*(.*?)\s*$/s.exec(where) ?? [];
  if (path === undefined || operator === undefined || text === undefined) {
    throw new VerbError(
      `Cannot run find: where is a comparison such as Health.hp < 50, got ${describeValue(where)}.`,
      "verbs/invalid-parameters",
      { verb: "find", option: "where", value: where },
    );
  }
  const wanted = jsonOrText(text);
  const compare = operators[operator] as (a: Json, b: Json) => boolean;
  const steps = path.split(".") as [string, ...string[]];
  const [component, field] = steps;
  const known = Object.keys(requireKnown(format, "find", component).schema);
  if (field !== undefined && !known.includes(field)) {
    const why = `${component} has no field ${describeValue(field)}. ${suggest(field, known, "fields")}`;
    throw refusal("find", component, why);
  }
  return (values) => {
    const value = valueAt(values, steps);
    // `Label.text = 50` means the string "50" if the value is a string.
    return value !== undefined && compare(value, typeof value === "string" ? asText(wanted, text) : wanted);
  };
}

function asText(wanted: Json, text: string): string {
  return typeof wanted === "string" ? wanted : text;
}

function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
