/**
 * Voices as nodes of Web Audio. A finished voice holds none.
 */
import type { Voice, VoiceStart } from "../output.ts";
import type { SoundEntry } from "./sound-files.ts";

/** A voice of Web Audio. */
export interface WebVoice extends Voice {
  readonly isOver: boolean;
}

interface Source {
  readonly node: AudioNode;
  setRate(rate: number): void;
  /** Stops it at a time of the context, and calls the callback of `connectVoice` when it is over. */
  stop(at: number): void;
  end(): void;
}

/** Plays a decoded sound, or a part of one. */
export function startBuffer(
  context: BaseAudioContext,
  into: AudioNode,
  { file, start: from, seconds }: SoundEntry,
  start: VoiceStart,
  smoothing: number,
  over: (voice: WebVoice) => void,
): WebVoice {
  const node = context.createBufferSource();
  const buffer = file.buffer!;
  const length = seconds ?? buffer.duration - from;
  node.buffer = buffer;
  node.playbackRate.value = start.rate;
  node.loop = start.loop;
  if (start.loop) {
    node.loopStart = from;
    node.loopEnd = from + length;
    node.start(0, from + (length > 0 ? start.offset % length : 0));
  } else node.start(0, from + start.offset, Math.max(length - start.offset, 0));
  const voice = connectVoice(context, into, start, smoothing, over, {
    node,
    setRate: (rate) => void node.playbackRate.setTargetAtTime(rate, context.currentTime, smoothing),
    stop: (at) => node.stop(at),
    end() {
      node.onended = null;
    },
  });
  node.onended = () => voice.finish();
  return voice;
}

/** Plays through a media element, while it loads. */
export function startStream(
  context: AudioContext,
  into: AudioNode,
  address: string,
  start: VoiceStart,
  smoothing: number,
  over: (voice: WebVoice) => void,
  fail: () => void,
): WebVoice {
  const element = new Audio();
  element.crossOrigin = "anonymous";
  element.loop = start.loop;
  element.src = address;
  // The pitch follows the speed, as for decoded sounds.
  element.preservesPitch = false;
  element.playbackRate = start.rate;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const seek = () => {
    const { duration } = element;
    element.currentTime = start.loop && duration > 0 ? start.offset % duration : start.offset;
  };
  if (start.offset > 0) element.addEventListener("loadedmetadata", seek, { once: true });
  const voice = connectVoice(context, into, start, smoothing, over, {
    node: context.createMediaElementSource(element),
    setRate(rate) {
      element.playbackRate = rate;
    },
    stop(at) {
      timer = setTimeout(() => voice.finish(), Math.max(at - context.currentTime, 0) * 1000);
    },
    end() {
      clearTimeout(timer);
      element.pause();
      // Closes the connection.
      element.removeAttribute("src");
      element.load();
    },
  });
  element.addEventListener("ended", () => voice.finish());
  element.addEventListener("error", () => {
    // Removing the address is also reported as an error of the element.
    if (!voice.isOver) fail();
    voice.finish();
  });
  element.play().catch(() => voice.finish());
  return voice;
}

function connectVoice(
  context: BaseAudioContext,
  into: AudioNode,
  start: VoiceStart,
  smoothing: number,
  over: (voice: WebVoice) => void,
  source: Source,
): WebVoice & { finish(): void } {
  const { fade } = start;
  const gain = context.createGain();
  let panner: StereoPannerNode | undefined;
  source.node.connect(gain);
  connectTo(start.pan);
  const now = context.currentTime;
  if (fade > 0) {
    gain.gain.setValueAtTime(0, now);
    gain.gain.linearRampToValueAtTime(start.gain, now + fade);
  } else gain.gain.setValueAtTime(start.gain, now);
  const fadesUntil = now + fade;
  let { gain: lastGain, pan: lastPan, rate: lastRate } = start;
  let isOver = false;
  let isStopping = false;

  const voice = {
    get isOver() {
      return isOver || isStopping;
    },
    set(newGain: number, newPan: number | undefined, newRate: number) {
      if (isOver || isStopping) return;
      const at = context.currentTime;
      // Only what changed: a value with a schedule is computed for every sample from then on.
      if (newGain !== lastGain) {
        lastGain = newGain;
        gain.gain.cancelScheduledValues(at);
        // The rest of the fade leads to the new volume.
        if (at < fadesUntil) gain.gain.linearRampToValueAtTime(newGain, fadesUntil);
        else gain.gain.setTargetAtTime(newGain, at, smoothing);
      }
      if (newPan !== lastPan) {
        if (newPan === undefined || panner === undefined) {
          gain.disconnect();
          panner?.disconnect();
          connectTo(newPan);
        } else panner.pan.setTargetAtTime(newPan, at, smoothing);
        lastPan = newPan;
      }
      if (newRate !== lastRate) {
        lastRate = newRate;
        source.setRate(newRate);
      }
    },
    stop(seconds: number) {
      if (isOver || isStopping) return;
      if (!(seconds > 0)) {
        source.stop(context.currentTime);
        voice.finish();
        return;
      }
      isStopping = true;
      const at = context.currentTime;
      const { value } = gain.gain;
      gain.gain.cancelScheduledValues(at);
      gain.gain.setValueAtTime(value, at);
      gain.gain.linearRampToValueAtTime(0, at + seconds);
      source.stop(at + seconds);
    },
    finish() {
      if (isOver) return;
      isOver = true;
      source.end();
      source.node.disconnect();
      gain.disconnect();
      panner?.disconnect();
      over(voice);
    },
  };
  return voice;

  /** Through a panner if it has a position: a centered panner is quieter than none. */
  function connectTo(pan: number | undefined): void {
    panner = pan === undefined ? undefined : context.createStereoPanner();
    if (panner === undefined) gain.connect(into);
    else {
      panner.pan.value = pan!;
      gain.connect(panner).connect(into);
    }
  }
}
