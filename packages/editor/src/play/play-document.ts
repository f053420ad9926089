/**
 * The world of a game that plays an edited scene, as a document: the tree, the inspector and the viewport show it like any other.
 */
import type { Entity } from "espalier";
import type { Game } from "espalier/game";
import type { Instance } from "espalier/scene";
import { EditorDocument } from "../document/document.ts";

export class PlayDocument extends EditorDocument {
  private readonly edited: EditorDocument;

  constructor(game: Game, edited: EditorDocument) {
    const { world, tree, space } = game;
    super({ world, tree, space, format: edited.format, title: edited.title });
    this.edited = edited;
    this.isPlaying = true;
    this.file = edited.file;
    this.prefabs = edited.prefabs;
    this.problems = edited.problems;
    this.textureSize = edited.textureSize;
    this.selection.replace(edited.selection.entities.filter((entity) => world.isAlive(entity)));
  }

  override get isDirty(): boolean {
    return this.edited.isDirty;
  }

  /** Entities have the same handles in both worlds, so those without a name keep the id of the file. */
  override label(entity: Entity): string {
    return this.tree.nameOf(entity) ?? this.edited.scene?.idOf(entity) ?? this.tree.label(entity);
  }

  /** A game does not know which values come from prefabs: taken from the scene. */
  override instanceOf(entity: Entity): Instance | undefined {
    return this.edited.world.isAlive(entity) ? this.edited.instanceOf(entity) : undefined;
  }
}
