import * as room from "espalier/hierarchy";

/** The edits of a tree, methods and functions, by the names that they have as commands. */
export function atOnce(tree: room.Hierarchy): room.HierarchyCommands {
  const members = tree as unknown as { readonly [name: string]: unknown };
  const functions = room as unknown as { readonly [name: string]: unknown };
  const get =
    (_: unknown, name: string) =>
    (...args: unknown[]) => {
      const method = members[name];
      return typeof method === "function"
        ? Reflect.apply(method, tree, args)
        : Reflect.apply(functions[name] as (...args: unknown[]) => unknown, undefined, [tree, ...args]);
    };
  return new Proxy({}, { get }) as room.HierarchyCommands;
}
