/**
 * Contacts, hits and sensors of the last step.
 */
import type { EngineEvents } from "../engine.ts";
import type { Module, ShapeId, WorldId } from "./module.ts";

/** Reports to `events` what happened in the last step. `ownerOf` still knows shapes that were destroyed since. */
export function readEvents<Owner>(
  module: Module,
  world: WorldId,
  ownerOf: (id: ShapeId) => Owner | undefined,
  events: EngineEvents<Owner>,
): void {
  const both = (a: ShapeId, b: ShapeId, tell: (a: Owner, b: Owner) => void) => {
    const first = ownerOf(a);
    const second = ownerOf(b);
    if (first !== undefined && second !== undefined) tell(first, second);
  };
  const contacts = module.b2World_GetContactEvents(world);
  const { beginCount, endCount, hitCount } = contacts;
  for (let k = 0; k < endCount; k++) {
    const { shapeIdA, shapeIdB } = contacts.GetEndEvent(k);
    both(shapeIdA, shapeIdB, (a, b) => events.contactEnded(a, b));
  }
  for (let k = 0; k < beginCount; k++) {
    const event = contacts.GetBeginEvent(k);
    both(event.shapeIdA, event.shapeIdB, (a, b) => events.contactBegan(a, b));
    event.delete();
  }
  for (let k = 0; k < hitCount; k++) {
    const event = contacts.GetHitEvent(k);
    const { point, normal } = event;
    const { x, y } = point;
    const { x: normalX, y: normalY } = normal;
    const speed = event.approachSpeed;
    both(event.shapeIdA, event.shapeIdB, (a, b) => events.hit(a, b, x, y, normalX, normalY, speed));
    event.delete();
  }
  contacts.delete();
  const sensors = module.b2World_GetSensorEvents(world);
  const { beginCount: entered, endCount: left } = sensors;
  for (let k = 0; k < left; k++) {
    const { sensorShapeId, visitorShapeId } = sensors.GetEndEvent(k);
    both(sensorShapeId, visitorShapeId, (a, b) => events.sensorEnded(a, b));
  }
  for (let k = 0; k < entered; k++) {
    const { sensorShapeId, visitorShapeId } = sensors.GetBeginEvent(k);
    both(sensorShapeId, visitorShapeId, (a, b) => events.sensorBegan(a, b));
  }
  sensors.delete();
}
