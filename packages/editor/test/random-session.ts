/** A user who does anything, from a seed: for tests of undo. */
import type { Entity } from "espalier";
import { Transform2D } from "espalier/transform";
import { addComponent } from "../src/commands/components/add-component.ts";
import { removeComponent } from "../src/commands/components/remove-component.ts";
import { setField } from "../src/commands/components/set-field.ts";
import { instantiatePrefab } from "../src/commands/scene/instantiate-prefab.ts";
import { PartOfInstanceError, replaceEntities } from "../src/commands/scene/replace-entities.ts";
import { toggleLock } from "../src/commands/state/toggle-lock.ts";
import { toggleVisibility } from "../src/commands/state/toggle-visibility.ts";
import { nudgeEntities } from "../src/commands/transform/nudge-entities.ts";
import { around, startTransform, transformEntities } from "../src/commands/transform/transform-entities.ts";
import { createEntity } from "../src/commands/tree/create-entity.ts";
import { deleteEntities } from "../src/commands/tree/delete-entities.ts";
import { duplicateEntities } from "../src/commands/tree/duplicate-entities.ts";
import { groupEntities } from "../src/commands/tree/group-entities.ts";
import { moveEntities, whyNotMove } from "../src/commands/tree/move-entities.ts";
import { pasteEntities } from "../src/commands/tree/paste-entities.ts";
import { renameEntity } from "../src/commands/tree/rename-entity.ts";
import { reorderEntities } from "../src/commands/tree/reorder-entities.ts";
import { ungroupEntities } from "../src/commands/tree/ungroup-entities.ts";
import { copyText } from "../src/document/clipboard.ts";
import type { EditorDocument } from "../src/document/document.ts";
import { seal } from "../src/document/edit.ts";
import { LockedError } from "../src/document/require-unlocked.ts";
import { movable } from "../src/document/space/movable.ts";
import { Health, Rusty } from "./open.ts";

/** Numbers from 0 to 1, the same for the same seed. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Does one thing, whatever is possible now. */
export function randomGesture(document: EditorDocument, next: () => number): void {
  const all = document.world.entities();
  const pick = () => all[Math.floor(next() * all.length)] as Entity;
  const some = () => Array.from({ length: 1 + Math.floor(next() * 3) }, pick);
  const create = () => {
    createEntity(document, {
      parent: all.length > 0 && next() < 0.7 ? pick() : null,
      name: `new ${all.length}`,
    });
  };
  if (all.length < 4) {
    create();
    return;
  }
  const gestures: (() => void)[] = [
    create,
    () => all.length > 12 && deleteEntities(document, some()),
    () => all.length < 200 && duplicateEntities(document, some().slice(0, 1)),
    () => groupEntities(document, some()),
    () => ungroupEntities(document, some()),
    () => instantiatePrefab(document, "tank", { parent: next() < 0.5 ? pick() : null }),
    () => {
      const [entities, target] = [some(), { parent: next() < 0.8 ? pick() : null }];
      if (whyNotMove(document, entities, target) !== undefined) return;
      moveEntities(document, entities, target, { keep: next() < 0.5 ? "world" : "local" });
    },
    () => all.length > 12 && replaceEntities(document, some(), "tank"),
    () => nudgeEntities(document, some(), Math.round(next() * 20) - 10, 3),
    () =>
      all.length < 200 && pasteEntities(document, copyText(document, some().slice(0, 1)) as string, pick()),
    () => renameEntity(document, pick(), `name ${Math.floor(next() * 50)}`),
    () =>
      reorderEntities(
        document,
        some(),
        (["front", "back", "forward", "backward"] as const)[Math.floor(next() * 4)]!,
      ),
    () => addComponent(document, some(), next() < 0.5 ? Rusty : Health),
    () => removeComponent(document, some(), next() < 0.7 ? Rusty : Transform2D),
    () => setField(document, some(), Health, "hp", Math.round(next() * 100)),
    () => toggleVisibility(document, some()),
    () => toggleLock(document, some()),
    () => {
      const start = startTransform(document, movable(document, some()), next() < 0.3);
      const [sin, cos] = [Math.sin(next()), Math.cos(next())];
      for (let k = 1; k <= 3; k++) {
        transformEntities(document, "Rotate", start, around(k, 0, cos, sin, -sin, cos), { key: "gesture" });
      }
      seal(document);
    },
    () => void document.undo(),
    () => void document.redo(),
    () => void document.save(),
  ];
  try {
    gestures[Math.floor(next() * gestures.length)]?.();
  } catch (error) {
    // A lock refuses the edit with a message, and so does a part of an instance; nothing has changed.
    if (!(error instanceof LockedError || error instanceof PartOfInstanceError)) throw error;
  }
}
