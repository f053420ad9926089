import { createWorld } from "espalier";
import { mirrorWorld, type WorkerFailedError } from "espalier/worker";

const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
const mirror = mirrorWorld(createWorld({ onError: () => {} }), { components: [], port: worker });
mirror.ready.catch((error: WorkerFailedError) => {
  Object.assign(window, { result: { code: error.code, reason: error.reason, status: mirror.status } });
});
