/**
 * A mobile, drawn by @react-three/fiber. React decides which meshes exist (a query), Espalier where they are: each mesh is attached
 * to its entity, and one call a frame writes the matrices that changed. Click a ball to take it off its rod.
 */
import { Canvas, useFrame } from "@react-three/fiber";
import { component, createWorld, type Entity, f32, string } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { useComponent, useQuery, useWorldContext, WorldProvider } from "espalier/react";
import { createThreeSync } from "espalier/three";
import { createTransforms3D, Transform3D } from "espalier/transform";
import { StrictMode, useCallback, useMemo } from "react";
import { createRoot } from "react-dom/client";
import type { Mesh } from "three";
import "../frames.ts";

const Rod = component("Rod", { length: f32(2), speed: f32(1) });
const Ball = component("Ball", { size: f32(0.3), color: string("#ffffff") });

const world = createWorld();
const tree = createHierarchy(world);
const space = createTransforms3D(tree);
const view = createThreeSync(space);

/** A rod with a ball at one end and, while there is room, a smaller rod at the other. */
function hang(parent: Entity | null, x: number, length: number, depth: number): void {
  const rod = tree.attachNew(
    parent,
    space.at(x, depth === 0 ? 2.4 : -1, 0),
    Rod({ length, speed: 0.5 + depth * 0.35 }),
  );
  const color = ["#e4572e", "#f3a712", "#a8c686", "#669bbc", "#b388eb"][depth % 5]!;
  tree.attachNew(rod, space.at(length, -0.5, 0), Ball({ size: 0.18 + length * 0.1, color }));
  if (depth < 4) hang(rod, -length, length * 0.72, depth + 1);
  else tree.attachNew(rod, space.at(-length, -0.5, 0), Ball({ size: 0.25, color }));
}
hang(null, 0, 2.4, 0);

/** Attaches a mesh to its entity, and detaches it. */
function useDriven(entity: Entity) {
  return useCallback(
    (mesh: Mesh | null) => {
      if (mesh === null) return undefined;
      view.attach(entity, mesh);
      return () => void view.detach(entity);
    },
    [entity],
  );
}

function BallMesh({ entity }: { entity: Entity }) {
  const ball = useComponent(entity, Ball);
  const drive = useDriven(entity);
  const { signals } = useWorldContext();
  if (ball === undefined) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: an object in a scene, not an element of the page
    <mesh
      ref={drive}
      onClick={() => {
        world.destroy(entity);
        signals.flush();
      }}
    >
      <sphereGeometry args={[ball.size, 32, 16]} />
      <meshStandardMaterial color={ball.color} roughness={0.4} />
    </mesh>
  );
}

function RodMesh({ entity }: { entity: Entity }) {
  const length = useComponent(entity, Rod)?.length ?? 0;
  const drive = useDriven(entity);
  return (
    <mesh ref={drive}>
      <boxGeometry args={[length * 2, 0.05, 0.05]} />
      <meshStandardMaterial color="#c9d1de" />
    </mesh>
  );
}

function Mobile() {
  const rods = useQuery(Transform3D, Rod);
  const balls = useQuery(Transform3D, Ball);
  const fixed = useMemo(() => new URLSearchParams(location.search).get("time"), []);
  useFrame(({ clock }) => {
    const time = fixed === null ? clock.elapsedTime : Number(fixed);
    world.query(Rod).each((entity, rod) => {
      space.setRotation(entity, 0, 1, 0, time * rod.speed);
    });
    view.sync();
    window.ready = true;
  });
  return (
    <>
      {rods.map((entity) => (
        <RodMesh key={entity} entity={entity} />
      ))}
      {balls.map((entity) => (
        <BallMesh key={entity} entity={entity} />
      ))}
    </>
  );
}

createRoot(document.querySelector("#app")!).render(
  <StrictMode>
    <WorldProvider world={world} tree={tree} space={space}>
      <Canvas camera={{ position: [0, 1.5, 10], fov: 45 }} gl={{ preserveDrawingBuffer: true }}>
        <color attach="background" args={["#10141b"]} />
        <ambientLight intensity={0.8} />
        <directionalLight position={[4, 8, 6]} intensity={2.5} />
        <Mobile />
      </Canvas>
    </WorldProvider>
  </StrictMode>,
);
