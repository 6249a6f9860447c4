import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  makeQueueBed,
  openWork,
  type QueueBed,
  type Task,
  type TestProcess,
} from '../../../test/queue-bed.ts';
import { databasesToTry } from '../../../test/test-databases.ts';

describe.each(databasesToTry)('a queue in PostgreSQL, on %s', (_, connect) => {
  let bed: QueueBed;
  let ending: AbortController;
  beforeAll(() => connect().then(({ close }) => close()));
  beforeEach(async () => {
    bed = await makeQueueBed(await connect());
    ending = new AbortController();
  });
  afterEach(async () => {
    ending.abort();
    await bed.close();
  });

  async function add(keys: readonly string[], options?: Pick<Task, 'priority'>): Promise<void> {
    const queue = bed.open();
    for (const key of keys) await queue.add({ key, ...options });
  }

  it('gives a free place to the repository with the least at work, whoever waits longer [NX-141]', async () => {
    await add(['big#1', 'big#2', 'big#3', 'big#4', 'small#1', 'other#1']);
    const { workOn, begun, end } = openWork();
    const worked = bed.open({ concurrency: 3 }).work(workOn, { signal: ending.signal, untilEmpty: true });
    await expect.poll(() => begun).toEqual(['big#1', 'small#1', 'other#1']);
    end('big#1');
    await expect.poll(() => begun.at(-1)).toBe('big#2');
    end('other#1');
    await expect.poll(() => begun.at(-1)).toBe('big#3');
    for (const key of ['small#1', 'big#2', 'big#3']) end(key);
    await expect.poll(() => begun.at(-1)).toBe('big#4');
    end('big#4');
    await worked;
  });

  it('takes over how many may be at work while it works, both ways [NX-352]', async () => {
    await add(['one#1', 'two#1', 'three#1']);
    const { workOn, begun, end } = openWork();
    let room = 1;
    const queue = bed.open({ concurrency: () => room });
    const worked = queue.work(workOn, { signal: ending.signal, untilEmpty: true });
    await expect.poll(() => begun).toEqual(['one#1']);
    room = 2;
    queue.beginWaiting();
    await expect.poll(() => begun).toEqual(['one#1', 'two#1']);
    room = 1;
    end('one#1');
    queue.beginWaiting();
    await queue.settled();
    expect(begun).toEqual(['one#1', 'two#1']);
    end('two#1');
    await expect.poll(() => begun.at(-1)).toBe('three#1');
    end('three#1');
    await worked;
  });

  it('lets a higher priority go first, whatever its repository is at [NX-141]', async () => {
    await add(['busy#1']);
    const { workOn, begun, end } = openWork();
    let paused = false;
    const queue = bed.open({ concurrency: 2, isPaused: async () => paused });
    void queue.work(workOn, { signal: ending.signal });
    await expect.poll(() => begun).toEqual(['busy#1']);
    paused = true;
    await add(['idle#1']);
    await add(['busy#2'], { priority: 1 });
    expect((await queue.waiting()).map(({ key }) => key)).toEqual(['busy#2', 'idle#1']);
    paused = false;
    queue.beginWaiting();
    await expect.poll(() => begun).toEqual(['busy#1', 'busy#2']);
    end('busy#1');
    await expect.poll(() => begun.at(-1)).toBe('idle#1');
    for (const key of ['busy#2', 'idle#1']) end(key);
  });

  it('keeps to the limits of a repository and of all, with all processes together [NX-142]', async () => {
    await add(['a#1', 'a#2', 'a#3', 'b#1', 'b#2', 'c#1', 'd#1']);
    const limits = { all: 4, perGroup: 2 };
    const works = [openWork(), openWork(), openWork()];
    for (const { workOn } of works)
      void bed.open({ concurrency: 4, limits }).work(workOn, { signal: ending.signal });
    const running = () => works.flatMap((work) => [...work.running.keys()]).sort();
    await expect.poll(() => running().length).toBe(4);
    const done: string[] = [];
    for (let left = 7; left > 0; left -= 1) {
      await expect.poll(() => running().length).toBe(Math.min(4, left));
      const groups = running().map((key) => key[0]);
      for (const group of groups) expect(groups.filter((one) => one === group).length).toBeLessThan(3);
      const [key] = running();
      if (key === undefined) throw new Error('Nothing runs.');
      done.push(key);
      for (const { end } of works) end(key);
      await expect.poll(() => running()).not.toContain(key);
    }
    expect(done.sort()).toEqual(['a#1', 'a#2', 'a#3', 'b#1', 'b#2', 'c#1', 'd#1']);
  });

  it('begins nothing while it is paused, and keeps what waits', async () => {
    await add(['a#1']);
    let paused = true;
    const { workOn, begun, end } = openWork();
    const queue = bed.open({ isPaused: async () => paused });
    void queue.work(workOn, { signal: ending.signal });
    await queue.add({ key: 'a#2' });
    expect([begun, (await queue.waiting()).length]).toEqual([[], 2]);
    paused = false;
    queue.beginWaiting();
    await expect.poll(() => begun).toEqual(['a#1']);
    end('a#1');
    await expect.poll(() => begun).toEqual(['a#1', 'a#2']);
    end('a#2');
  });

  it('puts away what can never be read, for somebody to look at, and goes on with the rest', async () => {
    await add(['a#1', 'a#2']);
    const broken = `UPDATE ${bed.schema}.job SET data = '{"name":"x"}' WHERE singleton_key = 'a#1'`;
    await bed.database.query(broken);
    const { workOn, begun, end } = openWork();
    const worked = bed.open().work(workOn, { signal: ending.signal, untilEmpty: true });
    await expect.poll(() => begun).toEqual(['a#2']);
    end('a#2');
    await worked;
    const put = `SELECT data FROM ${bed.schema}.job WHERE name = 'tasks_unreadable'`;
    expect(await bed.database.query(put)).toEqual([
      { data: { data: { name: 'x' }, reason: 'Error: An entry without a key.' } },
    ]);
    expect(await bed.open().add({ key: 'a#1' })).toBe('added');
  });

  it('offers what fails or is left for later to any process again, after a pause [NX-143]', async () => {
    await add(['a#1']);
    const [first, second] = [bed.open(), openWork()];
    const fail = async (): Promise<never> => {
      throw new Error('The forge is away.');
    };
    await first.work(fail, { signal: ending.signal, untilEmpty: true });
    expect(await bed.states()).toEqual({ 'a#1': 'retry' });
    expect(await first.add({ key: 'a#1' })).toBe('known');
    expect(await first.waiting()).toEqual([]);
    await bed.age(2);
    void bed.open().work(second.workOn, { signal: ending.signal });
    await expect.poll(() => second.begun).toEqual(['a#1']);
    second.end('a#1', 'later');
    await expect.poll(() => bed.states()).toEqual({ 'a#1': 'retry' });
  });

  /** Lets time pass for the tables and for one process, a second at a time. @returns seconds until `isSo` */
  async function passUntil(
    { time, settled, waiting }: TestProcess,
    isSo: () => boolean | Promise<boolean>,
  ): Promise<number> {
    // It is open then.
    await waiting();
    const begunAt = time.now();
    for (;;) {
      await settled();
      const seconds = (time.now() - begunAt) / 1_000;
      if (await isSo()) return seconds;
      expect(seconds).toBeLessThan(60);
      await bed.age(1);
      time.pass(1_000);
    }
  }

  /** Has an entry begin in a process that gives no sign of life after that: no time passes for it. */
  async function leaveWithDead(key: string): Promise<void> {
    const { workOn, begun, end } = openWork();
    void bed.open().work(workOn, { signal: ending.signal });
    await expect.poll(() => begun).toEqual([key]);
    ending.signal.addEventListener('abort', () => end(key));
  }

  it('takes from a process that is silent, and lets its late end change nothing [NX-143]', {
    tags: ['full'],
  }, async () => {
    await add(['a#1']);
    const [frozen, other] = [openWork(), openWork()];
    // No time passes for it: it shows no sign of life.
    void bed.open().work(frozen.workOn, { signal: ending.signal });
    await expect.poll(() => frozen.begun).toEqual(['a#1']);
    const queue = bed.open();
    void queue.work(other.workOn, { signal: ending.signal });
    await passUntil(queue, () => other.begun.length > 0);
    frozen.end('a#1');
    await expect.poll(() => frozen.running.size).toBe(0);
    expect(await bed.states()).toEqual({ 'a#1': 'active' });
    other.end('a#1');
    await expect.poll(() => bed.states()).toEqual({});
  });

  it.each([0, 1, 2])(
    'begins what a dead process had within 16 seconds, whenever it looks: here %i s after the last sign of life [NX-157]',
    async (phase) => {
      await add(['a#1']);
      await leaveWithDead('a#1');
      await bed.age(phase);
      const { workOn, begun, end } = openWork();
      const queue = bed.open();
      void queue.work(workOn, { signal: ending.signal });
      const seconds = phase + (await passUntil(queue, () => begun.length > 0));
      expect(seconds).toBeGreaterThanOrEqual(10);
      expect(seconds).toBeLessThanOrEqual(16);
      end('a#1');
    },
  );

  it('does not end for want of work before it has what a dead process left [NX-166]', async () => {
    await add(['a#1']);
    await leaveWithDead('a#1');
    const { workOn, begun, end } = openWork();
    const queue = bed.open();
    const worked = queue.work(workOn, { signal: ending.signal, untilEmpty: true });
    await passUntil(queue, () => begun.length > 0);
    end('a#1');
    await worked;
    expect(await bed.states()).toEqual({});
  });

  it('ends for want of work once a process that has some shows that it lives [NX-166]', async () => {
    await add(['a#1']);
    const busy = openWork();
    const alive = bed.open();
    void alive.work(busy.workOn, { signal: ending.signal });
    await expect.poll(() => busy.begun).toEqual(['a#1']);
    const queue = bed.open();
    let hasEnded = false;
    const worked = queue.work(openWork().workOn, { signal: ending.signal, untilEmpty: true }).then(() => {
      hasEnded = true;
    });
    const seconds = await passUntil(queue, async () => {
      alive.time.pass(1_000);
      await alive.settled();
      return hasEnded;
    });
    expect(seconds).toBeLessThanOrEqual(8);
    await worked;
    expect(await bed.states()).toEqual({ 'a#1': 'active' });
    busy.end('a#1');
  });

  it('ends for want of work though what it held back went to another process [NX-166]', async () => {
    await add(['a#1']);
    let held = 0;
    const holdMs = () => {
      held += 1;
      return 10_000;
    };
    const queue = bed.open({ rules: { holdMs } });
    let hasEnded = false;
    const worked = queue.work(openWork().workOn, { signal: ending.signal, untilEmpty: true }).then(() => {
      hasEnded = true;
    });
    await expect.poll(() => held).toBeGreaterThan(0);
    const { workOn, begun, end } = openWork();
    void bed.open().work(workOn, { signal: ending.signal });
    await expect.poll(() => begun).toEqual(['a#1']);
    end('a#1');
    await expect.poll(() => bed.states()).toEqual({});
    await passUntil(queue, () => hasEnded);
    await worked;
  });

  it('begins it before all that waits, and at once however often it has begun before [NX-157]', async () => {
    await add(['a#1']);
    await bed.database.query(`UPDATE ${bed.schema}.job SET retry_count = 30`);
    await leaveWithDead('a#1');
    await add(['b#1', 'b#2']);
    await add(['c#1'], { priority: 3 });
    const { workOn, begun, end } = openWork();
    let isOpen = false;
    const queue = bed.open({ isPaused: async () => !isOpen });
    void queue.work(workOn, { signal: ending.signal });
    const start = queue.time.now();
    await passUntil(queue, () => queue.time.now() >= start + 16_000);
    isOpen = true;
    queue.beginWaiting();
    await expect.poll(() => begun).toEqual(['a#1']);
    end('a#1');
    await expect.poll(() => begun).toEqual(['a#1', 'c#1']);
    end('c#1');
  });

  it('begins what is left for a time when that has passed, and at once where it is none [NX-158]', async () => {
    await add(['a#1', 'b#1']);
    const [first, other] = [openWork(), openWork()];
    const leaving = new AbortController();
    void bed.open({ concurrency: 2 }).work(first.workOn, { signal: leaving.signal });
    await expect.poll(() => first.begun).toEqual(['a#1', 'b#1']);
    leaving.abort();
    const queue = bed.open({ concurrency: 2 });
    void queue.work(other.workOn, { signal: ending.signal });
    first.end('a#1', { againAfterMs: 0 });
    await expect.poll(() => other.begun).toEqual(['a#1']);
    first.end('b#1', { againAfterMs: 90_000 });
    await expect.poll(() => bed.states()).toEqual({ 'a#1': 'active', 'b#1': 'retry' });
    await bed.age(89);
    expect(await queue.waiting()).toEqual([]);
    await bed.age(2);
    queue.time.pass(3_000);
    await expect.poll(() => other.begun).toEqual(['a#1', 'b#1']);
    for (const key of ['a#1', 'b#1']) other.end(key);
  });

  it('shows that it lives, and has a job begin anew long before the time of one attempt is over [NX-143]', async () => {
    await add(['a#1', 'b#1']);
    const { workOn, begun, end } = openWork();
    const queue = bed.open();
    void queue.work(workOn, { signal: ending.signal });
    await expect.poll(() => begun).toEqual(['a#1']);
    const read = async () => {
      const [job] = await bed.database.query<{ id: string; started: string; beaten: string }>(
        `SELECT id, started_on::text AS started, heartbeat_on::text AS beaten FROM ${bed.schema}.job WHERE state = 'active'`,
      );
      return job;
    };
    await bed.age(5);
    const before = await read();
    await expect
      .poll(async () => {
        queue.time.pass(3_000);
        return (await read())?.beaten;
      })
      .not.toBe(before?.beaten);
    expect((await read())?.started).toBe(before?.started);
    queue.time.pass(12 * 3_600_000);
    await expect
      .poll(async () => {
        queue.time.pass(3_000);
        return (await read())?.id;
      })
      .not.toBe(before?.id);
    expect([(await read())?.started !== before?.started, begun, await bed.states()]).toEqual([
      true,
      ['a#1'],
      { 'a#1': 'active', 'b#1': 'created' },
    ]);
    expect(await queue.add({ key: 'a#1' })).toBe('known');
    end('a#1');
    await expect.poll(() => begun).toEqual(['a#1', 'b#1']);
    end('b#1');
    await expect.poll(() => bed.states()).toEqual({});
  });

  it('refuses tables that a newer release made, and says so', async () => {
    await add(['a#1']);
    await bed.database.query(`UPDATE ${bed.schema}.version SET version = 9999`);
    await expect(bed.open().add({ key: 'a#2' })).rejects.toThrow(
      /version 9999.*a newer release made it\. Update this one\./,
    );
  });
});
