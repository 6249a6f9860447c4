import type { Ring } from '../sources/doorbell.ts';

/** Reads one header by its name in lower case. */
export type ReadHeader = (name: string) => string | undefined;

/** A request as it came: its body is bytes, because a signature is made over bytes. */
export interface WebhookDelivery {
  readonly header: ReadHeader;
  readonly body: Buffer;
}

/** A platform that delivers webhooks: how it proves itself, and what it says. */
export interface WebhookOrigin {
  readonly name: 'github' | 'gitlab';
  /** Largest body that is read. */
  readonly maxBodyBytes: number;
  /** Reason not to read a body, from the headers alone; null where there is none. */
  readonly refusal: (header: ReadHeader) => string | null;
  /** The body as text where the platform itself sent it; null where anybody may have. */
  readonly open: (delivery: WebhookDelivery) => Promise<string | null>;
  /** The event's name and the id of this delivery; null for what the headers do not say. */
  readonly describe: (header: ReadHeader) => { readonly event: string | null; readonly id: string | null };
  readonly parse: (event: string, payload: unknown) => WebhookEvent;
}

/** A delivery's news, as far as it concerns us. */
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
