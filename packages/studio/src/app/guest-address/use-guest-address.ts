import { useQuery } from '@tanstack/react-query';
import { useGuise } from '../guise-context.ts';

export const guestAddressKey = ['guest-address'];

/** Where links for guests and clients lead. */
export function useGuestAddress() {
  const guise = useGuise();
  const { data } = useQuery({
    queryKey: guestAddressKey,
    queryFn: ({ signal }) => guise.operator.guestAddress(signal),
  });
  const base = data?.url ?? location.origin;
  return {
    address: data,
    base,
    /** A link of this server at that address, which may have been set after the link was made. */
    linkFor(url: string | null): string | null {
      if (url === null) return null;
      const { pathname, search, hash } = new URL(url);
      return `${base}${pathname}${search}${hash}`;
    },
  };
}
