import { isUtf8 } from 'node:buffer';
import { Webhooks } from '@octokit/webhooks';
import { parseGitHubEvent } from './parse-github-event.ts';
import type { WebhookOrigin } from './webhook-origin.ts';

/**
 * Anybody may make us read a body before its signature can be looked at, so that GitHub's own limit of 25 MB is too
 * much. An issue, a comment and the comment as it was hold 65,536 characters each, which are below 1.2 MB however they
 * are escaped.
 *
 * @see https://docs.github.com/en/webhooks/webhook-events-and-payloads#payload-cap
 */
const maxBodyBytes = 4 * 1024 * 1024;
const signature = 'x-hub-signature-256';

/**
 * GitHub signs each body with the webhook's secret (HMAC SHA-256).
 *
 * @see https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
 */
export function createGitHubOrigin({ secret }: { readonly secret: string }): WebhookOrigin {
  const webhooks = new Webhooks({ secret });
  return {
    name: 'github',
    maxBodyBytes,
    refusal: (header) =>
      /^sha256=[0-9a-f]{64}$/.test(header(signature) ?? '')
        ? null
        : 'There is no X-Hub-Signature-256. Enter the secret in the settings of the webhook.',
    // The signature is over bytes, Octokit takes text: only of well-formed UTF-8 are the two the same.
    open: async ({ header, body }) => {
      if (body.length === 0 || !isUtf8(body)) return null;
      const text = body.toString('utf8');
      return (await webhooks.verify(text, header(signature) ?? '')) ? text : null;
    },
    describe: (header) => ({
      event: header('x-github-event') ?? null,
      id: header('x-github-delivery') ?? null,
    }),
    parse: parseGitHubEvent,
  };
}
