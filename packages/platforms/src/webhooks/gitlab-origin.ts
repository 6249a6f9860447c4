import { hash, timingSafeEqual } from 'node:crypto';
import { parseGitLabEvent } from './parse-gitlab-event.ts';
import type { ReadHeader, WebhookOrigin } from './webhook-origin.ts';

/** The token is known before the body is read, and an issue and a note may hold a million characters each. */
const maxBodyBytes = 25 * 1024 * 1024;

/**
 * GitLab sends the webhook's token along. It is compared by digests of one length, which tell nothing by the time that
 * it takes.
 *
 * @see https://docs.gitlab.com/user/project/integrations/webhooks/#validate-requests-by-using-a-secret-token
 */
export function createGitLabOrigin({ token }: { readonly token: string }): WebhookOrigin {
  const expected = digest(token);
  const knows = (header: ReadHeader) => timingSafeEqual(digest(header('x-gitlab-token') ?? ''), expected);
  return {
    name: 'gitlab',
    maxBodyBytes,
    refusal: (header) =>
      knows(header) ? null : 'X-Gitlab-Token is not the one. Enter it in the settings of the webhook.',
    open: async ({ header, body }) => (knows(header) ? body.toString('utf8') : null),
    describe: (header) => ({
      event: header('x-gitlab-event') ?? null,
      // Several deliveries share the UUID of an event where one of them has led to the others: the key is their own.
      id: header('idempotency-key') ?? header('x-gitlab-event-uuid') ?? null,
    }),
    parse: parseGitLabEvent,
  };
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
