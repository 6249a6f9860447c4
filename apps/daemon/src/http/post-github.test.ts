import { afterEach, describe, expect, it } from 'vitest';
import { startWebhookBed, type WebhookBed } from '../../test/support/webhook-bed.ts';
import { comment, createWebhookClient, sign } from '../../test/support/webhook-client.ts';

let bed: WebhookBed | null = null;
afterEach(async () => {
  await bed?.close();
  bed = null;
});

async function start(environment?: Readonly<Record<string, string>>): Promise<WebhookBed> {
  bed = await startWebhookBed(environment);
  return bed;
}

const { postGitHub, postSigned, sendPart } = createWebhookClient(() => bed?.url ?? '');

describe('POST /webhooks/github', () => {
  it('rings for a signed comment, whichever case the repository has in the configuration', async () => {
    const at = await start();
    expect(await postGitHub(comment(), { 'x-github-delivery': 'a' })).toEqual([202, 'Received.']);
    const key = { type: 'github_issue', owner: 'acme', repo: 'shop', number: 7 };
    const ring = { key, commentId: '41', updatedAt: '2026-01-02T03:04:05Z', deleted: false, comment: null };
    expect(at.rings).toEqual([ring]);
    expect(at.wakes()).toBe(0);
  });

  it('is signed over bytes: escapes, spaces, BOMs and characters beyond ASCII stay as they came', async () => {
    const at = await start();
    const text = JSON.stringify(comment({ title: 'naïve 合計 🧮' }), null, 2);
    const escaped = text.replace(
      /[^\u0020-\u007e\n]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    expect(escaped).not.toBe(text);
    for (const body of [text, escaped]) expect(await postGitHub(body)).toEqual([202, 'Received.']);
    expect((await postGitHub(escaped, { 'x-hub-signature-256': sign(text) }))[0]).toBe(401);
    expect(at.rings).toHaveLength(2);
    // JSON knows neither of these, however well it is signed.
    expect(await postGitHub(`\ufeff${text}`)).toEqual([
      202,
      expect.stringMatching(/^Ignored: The body is not JSON,/),
    ]);
    const broken = Buffer.from(text.replace('Hello', 'Hell\u00ff'), 'latin1');
    expect((await postSigned(broken))[0]).toBe(401);
  });

  it.each([
    ['another secret', { 'x-hub-signature-256': sign(JSON.stringify(comment()), 'another') }],
    ['a signature that is cut', { 'x-hub-signature-256': sign(JSON.stringify(comment())).slice(0, -1) }],
    ['a signature in SHA-1', { 'x-hub-signature-256': `sha1=${'0'.repeat(40)}` }],
    ['no signature', { 'x-hub-signature-256': '' }],
  ])('refuses %s, and rings for nothing', async (_what, headers) => {
    const at = await start();
    expect((await postGitHub(comment(), headers))[0]).toBe(401);
    expect(at.rings).toEqual([]);
  });

  it('refuses a body of which one byte was changed', async () => {
    const at = await start();
    const body = JSON.stringify(comment());
    const changed = body.replace('Hello', 'Hallo');
    expect((await postGitHub(changed, { 'x-hub-signature-256': sign(body) }))[0]).toBe(401);
    expect(at.rings).toEqual([]);
  });

  it('warns once of refused deliveries until a genuine one comes', async () => {
    const at = await start();
    const wrong = { 'x-hub-signature-256': sign('', 'another') };
    for (let time = 0; time < 3; time += 1) await postGitHub(comment(), wrong);
    expect(at.warnings).toEqual(['refused webhook']);
    await postGitHub(comment());
    await postGitHub(comment(), wrong);
    expect(at.warnings).toHaveLength(2);
  });

  it('ignores a delivery that comes twice, but not because of a forged one with its id', async () => {
    const at = await start();
    const id = { 'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958' };
    expect((await postGitHub(comment(), { ...id, 'x-hub-signature-256': sign('x') }))[0]).toBe(401);
    expect(await postGitHub(comment(), id)).toEqual([202, 'Received.']);
    expect(await postGitHub(comment(), id)).toEqual([200, 'This delivery was already received.']);
    expect(at.rings).toHaveLength(1);
  });

  it('wakes a daemon that is given its tasks by mentions for a comment with one', async () => {
    bed = await startWebhookBed(undefined, 'mention');
    for (const body of ['@agent please', 'nobody is called'])
      await postGitHub(comment({ comment: { id: 41, body, updated_at: '2026-01-02T03:04:05Z' } }));
    expect(bed.wakes()).toBe(1);
  });

  it('wakes the daemon for the label of a task, and for no other', async () => {
    const at = await start();
    const issues = { 'x-github-event': 'issues' };
    const labeled = (name: string) => comment({ action: 'labeled', label: { name } });
    expect(await postGitHub(labeled('Coding Agent'), issues)).toEqual([202, 'Received.']);
    expect(await postGitHub(labeled('coding agent done'), issues)).toEqual([202, 'Nothing to do.']);
    expect([at.wakes(), at.rings]).toEqual([1, []]);
  });

  it.each([
    ['a ping', {}, 'ping', 200, 'Here.'],
    ['an event that it does not know', {}, 'star', 202, 'Ignored: this event is not used.'],
    [
      'a repository that is not configured',
      comment({ repository: { full_name: 'acme/other' } }),
      'issue_comment',
      202,
      'Ignored: this repository is not configured here.',
    ],
    [
      'what is no JSON',
      '{"action":',
      'issue_comment',
      202,
      expect.stringMatching(/^Ignored: The body is not/),
    ],
    ['an event without its name', comment(), '', 202, 'Ignored: There is no header that names the event.'],
  ])('answers %s, and rings for nothing', async (_what, body, event, status, text) => {
    const at = await start();
    expect(await postGitHub(body, { 'x-github-event': event })).toEqual([status, text]);
    expect([at.rings, at.wakes()]).toEqual([[], 0]);
  });

  it('says what is wrong with a body that is not that of its event', async () => {
    await start();
    const [status, text] = await postGitHub(comment({ comment: {} }));
    expect(status).toBe(202);
    expect(text).toContain('comment.id');
  });

  it('asks for the content type that it reads', async () => {
    const at = await start();
    const form = 'application/x-www-form-urlencoded';
    const [status, text] = await postGitHub(comment(), { 'content-type': form });
    expect([status, text]).toEqual([415, 'Choose the content type application/json for this webhook.']);
    const named = await postGitHub(comment(), { 'content-type': 'application/json; charset=utf-8' });
    expect(named[0]).toBe(202);
    expect(at.rings).toHaveLength(1);
  });

  it('does not wait for the body of what it refuses: too large, or not signed', async () => {
    await start();
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': sign('') };
    const tooMuch = String(4 * 1024 * 1024 + 1);
    expect(await sendPart('/webhooks/github', { headers: { ...headers, 'content-length': tooMuch } })).toBe(
      413,
    );
    const { 'x-hub-signature-256': _signature, ...unsigned } = headers;
    expect(await sendPart('/webhooks/github', { headers: { ...unsigned, 'content-length': '1000' } })).toBe(
      401,
    );
  });

  it('reads no more than its limit of a body that does not say how long it is', async () => {
    await start();
    const headers = {
      'content-type': 'application/json',
      'x-hub-signature-256': sign(''),
      'transfer-encoding': 'chunked',
    };
    const body = ' '.repeat(4 * 1024 * 1024 + 1);
    expect(await sendPart('/webhooks/github', { headers, body })).toBe(413);
  });

  it('reads a megabyte, as an issue and its longest comment may make', async () => {
    const at = await start();
    const body = comment({ issue: { number: 7, body: '\u0001'.repeat(190_000) } });
    expect(JSON.stringify(body).length).toBeGreaterThan(1_140_000);
    expect(await postGitHub(body)).toEqual([202, 'Received.']);
    expect(at.rings).toHaveLength(1);
  });
});
