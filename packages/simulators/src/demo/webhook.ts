import type { SimulatedDelivery } from '../shared/webhook-delivery.ts';
import type { ForgeName } from './demo-forge.ts';

/** The webhook of the forge, once the daemon has said where it listens. */
export interface Webhook {
  /** Reads the address out of the daemon's log. */
  readonly daemonSays: (line: string) => void;
  /** Posts a delivery, as the forge would. */
  readonly deliver: (delivery: SimulatedDelivery) => Promise<void>;
}

/** Makes a webhook that delivers nothing until the daemon has said where it listens. */
export function createWebhook(forge: ForgeName): Webhook {
  let address: string | null = null;
  return {
    daemonSays: (line) => {
      address ??= /listening for webhooks\b.* url=(http:\S+)/.exec(line)?.[1] ?? null;
    },
    deliver: async (delivery) => {
      if (address === null) return;
      await fetch(`${address}/webhooks/${forge}`, { method: 'POST', ...delivery });
    },
  };
}
