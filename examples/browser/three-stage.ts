/** A scene, a camera and a renderer that fill the window: what every three.js program has. */
import { Color, DirectionalLight, HemisphereLight, PerspectiveCamera, Scene, WebGLRenderer } from "three";

export function createStage(background: string, eye: readonly [number, number, number]) {
  const scene = new Scene();
  scene.background = new Color(background);
  scene.add(new HemisphereLight("#dfe8ff", "#30281f", 1.4));
  const sun = new DirectionalLight("#ffffff", 2);
  sun.position.set(4, 8, 6);
  scene.add(sun);
  const camera = new PerspectiveCamera(45, innerWidth / innerHeight, 0.1, 1000);
  camera.position.set(...eye);
  camera.lookAt(0, 0, 0);
  // Tests read the picture after the frame.
  const renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  renderer.setSize(innerWidth, innerHeight);
  document.body.append(renderer.domElement);
  addEventListener("resize", () => {
    camera.aspect = innerWidth / innerHeight;
    camera.updateProjectionMatrix();
    renderer.setSize(innerWidth, innerHeight);
  });
  return { scene, camera, renderer };
}
