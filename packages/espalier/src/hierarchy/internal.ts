/** What other rooms of this package use of `hierarchy`. Not published. */
export { requireAnyTree, requireTree } from "./arguments.ts";
