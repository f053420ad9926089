/**
 * Opening an address in the browser of the user.
 */
import { spawn } from "node:child_process";

/** Does nothing where there is no display, such as on a server. */
export function openInBrowser(url: string): void {
  const { platform, env, stdout } = process;
  if (stdout.isTTY !== true || (env.CI ?? "") !== "") return;
  const hasDisplay = platform !== "linux" || (env.DISPLAY ?? "") !== "" || (env.WAYLAND_DISPLAY ?? "") !== "";
  if (!hasDisplay) return;
  const [command, args] =
    platform === "darwin"
      ? (["open", [url]] as const)
      : platform === "win32"
        ? (["cmd", ["/c", "start", "", url]] as const)
        : (["xdg-open", [url]] as const);
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  // The address is printed: without such a program, it can be opened by hand.
  child.on("error", () => {});
  child.unref();
}
