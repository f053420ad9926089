import { Canvas, useFrame } from "@react-three/fiber";
import type { Entity } from "espalier";
import type { Game } from "espalier/game";
import {
  useComponent,
  useHas,
  useParent,
  useQuery,
  useQueryFirst,
  useWorldTransform,
  WorldProvider,
} from "espalier/react";
import { Shape, shapeKinds } from "espalier/render";
import type { ThreeSync } from "espalier/three";
import { Transform2D } from "espalier/transform";
import { useCallback } from "react";
import type { Group } from "three";
import { Driver } from "./driver.ts";

/** How high hulls and turrets are. */
const HEIGHT = 24;

/** Every shape of the scene as a solid on the ground, and a line of text above it. */
export function View({ game, sync }: { game: Game; sync: ThreeSync }) {
  return (
    <WorldProvider world={game.world} tree={game.tree} space={game.space}>
      {/* The game has a loop of its own and asks for each frame. */}
      <Canvas frameloop="never" camera={{ position: [0, -420, 420], up: [0, 0, 1], fov: 50, far: 4000 }}>
        <color attach="background" args={["#1a2b24"]} />
        <ambientLight intensity={1.2} />
        <directionalLight position={[-200, -300, 600]} intensity={2.5} />
        <mesh>
          <planeGeometry args={[4000, 4000]} />
          <meshStandardMaterial color="#22392f" />
        </mesh>
        <Solids sync={sync} />
        <Eye game={game} />
      </Canvas>
      <Status game={game} />
    </WorldProvider>
  );
}

/** Moves the camera to where that of the scene is, which follows the player. */
function Eye({ game }: { game: Game }) {
  useFrame(({ camera }) => {
    const { minX, minY, maxX, maxY } = game.view().visible;
    camera.position.set((minX + maxX) / 2, (minY + maxY) / 2 - 420, 420);
  });
  return null;
}

function Solids({ sync }: { sync: ThreeSync }) {
  const entities = useQuery(Transform2D, Shape);
  return entities.map((entity) => <Solid key={entity} entity={entity} sync={sync} />);
}

/** The group is driven by its entity; what is in it is React's. */
function Solid({ entity, sync }: { entity: Entity; sync: ThreeSync }) {
  const shape = useComponent(entity, Shape);
  // A turret stands on its hull.
  const isOnTop = useHas(useParent(entity), Shape);
  const drive = useCallback(
    (group: Group | null) => {
      if (group === null) return;
      sync.attach(entity, group);
      return () => void sync.detach(entity);
    },
    [entity, sync],
  );
  if (shape === undefined) return null;
  const isRound = shape.kind === shapeKinds.circle;
  const height = isRound ? HEIGHT : Math.min(HEIGHT, shape.height);
  const middle = HEIGHT / 2 + (isOnTop ? HEIGHT : 0);
  return (
    <group ref={drive}>
      <mesh position={[0, 0, middle]} rotation={isRound ? [Math.PI / 2, 0, 0] : [0, 0, 0]}>
        {isRound ? (
          <cylinderGeometry args={[shape.radius, shape.radius, height, 32]} />
        ) : (
          <boxGeometry args={[shape.width, shape.height, height]} />
        )}
        <meshStandardMaterial color={shape.fill} roughness={0.6} />
      </mesh>
    </group>
  );
}

/** An element of the page that follows the world: it is rendered again when the player has moved. */
function Status({ game }: { game: Game }) {
  const player = useQueryFirst(Driver);
  return (
    <p className="status">W A S D to drive. {player !== null && <Point entity={player} game={game} />}</p>
  );
}

function Point({ entity, game }: { entity: Entity; game: Game }) {
  const transform = useWorldTransform(entity, game.space);
  return transform && <output>{`x ${Math.round(transform.x)}, y ${Math.round(transform.y)}`}</output>;
}
