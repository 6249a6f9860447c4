import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { startWebhookBed, type WebhookBed } from '../../test/support/webhook-bed.ts';
import { comment, createWebhookClient, note, sign } from '../../test/support/webhook-client.ts';

let bed: WebhookBed | null = null;
afterEach(async () => {
  await bed?.close();
  bed = null;
});

async function start(environment?: Readonly<Record<string, string>>): Promise<WebhookBed> {
  bed = await startWebhookBed(environment);
  return bed;
}

const { postGitHub, postGitLab } = createWebhookClient(() => bed?.url ?? '');

describe('webhooks', () => {
  it('are refused while no secret is set, with what to set', async () => {
    await start({ GITLAB_WEBHOOK_TOKEN: ' ' });
    expect(
      await postGitHub(comment(), { 'x-hub-signature-256': sign(JSON.stringify(comment()), '') }),
    ).toEqual([503, 'Webhooks are off: GITHUB_WEBHOOK_SECRET is not set.']);
    expect(await postGitLab(note(), { 'x-gitlab-token': ' ' })).toEqual([
      503,
      'Webhooks are off: GITLAB_WEBHOOK_TOKEN is not set.',
    ]);
    expect(bed?.rings).toEqual([]);
  });

  it('come by any host name, while nothing else is answered to a foreign one', async () => {
    const at = await start();
    const statusOf = (method: string, path: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { host: 'agent.example' };
        const sent = request(`${at.url}${path}`, { method, headers, agent: false }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        sent.once('error', reject).end();
      });
    expect(await statusOf('POST', '/webhooks/github')).toBe(401);
    expect(await statusOf('GET', '/webhooks/github')).toBe(405);
    for (const path of ['/healthz', '/metrics', '/tasks.json', '/webhooks/', '/webhooks/github/x', '/'])
      expect(await statusOf('GET', path)).toBe(421);
  });
});
