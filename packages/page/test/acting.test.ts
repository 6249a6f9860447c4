import { describe, expect, it } from 'vitest';
import { createClient, fieldOf } from './support/client.ts';

const uuid = '00000000-0000-4000-8000-000000000000';
const target = `/runs/${uuid}/actions`;

describe('an act on a run', () => {
  it('stands in the audit log before it has any effect, and its result after [NX-328]', async () => {
    const order: string[] = [];
    const client = createClient({
      actions: {
        act: async ({ control, actor }) => {
          order.push(`act ${control} ${actor}`);
          return { accepted: true };
        },
      },
      audit: {
        append: async ({ action, outcome }) => void order.push(`audit ${action} ${outcome}`),
        list: async () => [],
      },
    });
    await client.logIn();
    const page = await client.text(`/runs/${uuid}`);
    const fields = { csrf: fieldOf(page, 'csrf'), nonce: fieldOf(page, 'nonce'), control: 'pause' };
    const response = await client.post(target, fields);
    expect(response.headers.get('location')).toBe(`/runs/${uuid}?done=pause`);
    expect(order.slice(1)).toEqual(['audit pause accepted', 'act pause mona', 'audit pause-result accepted']);
  });

  it('is done once, however often its form is sent [NX-328]', async () => {
    const client = createClient();
    await client.logIn();
    const page = await client.text(`/runs/${uuid}`);
    const fields = {
      csrf: fieldOf(page, 'csrf'),
      nonce: fieldOf(page, 'nonce'),
      control: 'budget',
      amount: '12.5',
    };
    const answers = await Promise.all([client.post(target, fields), client.post(target, fields)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(client.world.acted).toEqual([
      { uuid, control: 'budget', amountMicros: 12_500_000, actor: 'mona' },
    ]);
  });

  it('is not done where the audit log cannot be written [NX-328]', async () => {
    const client = createClient();
    await client.logIn();
    const page = await client.text(`/runs/${uuid}`);
    const other = createClient({
      audit: {
        append: async ({ action }) => {
          if (action !== 'login') throw new Error('disk full');
        },
        list: async () => [],
      },
    });
    await other.logIn();
    const own = await other.text(`/runs/${uuid}`);
    const fields = { csrf: fieldOf(own, 'csrf'), nonce: fieldOf(page, 'nonce'), control: 'pause' };
    expect((await other.post(target, fields)).status).toBe(503);
    expect(other.world.acted).toEqual([]);
  });

  it('that is refused says why, as text [NX-328]', async () => {
    const client = createClient();
    await client.logIn();
    const page = await client.text(`/runs/${uuid}`);
    const fields = { csrf: fieldOf(page, 'csrf'), nonce: fieldOf(page, 'nonce'), control: 'stop' };
    const response = await client.post(target, fields);
    expect(response.status).toBe(409);
    expect(await response.text()).toContain('It is &lt;b&gt;ending&lt;/b&gt; already.');
    expect(client.world.entries[0]).toMatchObject({ action: 'stop-result', outcome: 'refused' });
  });

  it.each([
    ['without a login', { isLoggedIn: false, change: {} as Record<string, string>, status: 401 }],
    ['without the token of its form', { isLoggedIn: true, change: { csrf: 'x' }, status: 403 }],
    ['without a nonce', { isLoggedIn: true, change: { nonce: '' }, status: 400 }],
    ['of an unknown kind', { isLoggedIn: true, change: { control: 'erase' }, status: 400 }],
    ['with no amount', { isLoggedIn: true, change: { control: 'budget', amount: '-1' }, status: 400 }],
    ['that the run does not offer', { isLoggedIn: true, change: { control: 'retry' }, status: 409 }],
  ])('%s has no effect [NX-328]', async (_, { isLoggedIn, change, status }) => {
    const client = createClient();
    if (isLoggedIn) await client.logIn();
    const page = await client.text(`/runs/${uuid}`);
    const fields = {
      csrf: fieldOf(page, 'csrf'),
      nonce: fieldOf(page, 'nonce'),
      control: 'pause',
      ...change,
    };
    expect((await client.post(target, fields)).status).toBe(status);
    expect(client.world.acted).toEqual([]);
  });
});
