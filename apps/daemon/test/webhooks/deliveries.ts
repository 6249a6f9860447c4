import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import type { WebhookDelivery } from '@agent/platforms/webhooks';

// As data: the package's own entry starts intercepting HTTP.
const recorded: readonly { readonly name: string; readonly examples: readonly Payload[] }[] = createRequire(
  import.meta.url,
)('@octokit/webhooks-examples');

interface Payload {
  readonly action: string;
  readonly comment: { readonly id: number };
  readonly repository: { readonly full_name: string };
}

/** Deliveries of one recorded event, each about a comment of its own. */
export interface DeliveryPool {
  readonly repository: string;
  readonly bytes: number;
  /** The next one, under an id that no delivery had before. */
  readonly next: () => WebhookDelivery;
}

const poolSize = 500;

/** One pool for each recorded `issue_comment`, the smallest first. */
export function createDeliveryPools(secret: string): readonly DeliveryPool[] {
  const payloads = recorded.find(({ name }) => name === 'issue_comment')?.examples ?? [];
  const pools = payloads.map((payload) => createPool(payload, secret));
  return pools.sort((one, other) => one.bytes - other.bytes);
}

function createPool(payload: Payload, secret: string): DeliveryPool {
  const signed = Array.from({ length: poolSize }, (_, index) => {
    const comment = { ...payload.comment, id: payload.comment.id + index };
    const body = Buffer.from(JSON.stringify({ ...payload, comment }));
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    return { body, signature };
  });
  let count = 0;
  return {
    repository: payload.repository.full_name,
    bytes: signed[0]?.body.length ?? 0,
    next: () => {
      count += 1;
      const { body, signature } = signed[count % poolSize] as (typeof signed)[number];
      const headers: Readonly<Record<string, string>> = {
        'x-github-event': 'issue_comment',
        'x-github-delivery': `delivery-${count}`,
        'x-hub-signature-256': signature,
      };
      return { body, header: (name) => headers[name] };
    },
  };
}
