import { useMatch, useRouter } from "@tanstack/react-router";

/** An address without the slash that the first page of a room ends with. */
const plain = (path: string): string => path.replace(/\/$/, "");

/**
 * Whether its person is still on the page that shows this, or on it again: what a slow device has done by now leads to another page
 * only from there, and never away from what somebody does elsewhere.
 */
export function useIsHere(): () => boolean {
  const router = useRouter();
  const own = useMatch({ strict: false, select: ({ pathname }) => pathname });
  return () => plain(router.latestLocation.pathname) === plain(own);
}
