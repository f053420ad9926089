/** One number of a transform, relative to the parent or in the world: read, shown and written on its own. */
import type { Entity } from "espalier";
import { Transform2D } from "espalier/transform";
import type { ReactNode } from "react";
import { changeNumber } from "../../commands/components/change-number.ts";
import { readWorldValue, setWorldValue, type WorldField } from "../../commands/transform/set-world-value.ts";
import type { EditorDocument } from "../../document/document.ts";
import { type EditOptions, seal } from "../../document/edit.ts";
import { plainMessage } from "../../document/plain-message.ts";
import { inUnit, type NumberChange } from "../../document/values/number-change.ts";
import { DEGREES } from "../../document/values/number-style.ts";
import { useApp } from "../../shell/use-app.ts";
import { AxisInput } from "./inputs/axis-input.tsx";
import { NumberInput, type NumberProps, type ShownNumber, useScrub } from "./inputs/number-input.tsx";

export type LocalField = WorldField | "skew";

/** What all numbers of one transform share. */
export interface NumbersOf {
  /** The entities that are written. */
  readonly entities: readonly Entity[];
  /** The entities whose values are shown. */
  readonly compared: readonly Entity[];
  readonly isWorld: boolean;
  /** Called with the reason why a value is refused, or nothing when one is accepted. */
  readonly onError: (message: string | undefined) => void;
}

/** A number after the letter of its axis. */
export function AxisNumber({ of, field }: { readonly of: NumbersOf; readonly field: LocalField }): ReactNode {
  return <AxisInput axis={field === "x" || field === "scaleX" ? "x" : "y"} number={useNumber(of, field)} />;
}

/** A number after its label, which can be dragged. */
export function LabelledNumber({
  of,
  field,
  unit,
  label,
  children,
}: {
  readonly of: NumbersOf;
  readonly field: LocalField;
  readonly unit?: string;
  readonly label: string;
  /** Elements after the input. */
  readonly children: ReactNode;
}): ReactNode {
  const number = useNumber(of, field);
  const scrub = useScrub(number);
  return (
    <>
      <span className="label scrub" {...scrub}>
        {label}
      </span>
      <div className="value">
        <NumberInput {...number} {...(unit === undefined ? {} : { unit })} />
        {children}
      </div>
    </>
  );
}

function useNumber({ entities, compared, isWorld, onError }: NumbersOf, field: LocalField): NumberProps {
  const app = useApp();
  const { document } = app;
  const factor = field === "rotation" ? DEGREES : 1;
  const read = (): ShownNumber | undefined => {
    const { world } = document;
    if (!compared.every((entity) => world.isAlive(entity) && world.has(entity, Transform2D)))
      return undefined;
    const values = compared.map((entity) => readNumber(document, entity, field, isWorld));
    const last = values.at(-1) ?? 0;
    return { value: last * factor, isMixed: values.some((one) => !Object.is(one, last)) };
  };
  const write = (change: NumberChange, options: EditOptions) => {
    try {
      const next = inUnit(change, factor);
      if (isWorld && field !== "skew") setWorldValue(document, entities, field, next, options);
      else changeNumber(document, entities, Transform2D, field, next, options);
      onError(undefined);
    } catch (refused) {
      onError(plainMessage((refused as Error).message));
    }
  };
  return {
    label: `${app.t(isWorld ? "inspector.world" : "inspector.local")} ${field}`,
    ...(read() ?? { value: 0, isMixed: false }),
    read,
    step: field === "x" || field === "y" || field === "rotation" ? 1 : 0.01,
    onEach: (change) => write(change, {}),
    onChange: (next, key) => write(next, key === undefined ? {} : { key }),
    onEnd: () => seal(document),
  };
}

function readNumber(document: EditorDocument, entity: Entity, field: LocalField, isWorld: boolean): number {
  if (!isWorld) return document.space.localOf(entity)[field];
  return field === "skew" ? document.space.lossyScale(entity).skew : readWorldValue(document, entity, field);
}
