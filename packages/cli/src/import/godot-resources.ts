/**
 * Files and resources that a Godot scene uses, and values that refer to them.
 */
import { emptyRecord, type Json } from "./imported.ts";
import type { GodotValue, Section } from "./tscn.ts";

/** How many resources are written by content, including repeated uses of the same one. */
const mostListed = 10_000;

export class GodotResources {
  private listed = 0;
  private readonly external = new Map<string, Section>();
  private readonly internal = new Map<string, Section>();

  /** Registers a section that lists a file or a resource. */
  add(section: Section): void {
    const known = section.kind === "ext_resource" ? this.external : this.internal;
    known.set(String(section.attributes.id ?? ""), section);
  }

  /** The id of the file that a value refers to; `undefined` for any other value. */
  externalIn(value: GodotValue | undefined): string | undefined {
    return resourceOf(value, "ExtResource");
  }

  /** The path of a file; `undefined` when the scene does not list it. */
  pathOf(id: string): GodotValue | undefined {
    return this.external.get(id)?.attributes.path;
  }

  /**
   * A value as JSON, with resources named by their file or written by content, at any depth. A resource that
   * contains itself is named by its id, and so are those beyond the limit of a scene: resources that refer to each other twice
   * can grow beyond any file.
   */
  toJson(top: GodotValue): Json {
    const result = emptyRecord<Json>();
    const stack: Pending[] = [{ value: top, into: result, key: "top", inside: [] }];
    while (stack.length > 0) {
      const { value, into, key, inside } = stack.pop() as Pending;
      const external = resourceOf(value, "ExtResource");
      const internal = resourceOf(value, "SubResource");
      const resource = internal === undefined ? undefined : this.internal.get(internal);
      if (external !== undefined) {
        into[key] = { ExtResource: (this.external.get(external)?.attributes.path ?? external) as Json };
      } else if (resource !== undefined && this.listed < mostListed && !inside.includes(resource)) {
        this.listed++;
        const content = { type: resource.attributes.type ?? null, ...resource.properties };
        const made = emptyRecord<Json>();
        into[key] = { SubResource: made };
        for (const [name, item] of Object.entries(content)) {
          made[name] = null;
          stack.push({ value: item, into: made, key: name, inside: [...inside, resource] });
        }
      } else if (typeof value === "object" && value !== null) {
        const made = (Array.isArray(value) ? [] : emptyRecord<Json>()) as { [key: string]: Json };
        into[key] = made;
        for (const [given, item] of Object.entries(value) as [string, GodotValue][]) {
          const name = this.named(given);
          // Set now, so that keys keep their order.
          made[name] = null;
          stack.push({ value: item, into: made, key: name, inside });
        }
      } else {
        into[key] = value;
      }
    }
    return result.top as Json;
  }

  /** A key or a type that names a file by its id, such as `Array[ExtResource("1")]`, with the path of the file. */
  private named(key: string): string {
    if (!/^[A-Z]/.test(key) || !key.includes("ExtResource(")) return key;
    return key.replace(/ExtResource\(\s*"?([^")]*?)"?\s*\)/g, (whole, id: string) => {
      const path = this.external.get(id)?.attributes.path;
      return typeof path === "string" ? `ExtResource(${JSON.stringify(path)})` : whole;
    });
  }
}

/** A value on its way to JSON. */
interface Pending {
  readonly value: GodotValue;
  readonly into: { [key: string]: Json };
  readonly key: string;
  /** The resources that contain it. */
  readonly inside: readonly Section[];
}

function resourceOf(value: GodotValue | undefined, kind: "ExtResource" | "SubResource"): string | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, kind)) return undefined;
  const call = (value as { readonly [kind: string]: GodotValue })[kind];
  return Array.isArray(call) && call.length === 1 ? String(call[0]) : undefined;
}
