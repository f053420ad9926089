/** What a visitor may answer: do not go below this entity, or end the walk. Anything else goes on. */
// biome-ignore lint/suspicious/noConfusingVoidType: visitors that answer nothing return void
export type Verdict = "skip" | "stop" | void | undefined;
