import { type UseNavigateResult, useMatch, useNavigate, useRouter } from "@tanstack/react-router";
import { useCallback } from "react";

/** An address without the slash that the first page of a room ends with. */
const plain = (path: string): string => path.replace(/\/$/, "");

/**
 * Leads to another page, from the page that shows this and from no other: what a slow device has done by now leads nobody away from
 * where they have gone meanwhile. Lint keeps the router's own hook to this file, so that no place can forget to ask.
 *
 * @param below the address that is shown, where that is of a route below the page's own
 */
export function useGo(below?: string): UseNavigateResult<string> {
  const router = useRouter();
  const navigate = useNavigate();
  const own = useMatch({ strict: false, select: ({ pathname }) => pathname });
  return useCallback<UseNavigateResult<string>>(
    async (to) => {
      if (plain(router.latestLocation.pathname) === plain(below ?? own)) await navigate(to);
    },
    [router, navigate, own, below],
  );
}
