/**
 * What the components of the samples do.
 */
import type { Component, Entity, Schema } from "espalier";
import { clone } from "espalier/scene";
import type { PlaySetup } from "../play/play-session.ts";
import { LookAt, Spawner, Spin, Sway } from "./sample-components.ts";

/** Adds the systems to a schedule. They know no other components than those of the samples. */
export const sampleSystems: PlaySetup = ({ document, schedule }) => {
  const { world, space, tree } = document;
  const knows = (component: unknown) => document.components.includes(component as Component<Schema>);
  if (!knows(Spin)) return undefined;
  const starts = new Map<Entity, { x: number; y: number }>();
  const flying: { entity: Entity; left: number; vx: number; vy: number }[] = [];
  const waiting = new Map<Entity, number>();

  schedule.add({
    name: "spin",
    run: ({ dt }) => {
      for (const entity of world.query(Spin).ids()) {
        space.rotate(entity, ((world.get(entity, Spin)?.degrees ?? 0) * Math.PI * dt) / 180);
      }
    },
  });
  schedule.add({
    name: "sway",
    run: ({ time }) => {
      for (const entity of world.query(Sway).ids()) {
        const { x, y, seconds, phase } = world.get(entity, Sway) as {
          x: number;
          y: number;
          seconds: number;
          phase: number;
        };
        const local = space.localOf(entity);
        const start = starts.get(entity) ?? { x: local.x, y: local.y };
        starts.set(entity, start);
        const wave = Math.sin((time / Math.max(seconds, 0.01) + phase) * 2 * Math.PI);
        space.setPosition(entity, start.x + x * wave, start.y + y * wave);
      }
    },
  });
  schedule.add({
    name: "look at",
    after: "sway",
    run: () => {
      for (const entity of world.query(LookAt).ids()) {
        const target = world.get(entity, LookAt)?.target ?? null;
        if (target === null) continue;
        const at = space.worldPosition(target);
        space.lookAt(entity, at.x, at.y);
      }
    },
  });
  schedule.add({
    name: "spawn",
    after: "look at",
    run: ({ dt }) => {
      for (const entity of world.query(Spawner).ids()) {
        const { original, every, life, speed } = world.get(entity, Spawner) as {
          original: Entity | null;
          every: number;
          life: number;
          speed: number;
        };
        if (original === null) continue;
        const left = (waiting.get(entity) ?? every) - dt;
        waiting.set(entity, left <= 0 ? every : left);
        if (left > 0) continue;
        const copy = clone(tree, original, { parent: null });
        const { x, y } = space.worldPosition(entity);
        const angle = space.worldRotation(entity);
        space.setWorldPosition(copy, x, y);
        flying.push({ entity: copy, left: life, vx: Math.cos(angle) * speed, vy: Math.sin(angle) * speed });
      }
    },
  });
  schedule.add({
    name: "fly",
    after: "spawn",
    run: ({ dt }) => {
      for (const one of [...flying]) {
        one.left -= dt;
        const isThere = world.isAlive(one.entity);
        if (one.left > 0 && isThere) space.translate(one.entity, one.vx * dt, one.vy * dt);
        else {
          flying.splice(flying.indexOf(one), 1);
          if (isThere) tree.destroy(one.entity);
        }
      }
    },
  });
  return undefined;
};
