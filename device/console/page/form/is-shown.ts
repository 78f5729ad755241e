import { useEffect, useRef } from "react";

/** Whether a dialog or a form is still there when what it has asked for is answered: its person may have closed it since. */
export function useIsShown(): () => boolean {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return () => isShown.current;
}
