/**
 * Views for passes whose columns were copied before they began: they write without asking who must hear of it, and so as fast
 * as without a recorder (1.1 ns where asking costs 2).
 *
 * When each write must be recorded again in the middle of such a pass, the columns they write are replaced by ones that go
 * the long way. That is slow, rare, and costs nothing where it does not happen: V8 looks at the columns in any case.
 */
import { createColumns } from "./access.ts";
import type { Column } from "./fields.ts";
import type { FreeColumns, Store } from "./store.ts";
import { generateViewClass, straight, type View, type ViewHost } from "./view.ts";
import { createLongWay, type LongWay, type WriterHost } from "./view-writer.ts";

/** Whether a component can have such views. */
export function canBeFree(store: Store): boolean {
  return store.isDense && store.reserved === undefined && store.packed !== 0;
}

/** A free view of a component that `canBeFree`, in a world that generates code. */
export function createFreeView(store: Store, host: ViewHost & WriterHost): View {
  store.free ??= createFree(store, host);
  return new store.free.viewClass() as View;
}

function createFree(store: Store, host: ViewHost & WriterHost): FreeColumns {
  const { names } = store;
  const current = names.map((name) => store.columns[name] as Column);
  const free = createColumns(names, current, true);
  const slow = createSlowColumns(store, createLongWay(store, host));
  const replace = (columns: readonly Column[]) =>
    names.forEach((name, k) => {
      // Only what is another one: V8 takes fields that are never written again for constants.
      if (free[name] !== columns[k]) free[name] = columns[k] as Column;
    });
  let isOpen = true;
  const follow = () => {
    if (isOpen) replace(names.map((name) => store.columns[name] as Column));
  };
  return {
    viewClass: generateViewClass(store, host, { ...straight, target: "free", constants: { free } }),
    open: () => {
      if (isOpen) return;
      isOpen = true;
      follow();
    },
    close: () => {
      isOpen = false;
      replace(slow);
    },
    follow,
  };
}

/** In place of columns: what is put in goes the long way. */
function createSlowColumns(store: Store, { given, writers }: LongWay): Column[] {
  return store.names.map((_, k) => {
    const put = (_target: object, index: string | symbol, value: number): boolean => {
      given[0] = value;
      writers[k]?.(Number(index));
      return true;
    };
    return new Proxy([], { set: put }) as unknown as Column;
  });
}
