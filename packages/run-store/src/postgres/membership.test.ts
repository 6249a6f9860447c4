import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestPglite } from '../../test/test-databases.ts';
import { startTimedProcess } from '../../test/timed-process.ts';
import { end, newRun, says, toArray } from '../testing/store-setup.ts';

const uuid = '0b39c9a4-4f5e-4d2b-8a3f-3f1d9c5b7e21';
const other = '1c39c9a4-4f5e-4d2b-8a3f-3f1d9c5b7e22';

let schema = '';
beforeAll(() => openTestPglite().then(({ close }) => close()));
beforeEach(() => {
  schema = `s${randomUUID().replaceAll('-', '')}`;
});

const startProcess = (options: { readonly exclusive?: boolean } = {}) =>
  startTimedProcess({ schema, ...options });

describe('processes beside each other', () => {
  it('work on runs of their own, and see those of all', async () => {
    const [one, two] = [await startProcess(), await startProcess()];
    const run = await one.store.open(newRun(uuid));
    await (await two.store.open(newRun(other))).journal.append(says('user', 'two'));
    await run.journal.append(says('user', 'one'));
    expect((await one.store.listInterrupted()).runs.map((listed) => listed.uuid)).toEqual([uuid, other]);
    expect(await one.storage.members.list()).toHaveLength(2);
    await two.owner.release();
    expect(await one.storage.members.list()).toHaveLength(1);
    await run.journal.append(says('user', 'on'));
  });

  it('are listed while they give signs of life', async () => {
    const one = await startProcess();
    const { query } = await openTestPglite();
    await query(`UPDATE ${schema}.members SET renewed_at = now() - interval '1 minute'`);
    expect(await one.storage.members.list()).toEqual([]);
    await one.owner.guard(async () => undefined);
    expect(await one.storage.members.list()).toHaveLength(1);
  });

  it('refuse a late write to a run that another one has opened since [NX-152]', async () => {
    const [one, two] = [await startProcess(), await startProcess()];
    const zombie = await one.store.open(newRun(uuid));
    await zombie.journal.append(says('user', 'one'));
    const heir = await two.store.restore(uuid);
    expect(heir.crashesInARow).toBe(1);
    for (const late of [
      () => zombie.journal.append(says('user', 'late')),
      () => zombie.state.write('plan.json', 1),
      () => zombie.outbox.open({ id: 'late', kind: 'comment', data: null }),
      () => zombie.journal.finish(end),
      () => zombie.leave(),
      () => one.store.commitPause(uuid, { lastError: null, planningState: null }),
      () => one.store.finish(uuid),
    ])
      await expect(late()).rejects.toMatchObject({ code: 'owned' });
    expect(await heir.journal.append(says('user', 'two'))).toBe(2);
    const texts = (await toArray(heir.journal.read())).map(
      (entry) => entry.type === 'message' && entry.message.content,
    );
    expect(texts).toEqual(['one', 'two']);
    // The process itself is none the worse for it.
    await one.store.open(newRun(other));
    expect(one.owner.lost.aborted).toBe(false);
  });

  it('numbers each opening above all before it, whichever process opens the run [NX-152]', async () => {
    const [one, two] = [await startProcess(), await startProcess()];
    await one.store.open(newRun(uuid));
    await two.store.restore(uuid);
    await one.store.restore(uuid);
    const rows = await (await openTestPglite()).query<{ body: string }>(
      `SELECT body FROM ${schema}.lines ORDER BY line`,
      [],
    );
    const numbers = rows.map(({ body }) => (JSON.parse(body) as { owner: number }).owner);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  });

  it('wait for one that has the place for itself, and are none beside it [NX-152]', async () => {
    const one = await startProcess();
    const run = await one.store.open(newRun(uuid));
    const alone = await startProcess({ exclusive: true });
    await expect(run.journal.append(says('user', 'late'))).rejects.toMatchObject({ code: 'owned' });
    await expect(one.storage.members.acquire()).rejects.toMatchObject({ code: 'owned' });
    await alone.owner.release();
    await (await startProcess()).store.restore(uuid);
  });
});

describe('a lease', () => {
  it('costs nothing while it lasts, and a question once it is over [NX-153]', async () => {
    const { owner, pass, statements } = await startProcess();
    statements.length = 0;
    await owner.requireOwned();
    pass(4_900);
    expect(owner.requireOwned()).toBeUndefined();
    expect(statements).toHaveLength(0);
    pass(200);
    await owner.requireOwned();
    expect(statements).toHaveLength(1);
    expect(owner.requireOwned()).toBeUndefined();
  });

  it('that is over lets nothing happen outside before the database has answered [NX-153]', async () => {
    const answered = Promise.withResolvers<void>();
    const one = await startProcess();
    one.pass(60_000);
    let isOver = false;
    const lock = (await openTestPglite()).transaction(async () => answered.promise);
    const asked = Promise.resolve(one.owner.requireOwned()).then(() => {
      isOver = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    answered.resolve();
    await Promise.all([lock, asked]);
    expect(isOver).toBe(true);
  });

  it('of a process that was frozen is lost where another one has taken a run of it [NX-153]', async () => {
    const [frozen, heir] = [await startProcess(), await startProcess()];
    await frozen.store.open(newRun(uuid));
    await frozen.store.open(newRun(other));
    frozen.pass(60_000);
    await heir.store.restore(uuid);
    await expect(frozen.owner.requireOwned()).rejects.toMatchObject({ code: 'owned' });
    expect(frozen.owner.lost.aborted).toBe(true);
    expect(() => frozen.owner.requireOwned()).toThrow('have taken over its runs');
  });

  it('is not believed by an answer from before a freeze, which lay unread meanwhile [NX-153]', async () => {
    const database = await openTestPglite();
    const [read, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let isLate = false;
    const query: typeof database.query = async (text, values) => {
      const rows = await database.query<never>(text, values);
      if (isLate && text.startsWith('UPDATE')) {
        isLate = false;
        answered.resolve();
        await read.promise;
      }
      return rows;
    };
    const frozen = await startTimedProcess({ schema, database: { ...database, query } });
    const heir = await startProcess();
    await frozen.store.open(newRun(uuid));
    isLate = true;
    frozen.renew();
    await answered.promise;
    frozen.pass(60_000);
    await heir.store.restore(uuid);
    const held = Promise.resolve(frozen.owner.requireOwned());
    read.resolve();
    await expect(held).rejects.toMatchObject({ code: 'owned' });
  });

  it('is not lost for runs that were left, put away or known to be taken over', async () => {
    const [one, heir] = [await startProcess(), await startProcess()];
    const left = await one.store.open(newRun(uuid));
    await left.leave();
    const taken = await one.store.open(newRun(other));
    await heir.store.restore(uuid);
    await heir.store.restore(other);
    await expect(taken.journal.append(says('user', 'late'))).rejects.toMatchObject({ code: 'owned' });
    one.pass(60_000);
    await one.owner.requireOwned();
    expect(one.owner.lost.aborted).toBe(false);
  });

  it('goes on where it was out and nobody took anything', async () => {
    const one = await startProcess();
    await one.store.open(newRun(uuid));
    one.pass(60_000);
    await one.owner.requireOwned();
    expect(one.owner.lost.aborted).toBe(false);
  });

  it('is renewed in between, and lost once somebody has the place alone [NX-153]', async () => {
    const one = await startProcess();
    await one.store.open(newRun(uuid));
    one.pass(3_000);
    one.renew();
    await one.storage.notes.read('behind-it');
    one.pass(3_000);
    expect(one.owner.requireOwned()).toBeUndefined();
    await startProcess({ exclusive: true });
    one.renew();
    await new Promise((resolve) => one.owner.lost.addEventListener('abort', resolve));
    expect(one.owner.lost.reason).toMatchObject({ code: 'owned' });
  });

  it('is renewed a third as often by a process without an open run, which has nothing to lose [NX-164]', async () => {
    const one = await startProcess();
    one.statements.length = 0;
    for (let count = 0; count < 6; count += 1) {
      one.renew();
      await one.storage.notes.read('behind-it');
    }
    const renewals = () => one.statements.filter((text) => text.startsWith('UPDATE')).length;
    expect(renewals()).toBe(2);
    await one.store.open(newRun(uuid));
    one.renew();
    await one.storage.notes.read('behind-it');
    expect(renewals()).toBe(3);
  });
});
