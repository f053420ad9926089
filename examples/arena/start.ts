/** `npm run example -- arena [bots]`: the server, and some bots. */
import { addBot } from "./bots.ts";
import { serve } from "./server.ts";

const PORT = 2567;
await serve(PORT);
const count = Number(process.argv[2] ?? 4);
for (let k = 0; k < count; k++) await addBot(`http://127.0.0.1:${PORT}`, 0.3 + (k % 5) / 10);
console.log(`The arena is open on port ${PORT}, with ${count} bots.`);
