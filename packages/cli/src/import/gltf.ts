/**
 * The node tree of a glTF file as an Espalier scene: names, parents, order, transforms.
 */
import type { SceneFile } from "espalier/scene";
import { loadTool } from "../missing-tool.ts";
import { differing, type Entry, type Imported, type Json, short, type Unmapped } from "./imported.ts";

type Core = typeof import("@gltf-transform/core");
type GltfNode = import("@gltf-transform/core").Node;
type GltfDocument = import("@gltf-transform/core").Document;

export async function importGltf(file: string): Promise<Imported> {
  const { NodeIO } = await loadTool<Core>(
    "@gltf-transform/core",
    "Reading glTF needs the package @gltf-transform/core.",
  );
  const document = await new NodeIO().read(file);
  return convert(document);
}

function convert(document: GltfDocument): Imported {
  const root = document.getRoot();
  const unmapped: Unmapped[] = [];
  const lost = (node: string, what: string, kept = false) => unmapped.push({ node, what, kept });
  const scenes = root.listScenes();
  const scene = root.getDefaultScene() ?? scenes[0];
  for (const other of scenes)
    if (other !== scene) lost("", `scene ${other.getName() || scenes.indexOf(other)}`);
  const entities: Entry[] = [];
  const seen = new Set<GltfNode>();
  const stack: { node: GltfNode; into: Entry[]; path: string }[] = [];
  const push = (nodes: readonly GltfNode[], into: Entry[], path: string) => {
    for (let k = nodes.length - 1; k >= 0; k--) stack.push({ node: nodes[k] as GltfNode, into, path });
  };
  push(scene?.listChildren() ?? [], entities, "");
  while (stack.length > 0) {
    const { node, into, path } = stack.pop() as { node: GltfNode; into: Entry[]; path: string };
    if (seen.has(node)) continue;
    seen.add(node);
    const name = node.getName();
    const here = `${path === "" ? "" : `${path}/`}${name || `#${root.listNodes().indexOf(node)}`}`;
    const entry: Entry = {
      ...(name === "" || name === "." || name === ".." ? {} : { name }),
      components: { Transform3D: transformOf(node) },
    };
    const kept = keptOf(node, (what) => lost(here, what, true));
    if (Object.keys(kept).length > 0)
      entry.components = { ...entry.components, Props: { values: { gltf: kept } } };
    into.push(entry);
    const children = node.listChildren();
    if (children.length === 0) continue;
    entry.children = [];
    push(children, entry.children, here);
  }
  for (const node of root.listNodes()) if (!seen.has(node)) lost(node.getName(), "node outside the scene");
  for (const animation of root.listAnimations())
    lost("", `animation ${animation.getName() || "without name"}`);
  return { scene: { version: 1, entities } as unknown as SceneFile, unmapped, needs: [] };
}

function transformOf(node: GltfNode): { [field: string]: Json } {
  const [x, y, z] = node.getTranslation().map(short) as [number, number, number];
  const [qx, qy, qz, qw] = node.getRotation().map(short) as [number, number, number, number];
  const [scaleX, scaleY, scaleZ] = node.getScale().map(short) as [number, number, number];
  return differing(
    { x, y, z, qx, qy, qz, qw, scaleX, scaleY, scaleZ },
    { qw: 1, scaleX: 1, scaleY: 1, scaleZ: 1 },
  );
}

/** What a node has besides its place: named, so that a program can find it in the original. */
function keptOf(node: GltfNode, lost: (what: string) => void): { [name: string]: Json } {
  const kept: { [name: string]: Json } = {};
  const keep = (key: string, value: Json, what: string) => {
    kept[key] = value;
    lost(what);
  };
  const mesh = node.getMesh();
  if (mesh !== null) keep("mesh", mesh.getName(), `mesh ${mesh.getName()}`.trim());
  const camera = node.getCamera();
  if (camera !== null) keep("camera", camera.getName(), `camera ${camera.getName()}`.trim());
  const skin = node.getSkin();
  if (skin !== null) keep("skin", skin.getName(), `skin ${skin.getName()}`.trim());
  const weights = node.getWeights();
  if (weights.length > 0) keep("weights", [...weights], "morph weights");
  if (Object.keys(node.getExtras()).length > 0) keep("extras", node.getExtras() as Json, "extras");
  for (const extension of node.listExtensions()) lost(`extension ${extension.extensionName}`);
  return kept;
}
