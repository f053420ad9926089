/** The texts of all scenes and prefabs, each loaded when it is needed. Their JSON schema is for tools alone. */
export const scenes = import.meta.glob<string>(["../scenes/*.json", "!../scenes/*.schema.json"], {
  query: "?raw",
  import: "default",
});
