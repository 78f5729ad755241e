import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import { loadRoom, type Room } from "../app/texts.ts";
import { Failed } from "./states.tsx";
import { WithCode } from "./with-code.tsx";

/** Loads the page anew as soon as the device answers; while it does not, what is shown stays. */
async function loadAnew(): Promise<void> {
  const answer = await fetch("/", { method: "HEAD" }).catch((error: unknown) => {
    // It is still away: that is said already.
    if (error instanceof TypeError) return undefined;
    throw error;
  });
  if (answer !== undefined) location.reload();
}

/** A page's file could not be had from the device. */
export class NotLoaded extends Error {}

/**
 * Loads a page's file, and the words of its rooms where it has some of its own. @throws NotLoaded; the router would load the
 * whole tab anew, which nobody may answer either
 */
export async function loadPage<T>(load: () => Promise<T>, ...rooms: readonly Room[]): Promise<T> {
  try {
    const [page] = await Promise.all([load(), ...rooms.map(loadRoom)]);
    return page;
  } catch (cause) {
    throw new NotLoaded("", { cause });
  }
}

/** In the place of a page that cannot be shown: its file is the device's, and was not loaded before the device went away. */
export function PageFailed({ error }: { readonly error: unknown }) {
  const { t } = useTranslation();
  if (!(error instanceof NotLoaded))
    return <Failed error={error instanceof Error ? error : new Error(String(error))} onRetry={() => void loadAnew()} />;
  return (
    <div className="state" role="alert">
      <h2>{t("state.failed")}</h2>
      <p className="away-part">
        <WithCode text={t("device.away")} />
      </p>
      <Button onPress={() => void loadAnew()}>{t("state.retry")}</Button>
    </div>
  );
}
