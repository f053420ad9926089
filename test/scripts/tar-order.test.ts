import { describe, expect, it } from "vitest";
import { inPackingOrder } from "../../scripts/tar-order.mjs";

/** A tar archive of small files, each with its name as its text. */
function tarOf(...names: string[]) {
  const files = names.map((name) => {
    const header = Buffer.alloc(512);
    header.write(`package/${name}`);
    header.write(name.length.toString(8).padStart(11, "0"), 124);
    header.write("0", 156);
    return Buffer.concat([header, Buffer.from(name.padEnd(512, "\0"))]);
  });
  return Buffer.concat([...files, Buffer.alloc(1024)]);
}

const namesIn = (tar: Buffer) =>
  Array.from({ length: tar.length / 1024 }, (_, n) =>
    tar.toString("utf8", n * 1024, tar.indexOf(0, n * 1024)),
  )
    .filter((name) => name !== "")
    .map((name) => name.slice("package/".length));

describe("the order of a tarball", () => {
  it("has the code first, then declarations and pages room by room", () => {
    const tar = tarOf(
      "docs/guide/hierarchy.md",
      "docs/guide/ecs.md",
      "dist/hierarchy.d.mts",
      "dist/index.d.mts",
      "dist/shared/hierarchy.mjs",
      "dist/index.mjs",
      "dist/development/hierarchy.mjs",
      "package.json",
    );
    expect(namesIn(inPackingOrder(tar))).toEqual([
      "package.json",
      "dist/development/hierarchy.mjs",
      "dist/index.mjs",
      "dist/shared/hierarchy.mjs",
      "dist/index.d.mts",
      "docs/guide/ecs.md",
      "dist/hierarchy.d.mts",
      "docs/guide/hierarchy.md",
    ]);
  });

  it("keeps every byte of every file, and the length", () => {
    const tar = tarOf("docs/guide/ecs.md", "dist/index.mjs");
    const sorted = inPackingOrder(tar);
    expect(sorted.length).toBe(tar.length);
    expect(sorted.toString("utf8", 512, 512 + "dist/index.mjs".length)).toBe("dist/index.mjs");
    expect(inPackingOrder(sorted)).toEqual(sorted);
  });

  it("refuses an archive with anything but files", () => {
    const tar = tarOf("dist/index.mjs");
    tar.write("x", 156);
    expect(() => inPackingOrder(tar)).toThrow("Cannot sort a tarball with an entry of type x.");
  });
});
