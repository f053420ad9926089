/** Short messages in a corner. They disappear on their own, unless they offer actions. */
import { type ReactNode, useEffect, useState } from "react";

import { Button } from "./button.tsx";
import { icons } from "./icons.tsx";
import type { Message } from "./notifications.ts";
import { useAppItself, useAppValue } from "./use-app.ts";

/** Milliseconds that a message stays: long enough to read it twice. */
const STAYS = { info: 6000, error: 15_000 };

export function Messages(): ReactNode {
  const messages = useAppValue((now) => now.notes.messages);
  return (
    <div className="esp-messages" role="status" aria-live="polite">
      {messages.map((message) => (
        <MessageLine key={message.id} message={message} />
      ))}
    </div>
  );
}

function MessageLine({ message }: { readonly message: Message }): ReactNode {
  const { id, kind, text, details, actions } = message;
  const app = useAppItself();
  // A message stays while the pointer or the focus is on it.
  const [isHeld, setHeld] = useState(false);
  const isLasting = isHeld || actions.length > 0;
  useEffect(() => {
    if (isLasting) return undefined;
    const timer = setTimeout(() => app.notes.dismiss(id), STAYS[kind]);
    return () => clearTimeout(timer);
  }, [app, id, kind, isLasting]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only waits for the pointer to leave
    <div
      className="esp-message"
      data-kind={kind}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div className="text">
        <p>{text}</p>
        {details === undefined ? null : (
          <details>
            <summary>{app.t("common.details")}</summary>
            <code className="esp-code">{details}</code>
          </details>
        )}
      </div>
      {actions.map((action, k) => (
        <Button
          key={action.label}
          label={action.label}
          className={k === 0 ? "primary" : "solid"}
          onClick={() => {
            app.notes.dismiss(id);
            action.run();
          }}
        />
      ))}
      <Button label={app.t("common.dismiss")} icon={icons.close} onClick={() => app.notes.dismiss(id)} />
    </div>
  );
}
