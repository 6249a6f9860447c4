import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { createDoorbell, type Ring } from '../sources/doorbell.ts';
import { createGitHubOrigin } from './github-origin.ts';
import { createWebhookHandler } from './webhook-handler.ts';

const secret = 'It is a secret to everybody';
const delivery = {
  action: 'created',
  repository: { full_name: 'octo/hello' },
  issue: { number: 7 },
  comment: { id: 41, updated_at: '2026-01-02T03:04:05Z' },
};

function requestOf(payload: object, { signedWith = secret } = {}): Request {
  const body = JSON.stringify(payload);
  return new Request('http://agent.example/webhooks/github', {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'issue_comment',
      'x-hub-signature-256': `sha256=${createHmac('sha256', signedWith).update(body).digest('hex')}`,
    },
  });
}

it('serves deliveries from a request to a response, without a server of ours and without labels', async () => {
  const rings: Ring[] = [];
  const bell = createDoorbell();
  bell.onRing(null, (ring) => rings.push(ring));
  const origin = createGitHubOrigin({ secret });
  const handle = createWebhookHandler({ origin, repositories: ['octo/hello'], bell });
  const key = { type: 'github_issue', owner: 'octo', repo: 'hello', number: 7 } as const;
  expect(bell.hasNotified(key)).toBe(false);
  const answer = await handle(requestOf(delivery));
  expect([answer.status, await answer.text()]).toEqual([202, 'Received.\n']);
  expect(rings).toMatchObject([{ key, commentId: '41' }]);
  expect(bell.hasNotified({ ...key, number: 8 })).toBe(true);
  expect((await handle(requestOf(delivery, { signedWith: 'guessed' }))).status).toBe(401);
  expect((await handle(new Request('http://agent.example/webhooks/github'))).status).toBe(405);
  expect(rings).toHaveLength(1);
});
