import { afterEach, describe, expect, it } from 'vitest';
import { startWebhookBed, token, type WebhookBed } from '../../test/support/webhook-bed.ts';
import { createWebhookClient, note } from '../../test/support/webhook-client.ts';

let bed: WebhookBed | null = null;
afterEach(async () => {
  await bed?.close();
  bed = null;
});

async function start(environment?: Readonly<Record<string, string>>): Promise<WebhookBed> {
  bed = await startWebhookBed(environment);
  return bed;
}

const { postGitLab, sendPart } = createWebhookClient(() => bed?.url ?? '');

describe('POST /webhooks/gitlab', () => {
  it('rings for a note, and once for each key of a delivery', async () => {
    const at = await start();
    const sent = { 'idempotency-key': 'k1', 'x-gitlab-event-uuid': 'u1' };
    expect(await postGitLab(note(), sent)).toEqual([202, 'Received.']);
    expect(await postGitLab(note(), sent)).toEqual([200, 'This delivery was already received.']);
    expect(await postGitLab(note(), { ...sent, 'idempotency-key': 'k2' })).toEqual([202, 'Received.']);
    expect(at.rings.map(({ key }) => key)).toEqual(
      Array(2).fill({ type: 'gitlab_issue', projectId: '5', issueIid: 7 }),
    );
  });

  it('knows a delivery by the id of its event where there is no key', async () => {
    const at = await start();
    for (const uuid of ['u1', 'u1', 'u2']) await postGitLab(note(), { 'x-gitlab-event-uuid': uuid });
    expect(at.rings).toHaveLength(2);
  });

  it.each([
    ['another token', 'another'],
    ['a part of the token', token.slice(0, -1)],
    ['no token', ''],
  ])('refuses %s before it reads anything, and rings for nothing', async (_what, wrong) => {
    const at = await start();
    expect((await postGitLab(note(), { 'x-gitlab-token': wrong }))[0]).toBe(401);
    const headers = { 'content-type': 'application/json', ...(wrong ? { 'x-gitlab-token': wrong } : {}) };
    expect(await sendPart('/webhooks/gitlab', { headers: { ...headers, 'content-length': '99' } })).toBe(401);
    expect(at.rings).toEqual([]);
  });

  it('answers well what is of no use, so that GitLab does not switch the webhook off', async () => {
    const at = await start();
    expect((await postGitLab({}, { 'x-gitlab-event': 'Wiki Page Hook' }))[0]).toBe(202);
    const elsewhere = { project: { id: 6, path_with_namespace: 'acme/tools' } };
    expect((await postGitLab(note(elsewhere)))[0]).toBe(202);
    expect([at.rings, at.wakes()]).toEqual([[], 0]);
  });

  it('wakes the daemon for the label of a task', async () => {
    const at = await start();
    const labels = [{ title: 'coding agent' }];
    const opened = note({ object_attributes: { action: 'open' }, labels });
    expect(await postGitLab(opened, { 'x-gitlab-event': 'Issue Hook' })).toEqual([202, 'Received.']);
    expect(at.wakes()).toBe(1);
  });
});
