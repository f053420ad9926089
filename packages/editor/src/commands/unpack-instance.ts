/** End the link of an instance to its prefab. */
import type { Entity } from "espalier";
import { unpackInstance } from "espalier/scene";
import type { EditorDocument } from "../document/document.ts";
import { edit } from "../document/edit.ts";

/** @param root - The root of the instance. */
export function unpack(document: EditorDocument, root: Entity): void {
  edit(document, `Unpack ${document.label(root)}`, () => unpackInstance(document.tree, root));
}
