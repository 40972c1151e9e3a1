// The canvas, the camera and the light.
import {
  DataTexture, PerspectiveCamera, Raycaster, Scene, Vector2, WebGLRenderer, type Color, type DirectionalLight, type Ray,
  type Vector3,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Extent } from "./extent";
import { addLights, sunDirection } from "./light";
import { placeCamera, setDepthRange, type View } from "./views";

export interface StageOptions {
  antialias: boolean;
  shadows: boolean;
}

export class Stage {
  readonly scene = new Scene();
  readonly overlay = new Scene(); // always seen: drawn over the scene
  readonly camera = new PerspectiveCamera(32, 1, 0.1, 100);
  readonly controls: OrbitControls;
  private readonly renderer: WebGLRenderer;
  private view: View | null = "start"; // null: the camera has been moved by hand
  width = 0; // of the canvas on the page
  height = 0;

  // Null where there is no WebGL.
  static create(canvas: HTMLCanvasElement, extent: Extent, options: StageOptions): Stage | null {
    // Opaque: to blend it with the page costs a browser without a graphics card a quarter of the time of a picture.
    const context = canvas.getContext("webgl2", { alpha: false, antialias: options.antialias });
    return context && new Stage(canvas, context, extent, options.shadows);
  }

  private constructor(
    readonly canvas: HTMLCanvasElement,
    context: WebGL2RenderingContext,
    private readonly extent: Extent,
    shadows: boolean,
  ) {
    this.renderer = new WebGLRenderer({ canvas, context, alpha: false });
    this.renderer.autoClear = false;
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.zoomToCursor = true;
    this.controls.minDistance = 0.01 * extent.size;
    this.controls.maxDistance = 20 * extent.size;
    this.controls.addEventListener("start", () => (this.view = null));
    const sun = addLights(this.scene);
    addLights(this.overlay);
    if (shadows) this.castShadows(sun);
  }

  look(view: View): void {
    this.view = view;
    placeCamera(this.camera, this.controls.target, this.extent, view);
    this.controls.update();
  }

  // The camera goes with a body that it follows.
  move(by: Vector3): void {
    this.view = null;
    this.camera.position.add(by);
    this.controls.target.add(by);
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (this.view) this.look(this.view);
  }

  setPixelRatio(ratio: number): void {
    if (ratio !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(ratio);
  }

  setBackground(background: Color | DataTexture): void {
    this.dropBackground();
    this.scene.background = background;
  }

  // So that what depends on the camera can be prepared before draw().
  placeCamera(): void {
    setDepthRange(this.camera, this.extent);
    this.camera.updateMatrixWorld();
  }

  draw(): void {
    this.renderer.clear();
    this.renderer.render(this.scene, this.camera);
    this.renderer.clearDepth();
    this.renderer.render(this.overlay, this.camera);
  }

  rayThrough(x: number, y: number): Ray {
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2((2 * x) / this.width - 1, 1 - (2 * y) / this.height), this.camera);
    return caster.ray;
  }

  // Radians.
  get pixelAngle(): number {
    return (2 * Math.tan((this.camera.fov * Math.PI) / 360)) / this.height;
  }

  // Pixels from the upper left corner; null behind the camera.
  toScreen(point: Vector3): { x: number; y: number } | null {
    const { x, y, z } = point.clone().project(this.camera);
    return z < 1 ? { x: ((x + 1) * this.width) / 2, y: ((1 - y) * this.height) / 2 } : null;
  }

  dispose(): void {
    this.dropBackground();
    this.controls.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss(); // browsers allow few contexts, and free them late
  }

  private dropBackground(): void {
    if (this.scene.background instanceof DataTexture) this.scene.background.dispose();
  }

  private castShadows(sun: DirectionalLight): void {
    this.renderer.shadowMap.enabled = true;
    sun.castShadow = true;
    sun.target.position.copy(this.extent.center);
    sun.position.copy(this.extent.center).addScaledVector(sunDirection, 2 * this.extent.size);
    const { camera, mapSize } = sun.shadow;
    camera.left = camera.bottom = -0.7 * this.extent.size;
    camera.right = camera.top = 0.7 * this.extent.size;
    camera.near = 0.5 * this.extent.size;
    camera.far = 4 * this.extent.size;
    mapSize.set(2048, 2048);
    sun.shadow.radius = 3;
    sun.shadow.normalBias = 2e-3 * this.extent.size;
  }
}
