import { request } from 'node:http';
import { createBodyBudget } from '@agent/platforms/webhooks';
import { afterEach, describe, expect, it } from 'vitest';
import { startWebhookBed, type WebhookBed } from '../../test/support/webhook-bed.ts';
import { comment, createWebhookClient, sign } from '../../test/support/webhook-client.ts';

let bed: WebhookBed | null = null;
afterEach(async () => {
  await bed?.close();
  bed = null;
});

const { postGitHub } = createWebhookClient(() => bed?.url ?? '');
const mebibyte = 1_048_576;

/** A delivery of 4 MiB by somebody who has no secret, of which the beginning is sent at first, with its length or in chunks. */
function openDelivery(url: string, { saysLength = true } = {}) {
  const body = Buffer.alloc(4 * mebibyte, 'x');
  const headers = {
    'content-type': 'application/json',
    ...(saysLength ? { 'content-length': String(body.length) } : {}),
    'x-github-event': 'issue_comment',
    'x-hub-signature-256': sign('something else'),
  };
  const sent = request(`${url}/webhooks/github`, { method: 'POST', agent: false, headers });
  const answer = new Promise<{
    readonly status: number | undefined;
    readonly retryAfter: string | undefined;
  }>((resolve, reject) => {
    sent.once('response', (response) => {
      response.resume();
      response.once('error', () => {});
      resolve({ status: response.statusCode, retryAfter: response.headers['retry-after'] });
    });
    sent.once('error', reject);
  });
  sent.write(body.subarray(0, 1_024));
  const finish = (): void => {
    if (!sent.writableEnded) sent.end(body.subarray(1_024));
  };
  return { answer, finish };
}

describe('bodies of strangers', () => {
  it('are read within a budget: of 60 with 4 MiB at once eight are, the others are told to come again [NX-19]', {
    tags: ['full'],
  }, async () => {
    bed = await startWebhookBed();
    const { url } = bed;
    const deliveries = Array.from({ length: 60 }, () => openDelivery(url));
    const refused: unknown[] = [];
    const all = deliveries.map(({ answer }) =>
      answer.then((one) => {
        if (one.status === 503) refused.push(one.retryAfter);
        if (refused.length === 52) for (const { finish } of deliveries) finish();
        return one.status;
      }),
    );
    const statuses = await Promise.all(all);
    expect(statuses.filter((status) => status === 401)).toHaveLength(8);
    expect(refused).toEqual(Array(52).fill('10'));
    expect((await postGitHub(comment()))[0]).toBe(202);
  });

  it('that do not say how long they are wait for room as well, before anything of them is read [NX-19]', async () => {
    bed = await startWebhookBed();
    const { url } = bed;
    const deliveries = Array.from({ length: 12 }, () => openDelivery(url, { saysLength: false }));
    const refused: unknown[] = [];
    const all = deliveries.map(({ answer }) =>
      answer.then((one) => {
        if (one.status === 503) refused.push(one.retryAfter);
        if (refused.length === 4) for (const { finish } of deliveries) finish();
        return one.status;
      }),
    );
    expect((await Promise.all(all)).filter((status) => status === 401)).toHaveLength(8);
    expect((await postGitHub(comment()))[0]).toBe(202);
  });

  it('that say to be too long are refused for that, not told to come again, while others are read; and those that turn out to be [NX-19]', {
    tags: ['full'],
  }, async () => {
    bed = await startWebhookBed();
    const { url } = bed;
    const { sendPart } = createWebhookClient(() => url);
    const open = Array.from({ length: 7 }, () => openDelivery(url));
    const headers = {
      'content-type': 'application/json',
      'x-github-event': 'issue_comment',
      'x-hub-signature-256': sign('something else'),
    };
    const chunks = sendPart('/webhooks/github', { headers, body: 'x'.repeat(5 * mebibyte) });
    expect(await chunks).toBe(413);
    open.push(openDelivery(url));
    const long = { ...headers, 'content-length': String(5 * mebibyte) };
    expect(await sendPart('/webhooks/github', { headers: long })).toBe(413);
    for (const { finish } of open) finish();
    expect(new Set(await Promise.all(open.map(async ({ answer }) => (await answer).status)))).toEqual(
      new Set([401]),
    );
  });

  it('that say to be too long are refused before anything of them is read [NX-19]', async () => {
    bed = await startWebhookBed();
    const { sendPart } = createWebhookClient(() => bed?.url ?? '');
    const headers = {
      'content-type': 'application/json',
      'content-length': String(5 * mebibyte),
      'x-github-event': 'issue_comment',
      'x-hub-signature-256': sign('something else'),
    };
    expect(await sendPart('/webhooks/github', { headers })).toBe(413);
  });
});

describe('createBodyBudget', () => {
  it('counts bodies and bytes, and what is given back may be taken again', () => {
    const budget = createBodyBudget({ maxBodies: 2, maxBytes: 100 });
    const free = budget.take(60);
    expect(budget.take(41)).toBeNull();
    expect(budget.take(40)).not.toBeNull();
    expect(budget.take(0)).toBeNull();
    free?.();
    expect(budget.take(60)).not.toBeNull();
  });

  it('always has room for a single body', () => {
    expect(createBodyBudget({ maxBodies: 2, maxBytes: 100 }).take(1_000)).not.toBeNull();
  });
});
