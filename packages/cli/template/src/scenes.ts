/** The texts of all scenes and prefabs, each loaded when it is needed. */
export const scenes = import.meta.glob<string>("../scenes/*.json", { query: "?raw", import: "default" });
