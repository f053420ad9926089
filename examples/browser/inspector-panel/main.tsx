/**
 * An inspector: the tree on the left, the values of the chosen entity on the right. Every change is a step that can be
 * undone. No component knows another; each reads the world.
 */
import {
  type Component,
  component,
  createWorld,
  type Entity,
  f32,
  inspect,
  type Schema,
  string,
} from "espalier";
import { createHierarchy, spawnTree } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import {
  useChildren,
  useComponent,
  useHistory,
  useParent,
  useWorldContext,
  useWorldTransform,
  WorldProvider,
} from "espalier/react";
import { createTransforms2D, Transform2D } from "espalier/transform";
import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import "./panel.css";

const Health = component("Health", { hp: f32(100), armor: f32(10) });
const Label = component("Label", { text: string() });

const world = createWorld();
const tree = createHierarchy(world);
const space = createTransforms2D(tree);
const { named } = spawnTree(tree, {
  name: "level",
  with: [space.at(0, 0)],
  children: [
    {
      name: "tank",
      with: [space.at(100, 50), Health({ hp: 250 })],
      children: [
        {
          name: "turret",
          with: [Transform2D({ y: 20, rotation: 0.5 })],
          children: [{ name: "barrel", with: [space.at(0, 12)] }],
        },
        { name: "flag", with: [space.at(-10, 5), Label({ text: "Red" })] },
      ],
    },
    { name: "crate", with: [space.at(300, 80), Health({ hp: 20 })] },
  ],
});
const history = createHistory(world);
const components = [Transform2D, Health, Label] as unknown as readonly Component<Schema>[];

const nameOf = (entity: Entity) => tree.nameOf(entity) ?? `#${entity}`;

function Row({
  entity,
  chosen,
  choose,
}: {
  entity: Entity;
  chosen: Entity;
  choose: (entity: Entity) => void;
}) {
  const children = useChildren(entity);
  return (
    <li>
      <button type="button" className={entity === chosen ? "chosen" : ""} onClick={() => choose(entity)}>
        {nameOf(entity)}
      </button>
      <ul>
        {children.map((child) => (
          <Row key={child} entity={child} chosen={chosen} choose={choose} />
        ))}
      </ul>
    </li>
  );
}

function Fields({ entity, of }: { entity: Entity; of: Component<Schema> }) {
  const values = useComponent(entity, of);
  if (values === undefined) return null;
  const write = (field: string, value: unknown) =>
    history.step(`${of.name}.${field}`, () => world.set(entity, of, { [field]: value }), {
      key: `${entity} ${of.name}.${field}`,
    });
  return (
    <fieldset>
      <legend>{of.name}</legend>
      {Object.entries(values).map(([field, value]) => (
        <Field key={field} name={`${of.name}.${field}`} value={value} write={(next) => write(field, next)} />
      ))}
    </fieldset>
  );
}

function Field({ name, value, write }: { name: string; value: unknown; write: (value: unknown) => void }) {
  const isNumber = typeof value === "number";
  return (
    <label htmlFor={name}>
      {name.split(".")[1]}
      <input
        id={name}
        type={isNumber ? "number" : "text"}
        value={isNumber ? Number(value.toFixed(3)) : String(value)}
        onChange={({ target }) => write(isNumber ? target.valueAsNumber || 0 : target.value)}
      />
    </label>
  );
}

function WorldPosition({ entity }: { entity: Entity }) {
  const matrix = useWorldTransform(entity, space);
  const parent = useParent(entity);
  if (matrix === undefined) return <p>gone</p>;
  return (
    <p className="place">
      in {parent === null ? "the world" : nameOf(parent)}, at {matrix.x.toFixed(1)}, {matrix.y.toFixed(1)}
    </p>
  );
}

function Panel() {
  const [chosen, choose] = useState<Entity>(named.turret!);
  const roots = useChildren(null);
  const { canUndo, canRedo, undoLabels, undo, redo } = useHistory();
  const { signals } = useWorldContext();
  const remove = () => {
    history.step(`delete ${nameOf(chosen)}`, () => world.destroy(chosen));
    signals.flush();
  };
  const isThere = world.isAlive(chosen);
  return (
    <main>
      <nav>
        <ul>
          {roots.map((root) => (
            <Row key={root} entity={root} chosen={chosen} choose={choose} />
          ))}
        </ul>
      </nav>
      <section>
        <header>
          <h1>{isThere ? nameOf(chosen) : "nothing"}</h1>
          <button type="button" disabled={!canUndo} onClick={undo}>
            Undo {undoLabels[0]}
          </button>
          <button type="button" disabled={!canRedo} onClick={redo}>
            Redo
          </button>
          <button type="button" disabled={!isThere} onClick={remove}>
            Delete
          </button>
        </header>
        <WorldPosition entity={chosen} />
        {components.map((of) => (
          <Fields key={`${chosen} ${of.name}`} entity={chosen} of={of} />
        ))}
        {isThere && <small>{inspect(world, chosen).components.length} components</small>}
      </section>
    </main>
  );
}

createRoot(document.querySelector("#app")!).render(
  <StrictMode>
    <WorldProvider world={world} tree={tree} space={space} history={history}>
      <Panel />
    </WorldProvider>
  </StrictMode>,
);
requestAnimationFrame(() => {
  window.ready = true;
});
