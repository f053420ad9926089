/**
 * The way back from the world: which local values give a wanted world matrix, under what a link takes over.
 */
import type { SlotNumbers } from "../../inherit/internal.ts";
import { type Affine2D, decompose2D, invert2D, type Local2D, multiply2D } from "../maths/affine2d.ts";
import { TAKEN, writeTaken } from "../maths/compose-2d.ts";
import { POSITION } from "../spaces/inherit-mask.ts";

/** What an entity takes over from its parent. */
export class Taken2D {
  private readonly values = new Float64Array(TAKEN);
  private readonly flags: number;
  private readonly separable: boolean;

  constructor(parent: SlotNumbers, flags: number, separable: boolean) {
    this.flags = flags;
    this.separable = separable;
    writeTaken(parent, 0, flags, separable, this.values);
  }

  /** The position below the parent of a place in the world, or nothing where the parent has no inverse. */
  position(x: number, y: number): { x: number; y: number } | undefined {
    // Without inheriting the position, the own one is the world's, untouched by anything above.
    if ((this.flags & POSITION) === 0) return { x, y };
    const inverse = this.inverse();
    if (inverse === undefined) return undefined;
    const { a, b, c, d, x: offsetX, y: offsetY } = inverse;
    return { x: a * x + c * y + offsetX, y: b * x + d * y + offsetY };
  }

  /**
   * The rotation with which the x axis of an entity points at an angle in the world, or nothing where the parent has no
   * inverse.
   */
  rotation(angle: number, scaleX: number): number | undefined {
    const inverse = this.inverse();
    if (inverse === undefined) return undefined;
    if (this.separable) return angle - this.turn - (scaleX * this.scaleX < 0 ? Math.PI : 0);
    const x = inverse.a * Math.cos(angle) + inverse.c * Math.sin(angle);
    const y = inverse.b * Math.cos(angle) + inverse.d * Math.sin(angle);
    return scaleX < 0 ? Math.atan2(-y, -x) : Math.atan2(y, x);
  }

  /** Without shear: the rotation that is added to the entity's own, and the scales it is multiplied by. */
  get turn(): number {
    return this.values[6];
  }

  get scaleX(): number {
    return this.values[7];
  }

  get scaleY(): number {
    return this.values[8];
  }

  /**
   * The local values that give the wanted matrix, or nothing where the parent has no inverse. `residue` is what they
   * cannot say.
   */
  local(wanted: Affine2D): (Local2D & { residue: number }) | undefined {
    const inverse = this.inverse();
    const position = this.position(wanted.x, wanted.y);
    if (inverse === undefined || position === undefined) return undefined;
    if (!this.separable) return { ...decompose2D(multiply2D(inverse, wanted)), ...position };
    const { rotation, scaleX, scaleY, skew, residue } = decompose2D(wanted);
    const shear = Math.abs(skew * scaleY);
    return {
      ...position,
      rotation: rotation - this.turn,
      scaleX: scaleX / this.scaleX,
      scaleY: scaleY / this.scaleY,
      skew: 0,
      // What 32 bits cannot tell from nothing counts as nothing.
      residue: shear > 1e-6 * (Math.abs(scaleX) + Math.abs(scaleY)) ? Math.max(shear, residue) : residue,
    };
  }

  private inverse(): Affine2D | undefined {
    const [a, b, c, d, x, y] = this.values;
    return invert2D({ a, b, c, d, x, y });
  }
}
