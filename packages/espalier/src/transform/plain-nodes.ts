/**
 * Which entities have a transform and take over everything from their parent.
 */
import { not, type Query, type Term, type World } from "../ecs/index.ts";
import { Ghost } from "../hierarchy/index.ts";
import { InheritTransform } from "./inherit-mask.ts";

/** By entity index 1 for those, found out anew when entities or components came or went. */
export class PlainNodes {
  private readonly world: World;
  private readonly query: Query<readonly Term[]>;
  private flags = new Uint8Array(0);
  private version = Number.NaN;

  constructor(world: World, component: Term) {
    this.world = world;
    this.query = world.query(component, not(InheritTransform, Ghost));
  }

  get isPlain(): Uint8Array {
    const { version } = this.world;
    if (version === this.version) return this.flags;
    const count = this.query.sync();
    const { indices } = this.query;
    let highest = 0;
    for (let k = 0; k < count; k++) highest = Math.max(highest, indices[k]);
    if (this.flags.length <= highest) this.flags = new Uint8Array(highest * 2 + 1);
    else this.flags.fill(0);
    for (let k = 0; k < count; k++) this.flags[indices[k]] = 1;
    this.version = version;
    return this.flags;
  }
}
