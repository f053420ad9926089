import { component, createWorld, type Entity, f32, resource } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import { createInherited, visibility } from "espalier/inherit";
import {
  MissingPartError,
  MissingProviderError,
  useChildren,
  useComponent,
  useHas,
  useHistory,
  useInherited,
  useLiveList,
  useParent,
  useQuery,
  useResource,
  useWorld,
  useWorldTransform,
  WorldProvider,
  type WorldProviderProps,
} from "espalier/react";
import { createTransforms2D } from "espalier/transform";
import { createElement, type FunctionComponent } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";

const Health = component("Health", { hp: f32(100) });
const Gravity = resource("Gravity", () => 10);

function setUp() {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const history = createHistory(world);
  const tank = world.spawn(space.at(3, 4), Health({ hp: 7 }));
  const turret = tree.attachNew(tank, space.at(1, 0));
  history.clear();
  return { world, tree, space, history, tank, turret };
}

const Hp = ({ of }: { of: Entity }) => String(useComponent(of, Health)?.hp);
const Lost = () => String(useQuery(Health).length);

const render = (props: WorldProviderProps, content: FunctionComponent) =>
  renderToStaticMarkup(createElement(WorldProvider, props, createElement(content)));

describe("hooks on a server", () => {
  it("render what the world holds", () => {
    const { world, tree, space, history, tank, turret } = setUp();
    const shown = createInherited(tree, visibility);
    const text = render({ world, tree, space, history }, () =>
      [
        useWorld() === world,
        useQuery(Health).length,
        useLiveList(Health).at(0) === tank,
        useComponent(tank, Health)?.hp,
        useHas(turret, Health),
        useChildren(tank).length,
        useParent(turret) === tank,
        useWorldTransform(turret, space)?.x,
        useResource(Gravity),
        useInherited(tank, shown),
        useHistory().canUndo,
      ].join(" "),
    );
    expect(text).toBe("true 1 true 7 false 1 true 4 10 true false");
  });

  it("answer for dead entities and for none", () => {
    const { world, tree, space, tank, turret } = setUp();
    world.destroy(tank);
    const text = render({ world, tree, space }, () =>
      [
        useComponent(tank, Health) === undefined,
        useComponent(null, Health) === undefined,
        useHas(tank),
        useHas(null, Health),
        useChildren(tank).length,
        useParent(turret) === null,
        useWorldTransform(turret) === undefined,
      ].join(" "),
    );
    expect(text).toBe("true true false false 0 true true");
  });

  it("use what they are given instead of the provider's", () => {
    const { world, tree, tank } = setUp();
    const other = createHierarchy(world, { name: "other" });
    const child: Entity = world.spawn();
    other.attach(child, tank);
    const text = render(
      { world, tree },
      () => `${useChildren(tank).length} ${useChildren(tank, other)[0] === child}`,
    );
    expect(text).toBe("1 true");
  });

  it("take the nearest provider", () => {
    const [outer, inner] = [setUp(), setUp()];
    inner.world.set(inner.tank, Health, { hp: 1 });
    const nested = createElement(
      WorldProvider,
      { world: inner.world },
      createElement(Hp, { of: inner.tank }),
    );
    expect(renderToStaticMarkup(createElement(WorldProvider, { world: outer.world }, nested))).toBe("1");
  });
});

describe("hooks without what they need", () => {
  it("say that a provider is missing", () => {
    expect(() => renderToStaticMarkup(createElement(Lost))).toThrow(MissingProviderError);
    expect(() => renderToStaticMarkup(createElement(Lost))).toThrow(
      "Cannot find a world: this component is outside a <WorldProvider>. Put one around it, with the world as `world`. [react/missing-provider]",
    );
  });

  it("say which part the provider lacks", () => {
    const { world, tank } = setUp();
    const parts: [FunctionComponent, string][] = [
      [() => String(useChildren(tank)), "useChildren: the <WorldProvider> has no tree."],
      [() => String(useParent(tank)), "useParent: the <WorldProvider> has no tree."],
      [() => String(useWorldTransform(tank)), "useWorldTransform: the <WorldProvider> has no space."],
      [() => String(useHistory()), "useHistory: the <WorldProvider> has no history."],
    ];
    for (const [content, message] of parts) {
      expect(() => render({ world }, content)).toThrow(MissingPartError);
      expect(() => render({ world }, content)).toThrow(message);
    }
  });
});
