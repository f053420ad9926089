import { createWorld, type Entity } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { Active, activity, createInherited, HIDDEN, Visibility, visibility } from "espalier/inherit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isOwnActive, toggleActive } from "../src/commands/state/toggle-active.ts";
import { toggleLock } from "../src/commands/state/toggle-lock.ts";
import { createEntity } from "../src/commands/tree/create-entity.ts";
import { componentsOf, entityKinds } from "../src/commands/tree/entity-kinds.ts";
import { effectiveOnDemand } from "../src/document/effective.ts";
import { EditorLock, locking } from "../src/document/locked.ts";
import { at, open } from "./open.ts";

describe("values that are worked out on demand", () => {
  it("are those that the library propagates", () => {
    const steps = fc.array(fc.tuple(fc.nat(), fc.constantFrom("none", "off", "hidden")), { maxLength: 40 });
    fc.assert(
      fc.property(steps, (chosen) => {
        const world = createWorld();
        const tree = createHierarchy(world);
        const all: Entity[] = [];
        for (const [parent, own] of chosen) {
          const entity = tree.attachNew(all[parent % Math.max(1, all.length)] ?? null);
          if (own === "off") world.add(entity, Active({ on: false }));
          if (own === "hidden") world.add(entity, Visibility({ mode: HIDDEN }));
          all.push(entity);
        }
        const [active, visible] = [createInherited(tree, activity), createInherited(tree, visibility)];
        const onDemand = [effectiveOnDemand(tree, activity), effectiveOnDemand(tree, visibility)] as const;
        for (const entity of all) {
          expect(onDemand[0].of(entity)).toBe(active.of(entity));
          expect(onDemand[1].of(entity)).toBe(visible.of(entity));
        }
      }),
      { numRuns: 60 },
    );
  });

  it("include locks, which flow down and are not saved", () => {
    const document = open();
    toggleLock(document, [at(document, "level")]);
    expect(document.locked.of(at(document, "door"))).toBe(true);
    expect(effectiveOnDemand(document.tree, locking).of(at(document, "door"))).toBe(true);
    expect(document.isOwnLocked(at(document, "door"))).toBe(false);
    expect(document.save()).not.toContain(EditorLock.name);
  });
});

describe("the state of entities", () => {
  it("becomes the opposite of that of the entity selected last", () => {
    const document = open();
    const [sky, door] = [at(document, "sky"), at(document, "door")];
    toggleActive(document, [sky]);
    expect([isOwnActive(document, sky), isOwnActive(document, door)]).toEqual([false, true]);
    toggleActive(document, [sky, door]);
    expect([isOwnActive(document, sky), isOwnActive(document, door)]).toEqual([false, false]);
    toggleActive(document, []);
    expect(document.history.undoLabels).toHaveLength(2);
  });
});

describe("a new entity", () => {
  it.each(entityKinds)("of the kind %s is saved and opened again", (kind) => {
    const document = open(`{ "entities": [] }`);
    createEntity(document, { name: kind, components: componentsOf(kind) });
    const text = document.save();
    expect(open(text).save()).toBe(text);
    expect(open(text).problems).toEqual([]);
  });
});
