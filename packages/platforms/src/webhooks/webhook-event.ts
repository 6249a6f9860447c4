import type { Ring } from '../sources/doorbell.ts';

/** What a delivery says, as far as it concerns us. */
export type WebhookEvent =
  /** The platform tries whether we are there. */
  | { readonly kind: 'ping' }
  | { readonly kind: 'ignored'; readonly reason: string }
  /** It does not have the form of its event. */
  | { readonly kind: 'malformed'; readonly reason: string }
  | Happening;

/** Something happened on a thread. */
export interface Happening {
  readonly kind: 'happening';
  /** `owner/repo`, `group/project`. */
  readonly repository: string;
  readonly rings: readonly Ring[];
  /** Labels that may have made the thread a task just now. */
  readonly labels: readonly string[];
}
