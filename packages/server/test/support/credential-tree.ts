import { type Act, type Credential, refusalOf } from '@guise/contract/authority.ts';
import type { Scope } from '@guise/contract/scopes.ts';

/**
 * What a test has made with the credentials of one account, by its own books: who made what, with which limits, and what
 * each has spent. The server's answers are compared with it.
 */
export interface TreeNode {
  kind: 'login' | 'key' | 'link' | 'event' | 'event key';
  /** Null for the account's own: what a login made. */
  maker: TreeNode | null;
  /** The event of an event key. */
  event: TreeNode | null;
  id: string;
  /** What it is used with. */
  secret: string;
  scopes: readonly Scope[];
  budget: number | null;
  /** By itself and by whatever it made. */
  spent: number;
  ends: boolean;
  hasExpired: boolean;
  isRevoked: boolean;
}

/** Keys alone: links and events have the limits of their makers. */
const isKey = ({ kind }: TreeNode) => kind === 'key' || kind === 'event key';

/** A node and all that it descends from: an event key from its maker and from that of its event. */
export function ancestorsOf(node: TreeNode): TreeNode[] {
  const above = [node.maker, node.event].flatMap((other) => (other ? ancestorsOf(other) : []));
  return [...new Set([node, ...above])];
}

const credentialOf = ({ scopes, budget, spent, ends, hasExpired, isRevoked }: TreeNode): Credential => ({
  scopes,
  budget,
  spent,
  expires_at: hasExpired ? 0 : ends ? 2 : null,
  revoked_at: isRevoked ? 0 : null,
  is_renewable: false,
});

/** Whether the model of the contract lets a node do something. */
export function mayAct(node: TreeNode, act: Act): boolean {
  return refusalOf(ancestorsOf(node).filter(isKey).map(credentialOf), act, 1) === null;
}

/**
 * What an act that was carried out goes beyond, of what each ancestor allows by itself: written without the model, so that
 * a mistake in it is not repeated here.
 */
export function transgressionsOf(node: TreeNode, act: Act): string[] {
  return ancestorsOf(node)
    .filter(isKey)
    .flatMap((ancestor) => [
      ...(ancestor.isRevoked || ancestor.hasExpired ? [`${ancestor.id} has ended`] : []),
      ...act.scopes
        .filter((scope) => !ancestor.scopes.includes(scope))
        .map((scope) => `${ancestor.id} lacks ${scope}`),
      ...(act.outlives && (ancestor.budget !== null || ancestor.ends) ? [`${ancestor.id} has a limit`] : []),
      ...(act.price !== undefined && ancestor.budget !== null && ancestor.spent + act.price > ancestor.budget
        ? [`${ancestor.id} has ${ancestor.budget - ancestor.spent} left`]
        : []),
    ]);
}

/** Enters a price in the books of a node and all above it, who get it back if the job fails, whoever is above it then. */
export function enterSpent(node: TreeNode, price: number): TreeNode[] {
  const payers = ancestorsOf(node);
  for (const payer of payers) payer.spent += price;
  return payers;
}
