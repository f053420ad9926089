/**
 * How a game and an editor outside its page communicate: in another tab through a `BroadcastChannel`, in another process
 * through a WebSocket.
 */

/** Something that carries messages both ways. */
export interface Channel {
  /** Sends a message to the other side. */
  send(message: ArrayBuffer | string): void;
  /** Adds a listener. Returns a function that removes it. */
  listen(listener: (message: ArrayBuffer | string) => void): () => void;
  /** Ends the connection. */
  close(): void;
}

/** Between tabs of one origin. Messages sent after it was closed are lost. */
export function broadcastChannel(name = "espalier"): Channel {
  const channel = new BroadcastChannel(name);
  let isOpen = true;
  return {
    send(message) {
      if (isOpen) channel.postMessage(message);
    },
    listen(listener) {
      const handle = ({ data }: MessageEvent) => listener(data as ArrayBuffer | string);
      channel.addEventListener("message", handle);
      return () => channel.removeEventListener("message", handle);
    },
    close() {
      isOpen = false;
      channel.close();
    },
  };
}

/** The part of a WebSocket that is used; sockets of browsers and of Node both have it. */
export interface SocketLike {
  /** How binary messages arrive: set to `arraybuffer`. */
  binaryType: string;
  /** Whether it is open, as `WebSocket.readyState`. */
  readonly readyState: number;
  /** Sends a message. */
  send(data: ArrayBuffer | string): void;
  /** Ends the connection. */
  close(): void;
  /** Calls `listener` for each message. */
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  /** Removes a listener. */
  removeEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
}

/** Over an open WebSocket. Messages sent after it closed are lost. */
export function socketChannel(socket: SocketLike): Channel {
  socket.binaryType = "arraybuffer";
  return {
    send(message) {
      if (socket.readyState === 1) socket.send(message);
    },
    listen(listener) {
      const handle = ({ data }: { readonly data: unknown }) => {
        if (typeof data === "string" || data instanceof ArrayBuffer) listener(data);
      };
      socket.addEventListener("message", handle);
      return () => socket.removeEventListener("message", handle);
    },
    close: () => socket.close(),
  };
}
