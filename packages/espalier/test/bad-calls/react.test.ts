import * as hooks from "espalier/react";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describeBadCalls } from "./describe.ts";
import { signalsStage } from "./signals-stage.ts";

function Caller({ call }: { readonly call: () => unknown }): null {
  call();
  return null;
}

/** Hooks are called while a component renders, inside of a provider. */
function inComponent(hook: (...args: unknown[]) => unknown) {
  return (...args: unknown[]) => {
    const { world, right } = signalsStage();
    const { tree, space, history } = right as { readonly [name: string]: never };
    renderToStaticMarkup(
      createElement(
        hooks.WorldProvider,
        { world, tree, space, history },
        createElement(Caller, { call: () => hook(...args) }),
      ),
    );
  };
}

const { WorldProvider } = hooks;
const calls = Object.fromEntries(
  Object.entries(hooks).flatMap(([name, value]): [string, unknown][] =>
    name.startsWith("use") ? [[name, inComponent(value as (...args: unknown[]) => unknown)]] : [],
  ),
);
const provider = {
  // React itself refuses props that are no object.
  WorldProvider: (props: unknown) => renderToStaticMarkup(createElement(WorldProvider, Object(props))),
};

describeBadCalls("react", { react: { ...calls, ...provider } }, signalsStage);
