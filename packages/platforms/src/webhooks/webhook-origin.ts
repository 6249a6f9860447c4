import type { WebhookEvent } from './webhook-event.ts';

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
  /** Whether the headers alone let its body be read; the reason where they do not. */
  readonly refusal: (header: ReadHeader) => string | null;
  /** The body as text where the platform itself sent it; null where anybody may have. */
  readonly open: (delivery: WebhookDelivery) => Promise<string | null>;
  /** The event's name and the id of this delivery; null for what the headers do not say. */
  readonly describe: (header: ReadHeader) => { readonly event: string | null; readonly id: string | null };
  readonly parse: (event: string, payload: unknown) => WebhookEvent;
}
