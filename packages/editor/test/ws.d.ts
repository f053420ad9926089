/** What the tests use of ws, which brings no types. */
declare module "ws" {
  export class WebSocket {
    constructor(url: string);
    once(type: "open", listener: () => void): void;
  }
  export class WebSocketServer {
    constructor(options: { readonly host: string; readonly port: number });
    once(type: "connection", listener: (socket: WebSocket) => void): void;
    once(type: "listening", listener: () => void): void;
    address(): { readonly port: number } | null;
    close(): void;
  }
}
