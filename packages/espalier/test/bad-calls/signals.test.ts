import * as signals from "espalier/signals";
import { describeBadCalls } from "./describe.ts";
import { signalsStage } from "./signals-stage.ts";

describeBadCalls("signals", { signals }, signalsStage);
