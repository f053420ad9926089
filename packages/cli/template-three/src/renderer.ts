import { type Entity, observe } from "espalier";
import type { Game } from "espalier/game";
import { Shape, shapeKinds } from "espalier/render";
import { createThreeSync } from "espalier/three";
import { Transform2D } from "espalier/transform";
import {
  AmbientLight,
  BoxGeometry,
  Color,
  CylinderGeometry,
  DirectionalLight,
  Group,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  PerspectiveCamera,
  PlaneGeometry,
  Scene,
  WebGLRenderer,
} from "three";

/** How high hulls and turrets are. */
const HEIGHT = 24;

/** Draws with three.js, as large as the page: every shape of the scene is a solid on the ground. */
export async function makeRenderer(canvas: HTMLCanvasElement) {
  return (game: Game) => {
    const { world, tree, space, visible } = game;
    const sync = createThreeSync(space, { visibility: visible });
    const sun = new DirectionalLight("white", 2.5);
    sun.position.set(-200, -300, 600);
    const ground = new Mesh(new PlaneGeometry(4000, 4000), new MeshStandardMaterial({ color: "#22392f" }));
    const scene = new Scene().add(sync.root, ground, sun, new AmbientLight("white", 1.2));
    scene.background = new Color("#1a2b24");
    const camera = new PerspectiveCamera(50, 1, 1, 4000);
    camera.up.set(0, 0, 1);
    camera.position.set(0, -420, 420);
    camera.lookAt(0, 0, 0);

    /** Moves to where the camera of the scene is: that follows the player, and the mouse counts from it. */
    function follow(): void {
      const { minX, minY, maxX, maxY } = game.view().visible;
      camera.position.set((minX + maxX) / 2, (minY + maxY) / 2 - 420, 420);
    }

    function makeSolid(entity: Entity): Mesh {
      const { kind, width, height, radius, fill } = world.get(entity, Shape)!;
      const isRound = kind === shapeKinds.circle;
      const high = isRound ? HEIGHT : Math.min(HEIGHT, height);
      const form = isRound
        ? new CylinderGeometry(radius, radius, high, 32)
        : new BoxGeometry(width, height, high);
      const solid = new Mesh(form, new MeshStandardMaterial({ color: fill, roughness: 0.6 }));
      if (isRound) solid.rotation.x = Math.PI / 2;
      // A turret stands on its hull.
      const parent = tree.parentOf(entity);
      solid.position.z = HEIGHT / 2 + (parent !== null && world.has(parent, Shape) ? HEIGHT : 0);
      return solid;
    }
    function empty(group: Object3D): void {
      for (const solid of group.children as Mesh<BoxGeometry, MeshStandardMaterial>[]) {
        solid.geometry.dispose();
        solid.material.dispose();
      }
      group.clear();
    }
    // The group is driven by its entity: what is in it keeps its position in the group.
    sync.attachEach(world.query(Transform2D, Shape), {
      create: (entity) => new Group().add(makeSolid(entity)),
      dispose: empty,
    });
    const endObserver = observe(world, Shape, {
      set(entity) {
        const group = sync.objectOf(entity);
        if (group === undefined) return;
        empty(group);
        group.add(makeSolid(entity));
      },
    });

    const renderer = new WebGLRenderer({ canvas, antialias: true });
    function resize(): void {
      renderer.setPixelRatio(window.devicePixelRatio);
      renderer.setSize(window.innerWidth, window.innerHeight);
      camera.aspect = window.innerWidth / window.innerHeight;
      camera.updateProjectionMatrix();
    }
    window.addEventListener("resize", resize);
    resize();
    return {
      view: canvas,
      render() {
        sync.sync();
        follow();
        renderer.render(scene, camera);
      },
      dispose() {
        window.removeEventListener("resize", resize);
        endObserver();
        sync.dispose();
        ground.geometry.dispose();
        ground.material.dispose();
        renderer.dispose();
      },
    };
  };
}
