/** Dropping assets of the project, and images from the desktop, on rows of the tree. */
import { type RefObject, useState } from "react";
import { type DropTarget, dropTargetAt } from "../document/tree/drop-target.ts";
import { addAsset, addImageFiles, assetOf, imagesIn, isAssetDrag } from "../shell/actions/asset-actions.ts";
import type { App } from "../shell/app.ts";
import { levelAt, ROW_HEIGHT, shownRows } from "./use-row-drag.ts";

type DragHandler = (event: React.DragEvent) => void;

export interface AssetDropping {
  /** The current drop target. */
  readonly target: DropTarget | undefined;
  readonly handlers: {
    readonly onDragOver: DragHandler;
    readonly onDragLeave: DragHandler;
    readonly onDrop: DragHandler;
  };
}

export function useAssetDrop(app: App, list: RefObject<HTMLDivElement | null>): AssetDropping {
  const [target, setTarget] = useState<DropTarget | undefined>();
  const targetAt = ({ clientX, clientY }: React.DragEvent): DropTarget | undefined => {
    const box = list.current?.getBoundingClientRect();
    if (box === undefined || list.current === null) return undefined;
    const height = (clientY - box.top + list.current.scrollTop) / ROW_HEIGHT;
    const left = clientX - box.left + list.current.scrollLeft;
    return dropTargetAt(app.document, shownRows(app), height, [], levelAt(list.current, left));
  };
  return {
    target,
    handlers: {
      onDragOver: (event) => {
        const { dataTransfer } = event;
        if (!isAssetDrag(dataTransfer) && !dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        const next = targetAt(event);
        if (next?.row !== target?.row || next?.kind !== target?.kind || next?.depth !== target?.depth)
          setTarget(next);
      },
      onDragLeave: () => setTarget(undefined),
      onDrop: (event) => {
        setTarget(undefined);
        const asset = assetOf(event.dataTransfer);
        const images = imagesIn(event.dataTransfer.files);
        const to = targetAt(event);
        if (to === undefined || (asset === undefined && images.length === 0)) return;
        event.preventDefault();
        if (to.refusal !== undefined) {
          app.notes.say(to.refusal, "error");
          return;
        }
        const beside = {
          parent: to.parent,
          ...(to.before === undefined ? {} : { before: to.before }),
          ...(to.after === undefined ? {} : { after: to.after }),
        };
        if (asset !== undefined) addAsset(app, asset, beside);
        else void addImageFiles(app, images, beside);
      },
    },
  };
}
