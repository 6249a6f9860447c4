import { describe, expect, it } from 'vitest';
import { runControls } from '../src/rooms/run-actions.ts';
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
        write: async ({ action, target, outcome }) => void order.push(`audit ${action} ${target} ${outcome}`),
        list: async () => [],
      },
    });
    await client.logIn();
    const page = await client.text(`/runs/${uuid}`);
    const fields = { csrf: fieldOf(page, 'csrf'), nonce: fieldOf(page, 'nonce'), control: 'pause' };
    const response = await client.post(target, fields);
    expect(response.headers.get('location')).toBe(`/runs/${uuid}?done=pause`);
    expect(order.slice(1)).toEqual([
      'audit pause acme/shop#40 started',
      'act pause mona',
      'audit pause acme/shop#40 accepted',
    ]);
  });

  it.each(runControls)(
    '%s is a row of the audit log with the user, the task and the run [NX-341]',
    async (control) => {
      const client = createClient({ actions: { act: async () => ({ accepted: true }) } });
      const run = client.world.runs.get(uuid);
      if (run !== undefined) client.world.runs.set(uuid, { ...run, controls: [control] });
      await client.logIn();
      const page = await client.text(`/runs/${uuid}`);
      const fields = { csrf: fieldOf(page, 'csrf'), nonce: fieldOf(page, 'nonce'), control, amount: '5' };
      expect((await client.post(target, fields)).status).toBe(303);
      expect(client.world.entries[0]).toMatchObject({
        ...{ actor: 'mona', via: 'web', action: control, target: 'acme/shop#40' },
        ...{ run: uuid, outcome: 'accepted' },
      });
    },
  );

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
        write: async ({ action }) => {
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

  it('that was not done for want of the audit log is done when its form is sent again [NX-328]', async () => {
    let isFull = true;
    const write = async ({ action }: { readonly action: string }) => {
      if (isFull && action !== 'login') throw new Error('disk full');
    };
    const client = createClient({ audit: { write, list: async () => [] } });
    await client.logIn();
    const page = await client.text(`/runs/${uuid}`);
    const fields = { csrf: fieldOf(page, 'csrf'), nonce: fieldOf(page, 'nonce'), control: 'pause' };
    expect((await client.post(target, fields)).status).toBe(503);
    isFull = false;
    for (let sent = 0; sent < 2; sent += 1) expect((await client.post(target, fields)).status).toBe(303);
    expect(client.world.acted).toHaveLength(1);
  });

  it('has the settings read again, and keeps in the log what changed or what is wrong with them [NX-364]', async () => {
    let isWrong = false;
    const client = createClient({
      settings: {
        reload: async () =>
          isWrong
            ? { status: 'refused', reason: 'limits.<b> is not a known key' }
            : { status: 'taken', changed: ['limits.steps'], needRestart: ['http.port'] },
      },
    });
    expect((await client.post('/reload', {})).status).toBe(401);
    await client.logIn();
    const send = async () => {
      const page = await client.text('/health');
      return client.post('/reload', { csrf: fieldOf(page, 'csrf'), nonce: fieldOf(page, 'nonce') });
    };
    expect((await send()).headers.get('location')).toBe('/health?done=reload');
    expect(client.world.entries.slice(0, 2)).toMatchObject([
      { action: 'reload', outcome: 'accepted', reason: 'limits.steps, http.port (restart)', actor: 'mona' },
      { action: 'login' },
    ]);
    expect(await client.text('/health?done=reload')).toContain('Settings reloaded.');
    isWrong = true;
    const refused = await send();
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain('limits.&lt;b&gt; is not a known key');
    expect(client.world.entries[0]).toMatchObject({ action: 'reload', outcome: 'refused' });
  });

  it('offers nothing to read again where there is nothing [NX-364]', async () => {
    const client = createClient();
    await client.logIn();
    expect(await client.text('/health')).not.toContain('/reload');
    expect((await client.post('/reload', {})).status).toBe(405);
  });

  it('that is refused says why, as text [NX-328]', async () => {
    const client = createClient();
    await client.logIn();
    const page = await client.text(`/runs/${uuid}`);
    const fields = { csrf: fieldOf(page, 'csrf'), nonce: fieldOf(page, 'nonce'), control: 'stop' };
    const response = await client.post(target, fields);
    expect(response.status).toBe(409);
    expect(await response.text()).toContain('The run is &lt;b&gt;stopping&lt;/b&gt; already.');
    expect(client.world.entries[0]).toMatchObject({
      action: 'stop',
      target: 'acme/shop#40',
      run: uuid,
      outcome: 'refused',
    });
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
