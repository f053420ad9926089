import { describe, expect, it } from "vitest";
import { StepMarks } from "../src/document/step-marks.ts";

describe("the marks of steps", () => {
  it("are saved again after undo and redo to the saved step, and not after another edit there", () => {
    const marks = new StepMarks();
    marks.edited(1);
    marks.edited(2);
    marks.save();
    expect(marks.isDirty).toBe(false);
    marks.undid();
    expect(marks.isDirty).toBe(true);
    marks.redid();
    expect(marks.isDirty).toBe(false);
    marks.undid();
    marks.edited(2);
    expect(marks.isDirty).toBe(true);
  });

  it("differ when an edit joins the last step", () => {
    const marks = new StepMarks();
    marks.edited(1);
    const first = marks.current;
    marks.edited(1);
    expect(marks.current).not.toBe(first);
  });

  it("accept a state that was written while edits continued, and none for restored work", () => {
    const marks = new StepMarks();
    marks.edited(1);
    const written = marks.current;
    marks.edited(2);
    marks.save(written);
    expect(marks.isDirty).toBe(true);
    marks.undid();
    expect(marks.isDirty).toBe(false);
    marks.touchUnsaved();
    expect(marks.isDirty).toBe(true);
  });

  it("stay unsaved or saved when another history begins", () => {
    const marks = new StepMarks();
    marks.moved();
    expect(marks.isDirty).toBe(true);
    marks.restart();
    expect([marks.isDirty, marks.current]).toEqual([true, 0]);
    marks.edited(1);
    marks.undid();
    expect(marks.isDirty).toBe(true);
    marks.moved();
    marks.save();
    marks.restart();
    expect(marks.isDirty).toBe(false);
  });

  it("drop steps that the history has given up", () => {
    const marks = new StepMarks();
    marks.edited(1);
    marks.edited(2);
    marks.edited(2);
    marks.undid();
    marks.undid();
    expect(marks.current).toBe(0);
  });
});
