import { component, createWorld, f32 } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createTransforms3D } from "espalier/transform";
import {
  ContractMismatchError,
  hostWorld,
  InvalidWorkerError,
  mirrorWorld,
  timerFrames,
  type WorkerFailedError,
} from "espalier/worker";
import { describe, expect, it } from "vitest";
import { connect, createSide, Health, Key, type Memory, settled, shared, textOf } from "./pair.ts";

const memories: Memory[] = ["shared", "transferred"];

describe.each(memories)("a mirror with %s memory", (memory) => {
  it("has the world of the worker, and follows it", async () => {
    const { worker, page, host, mirror, ticks, close } = connect(memory);
    const tank = worker.world.spawn(Key({ value: 1 }), worker.space.at(3, 4));
    worker.tree.attachNew(tank, Key({ value: 2 }), worker.space.at(0, 1));
    await mirror.ready;
    expect(mirror.isShared).toBe(memory === "shared");
    expect(host.isShared).toBe(memory === "shared");
    expect(textOf(page)).toBe(textOf(worker));
    worker.space.setPosition(tank, 10, 20);
    worker.world.add(tank, Health({ hp: 7, note: "hit" }));
    expect(host.publish()).toBe("sent");
    expect(host.publish()).toBe("unchanged");
    await settled();
    expect(textOf(page)).toBe(textOf(worker));
    expect(ticks.map(({ isSnapshot, moved }) => [isSnapshot, moved])).toEqual([
      [true, 0],
      [false, 1],
    ]);
    const own = mirror.entityOf(tank)!;
    expect(mirror.idOf(own)).toBe(tank);
    expect(page.space.worldPosition(page.tree.childrenOf(own)[0]!)).toEqual({ x: 10, y: 21 });
    close();
  });

  it("gets transforms that came, went and changed in part", async () => {
    const { worker, page, host, mirror, close } = connect(memory);
    const all = Array.from({ length: 40 }, (_, k) => worker.world.spawn(Key({ value: k })));
    await mirror.ready;
    const step = async () => {
      expect(host.publish()).toBe("sent");
      await settled();
      expect(textOf(page)).toBe(textOf(worker));
    };
    for (const entity of all)
      worker.world.add(entity, worker.space.component({ x: 1, scaleX: 3, skew: 0.5 }));
    await step();
    for (const entity of all) worker.space.setRotation(entity, 0.25);
    await step();
    for (const [k, entity] of all.entries()) {
      if (k % 2 === 0) worker.space.setScale(entity, k);
      else worker.space.setPosition(entity, k, 2);
    }
    await step();
    for (const entity of all.slice(0, 20)) worker.world.remove(entity, worker.space.component);
    await step();
    for (const entity of all) worker.space.setPosition(entity, 5, 6);
    await step();
    close();
  });

  it("moves blocks of any size: memory grows with them", async () => {
    const { worker, page, host, mirror, close } = connect(memory);
    await mirror.ready;
    const all = Array.from({ length: 3000 }, (_, k) =>
      worker.world.spawn(Key({ value: k }), worker.space.at(0, 0)),
    );
    host.publish();
    for (let tick = 1; tick <= 6; tick++) {
      for (const [k, entity] of all.entries()) worker.space.setTransform(entity, k, tick, 1, 2, 3, 4);
      expect(host.publish()).toBe("sent");
      await settled();
      expect(textOf(page)).toBe(textOf(worker));
    }
    close();
  });

  it("loses no slot where a larger block could not be sent", async () => {
    const { worker, page, host, mirror, ports, close } = connect(memory);
    await mirror.ready;
    const all = Array.from({ length: 3000 }, (_, k) =>
      worker.world.spawn(Key({ value: k }), worker.space.at(0, 0)),
    );
    host.publish();
    await settled();
    const port = ports[0];
    const move = (y: number) => {
      for (const [k, entity] of all.entries()) worker.space.setTransform(entity, k, y, 1, 2, 3, 4);
    };
    // As a port answers to what cannot be cloned.
    const refuse = () => {
      throw new DOMException("It could not be cloned.", "DataCloneError");
    };
    for (let tick = 1; tick <= 6; tick++) {
      move(tick);
      Object.defineProperty(port, "postMessage", { value: refuse, configurable: true });
      expect(() => host.publish()).toThrow("cloned");
      Reflect.deleteProperty(port, "postMessage");
      // The page finds the gap and asks for a snapshot.
      move(-tick);
      expect(host.publish()).toBe("sent");
      await settled();
      expect(textOf(page)).toBe(textOf(worker));
    }
    const answers = [7, 8, 9].map((y) => {
      move(y);
      return host.publish();
    });
    expect(answers).toEqual(["sent", "sent", "sent"]);
    await settled();
    expect(textOf(page)).toBe(textOf(worker));
    close();
  });

  it("is behind for a while when the page is busy: the worker continues, and nothing is lost", async () => {
    const { worker, page, host, mirror, ticks, close } = connect(memory);
    const tank = worker.world.spawn(Key({ value: 1 }), worker.space.at(0, 0));
    await mirror.ready;
    const answers: string[] = [];
    // No message arrives before this task ends: the page is busy.
    for (let k = 1; k <= 10; k++) {
      worker.space.setPosition(tank, k, 0);
      worker.world.spawn(Key({ value: 1 + k }));
      answers.push(host.publish());
    }
    expect(answers.slice(0, 4)).toEqual(["sent", "sent", "sent", "behind"]);
    expect(answers.slice(4).every((answer) => answer === "behind")).toBe(true);
    await settled();
    // Sent by itself, as one tick, when the page had caught up.
    expect(textOf(page)).toBe(textOf(worker));
    expect(ticks.length).toBe(5);
    worker.space.setPosition(tank, 99, 0);
    expect(host.publish()).toBe("sent");
    await settled();
    expect(textOf(page)).toBe(textOf(worker));
    close();
  });

  it("gets a snapshot where too much waited", async () => {
    const { worker, page, host, mirror, ticks, close } = connect(memory, { maxBytes: 2000 });
    await mirror.ready;
    for (let k = 0; k < 500; k++) worker.world.spawn(Key({ value: k }), worker.space.at(k, k));
    expect(host.publish()).toBe("sent");
    await settled();
    expect(ticks.at(-1)?.isSnapshot).toBe(true);
    expect(textOf(page)).toBe(textOf(worker));
    worker.world.spawn(Key({ value: 1000 }));
    host.publish();
    await settled();
    expect(textOf(page)).toBe(textOf(worker));
    close();
  });

  it("recovers where the page destroyed something of it", async () => {
    const { worker, page, host, mirror, ticks, errors, close } = connect(memory);
    const all = Array.from({ length: 20 }, (_, k) =>
      worker.world.spawn(Key({ value: k }), worker.space.at(k, 0)),
    );
    await mirror.ready;
    const own = page.world.spawn(page.space.at(0, 0));
    page.world.destroy(mirror.entityOf(all[3]!)!);
    for (const entity of all) worker.space.setPosition(entity, 1, 1);
    host.publish();
    await settled();
    expect(page.space.localOf(mirror.entityOf(all[19]!)!).x).toBe(1);
    worker.world.set(all[3]!, Key, { value: 77 });
    host.publish();
    await settled();
    expect(ticks.at(-1)?.isSnapshot).toBe(true);
    expect(textOf(page)).toBe(textOf(worker));
    expect(page.world.isAlive(own)).toBe(true);
    expect(errors).toEqual([]);
    close();
  });
});

describe("a mirror", () => {
  it("fails, instead of waiting for ever, where the worker cannot send its world", async () => {
    const { worker, mirror, errors, ports, close } = connect("transferred");
    const reported: unknown[] = [];
    Object.defineProperty(worker.world, "onError", { value: (error: unknown) => reported.push(error) });
    const [port] = ports;
    const post = port.postMessage.bind(port);
    const refuseSnapshots = (message: { type: string }, transfer: never[]) => {
      if (message.type === "snapshot") throw new DOMException("It could not be cloned.", "DataCloneError");
      post(message, transfer);
    };
    Object.defineProperty(port, "postMessage", { value: refuseSnapshots, configurable: true });
    await expect(mirror.ready).rejects.toThrow("The worker closed the world");
    expect(mirror.status).toBe("failed");
    expect(errors).toHaveLength(1);
    expect(reported.map(String)).toEqual(["DataCloneError: It could not be cloned."]);
    Reflect.deleteProperty(port, "postMessage");
    close();
  });

  it("sends input in order, and what the worker throws over it goes to its onError", async () => {
    const got: unknown[] = [];
    const { worker, mirror, close } = connect("shared", {
      onInput(event) {
        if (event === "bad") throw new TypeError("bad");
        got.push(event);
      },
    });
    const reported: unknown[] = [];
    Object.defineProperty(worker.world, "onError", { value: (error: unknown) => reported.push(error) });
    await mirror.ready;
    mirror.send({ type: "key", code: "Space", down: true }, 2);
    mirror.send("bad", 3);
    await settled();
    expect(got).toEqual([{ type: "key", code: "Space", down: true }, 2, 3]);
    expect(reported.map(String)).toEqual(["TypeError: bad"]);
    close();
  });

  it("refuses a worker that has other components, and lists the differences", async () => {
    const Health2 = component("Health", { hp: f32(), armour: f32() });
    const { mirror, errors, close } = connect("shared", {}, { components: [Key, Health2] });
    await expect(mirror.ready).rejects.toThrow(ContractMismatchError);
    expect(mirror.status).toBe("failed");
    expect(errors.length).toBe(1);
    const error = errors[0] as ContractMismatchError;
    expect(error.here).toEqual(["Health { hp: f32, armour: f32 }"]);
    expect(error.there).toEqual(["Health { hp: f32, note: string }", "Target { at: entity }"]);
    expect(() => mirror.send(1)).toThrow(InvalidWorkerError);
    close();
  });

  it("can be closed and begun again with the same worker", async () => {
    const { worker, page, host, mirror, ports, close } = connect("shared");
    worker.world.spawn(Key({ value: 1 }), worker.space.at(1, 1));
    await mirror.ready;
    mirror.close();
    await settled();
    expect(host.status).toBe("waiting");
    expect(host.publish()).toBe("waiting");
    expect(page.world.query(Key).count()).toBe(1);
    const other = createSide();
    const again = mirrorWorld(other.world, { components: shared, spaces: [other.space], port: ports[1] });
    worker.world.spawn(Key({ value: 2 }));
    await again.ready;
    expect(textOf(other)).toBe(textOf(worker));
    expect(host.status).toBe("live");
    again.close();
    close();
  });

  it("may be there before its worker", async () => {
    const { mirror, ports, close, worker, host } = connect("shared");
    // The first host is gone: another one begins behind the same port.
    await mirror.ready;
    host.close();
    await settled();
    expect(mirror.status).toBe("failed");
    const page = createSide();
    const early = mirrorWorld(page.world, { components: shared, spaces: [page.space], port: ports[1] });
    await settled();
    expect(early.status).toBe("joining");
    worker.world.spawn(Key({ value: 5 }));
    const late = hostWorld(worker.world, { components: shared, spaces: [worker.space], port: ports[0] });
    await early.ready;
    expect(textOf(page)).toBe(textOf(worker));
    early.close();
    late.close();
    close();
  });

  it("reports the end of its worker", async () => {
    const { mirror, errors, ports } = connect("transferred");
    await mirror.ready;
    ports[0].close();
    await settled();
    await settled();
    expect(errors.map((error) => (error as WorkerFailedError).reason)).toEqual(["ended"]);
    expect(mirror.status).toBe("failed");
  });

  it("leaves messages of other code on the same port alone", async () => {
    const { mirror, host, ports, close } = connect("shared");
    await mirror.ready;
    ports[0].postMessage({ type: "tick" });
    ports[1].postMessage("hello");
    await settled();
    expect([mirror.status, host.status]).toEqual(["live", "live"]);
    close();
  });

  it("mirrors transforms in three dimensions", async () => {
    const side = () => {
      const world = createWorld();
      return { world, space: createTransforms3D(createHierarchy(world)) };
    };
    const [a, b] = [side(), side()];
    const { port1, port2 } = new MessageChannel();
    const host = hostWorld(a.world, { components: [], spaces: [a.space], port: port1 });
    const mirror = mirrorWorld(b.world, { components: [], spaces: [b.space], port: port2 });
    const all = Array.from({ length: 10 }, (_, k) => a.world.spawn(a.space.component({ x: k })));
    await mirror.ready;
    for (const [k, entity] of all.entries()) a.space.setPosition(entity, k + 0.1, 2, 3);
    host.publish();
    await settled();
    for (const entity of all)
      expect(b.space.localOf(mirror.entityOf(entity)!)).toEqual(a.space.localOf(entity));
    for (const entity of all) a.space.setScale(entity, 2, 3, 4);
    host.publish();
    await settled();
    for (const entity of all)
      expect(b.space.localOf(mirror.entityOf(entity)!)).toEqual(a.space.localOf(entity));
    mirror.close();
    host.close();
    port1.close();
  });
});

describe("hostWorld and mirrorWorld", () => {
  it("refuse what cannot serve, and name the option", () => {
    const { world, space } = createSide();
    const other = createSide();
    const { port1 } = new MessageChannel();
    const refusal = (call: () => unknown) => {
      try {
        call();
      } catch (error) {
        return [(error as InvalidWorkerError).code, (error as InvalidWorkerError).option];
      }
      return "nothing";
    };
    const wrong = <T>(value: unknown) => value as T;
    expect(refusal(() => hostWorld(world, { components: [] }))).toEqual(["worker/invalid-use", "port"]);
    expect(refusal(() => hostWorld(world, { components: [], port: wrong({}) }))).toEqual([
      "worker/invalid-use",
      "port",
    ]);
    expect(refusal(() => hostWorld(wrong(1), { components: [], port: port1 }))).toEqual([
      "worker/invalid-use",
      "world",
    ]);
    expect(refusal(() => hostWorld(world, wrong(undefined)))).toEqual(["worker/invalid-use", "options"]);
    expect(refusal(() => mirrorWorld(world, { components: wrong([1]), port: port1 }))).toEqual([
      "worker/invalid-use",
      "components",
    ]);
    expect(refusal(() => mirrorWorld(world, { components: [], spaces: wrong([{}]), port: port1 }))).toEqual([
      "worker/invalid-use",
      "spaces",
    ]);
    expect(refusal(() => mirrorWorld(world, { components: [], spaces: [other.space], port: port1 }))).toEqual(
      ["worker/invalid-use", "trees"],
    );
    expect(
      refusal(() => mirrorWorld(world, { components: [], spaces: [space], trees: [], port: port1 })),
    ).toEqual(["worker/invalid-use", "spaces"]);
    expect(refusal(() => timerFrames(0))).toEqual(["worker/invalid-use", "rate"]);
    port1.close();
  });
});

describe("timerFrames", () => {
  it("calls each request once, later, and not when it was cancelled", async () => {
    const frames = timerFrames(200);
    const times: number[] = [];
    frames.cancel(frames.request(() => times.push(-1)));
    await new Promise<void>((resolve) => {
      const next = (time: number) => {
        times.push(time);
        if (times.length < 4) frames.request(next);
        else resolve();
      };
      frames.request(next);
    });
    expect(times.length).toBe(4);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times[0]).toBeGreaterThan(0);
  });
});
