import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemorySharedAnswers, type SharedAnswers } from '../src/sources/index.ts';
import { contractWorld } from '../src/testing/index.ts';
import { interposeFetch } from './fixtures/interposed-fetch.ts';
import { startSharingProcesses } from './fixtures/sharing-processes.ts';

const { repository } = contractWorld;

describe('processes with one token that share their answers', () => {
  it('pay once for what several of them read of a thread, and for each change of it [NX-168]', async () => {
    const { start, say } = await startSharingProcesses({ answers: createMemorySharedAnswers() });
    const [one, two] = [start(), start()];
    say('first');
    const { cursor } = await one.list(null);
    await one.list(cursor);
    expect(one.statuses()).toEqual([200, 200]);
    expect(await two.bodies(null)).toEqual(['first']);
    expect(await two.bodies(cursor)).toEqual(['first']);
    expect(two.statuses()).toEqual([304, 304]);
    for (const text of ['second', 'third', 'fourth']) {
      say(text);
      expect((await one.bodies(cursor)).at(-1)).toBe(text);
      expect((await two.bodies(cursor)).at(-1)).toBe(text);
      expect(await two.list(cursor)).toMatchObject({ unchanged: true });
      expect(await one.list(cursor)).toMatchObject({ unchanged: true });
      expect([one.statuses(), two.statuses()]).toEqual([
        [200, 304],
        [304, 304],
      ]);
    }
  });

  it('poll the same address of a repository, whenever they began [NX-168]', async () => {
    const { world, start, say } = await startSharingProcesses({ answers: createMemorySharedAnswers() });
    const early = start();
    await early.changes.listChanges();
    for (const minutes of [50, 20, 7]) {
      say('while the other one is not there');
      await early.changes.listChanges();
      await world.people.passTime(minutes * 60);
    }
    const late = start();
    for (const process of [late, early, late]) await process.changes.listChanges();
    early.statuses();
    late.statuses();
    for (const seconds of [10, 1_000, 3_000]) {
      await world.people.passTime(seconds);
      say('while both are');
      for (const process of [early, late]) {
        const { changes } = await process.changes.listChanges();
        expect(changes.at(-1)?.comment?.body).toBe('while both are');
      }
      // The hour may be another one, so that there is a new address to read from.
      for (const process of [late, early]) await process.changes.listChanges();
      const paid = [early, late].flatMap((process) => process.statuses()).filter((status) => status === 200);
      expect(paid.length).toBeLessThanOrEqual(2);
    }
  });

  it('are given an answer only where the platform says in that request that it holds [NX-169]', async () => {
    const { world, start, say } = await startSharingProcesses({ answers: createMemorySharedAnswers() });
    const [one, two, three] = [start(), start(), start()];
    const id = say('first');
    await one.list(null);
    world.simulator.editComment(repository, id, 'first, edited');
    expect(await two.bodies(null)).toEqual(['first, edited']);
    expect(two.statuses()).toEqual([200]);
    world.simulator.fail({ path: /comments/, kind: 'server-error' });
    await expect(three.list(null)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await three.bodies(null)).toEqual(['first, edited']);
    expect(three.statuses()).toEqual([500, 304]);
  });

  it('miss no page that was added behind those which did not change [NX-169]', async () => {
    const { start, sayTimes } = await startSharingProcesses({ answers: createMemorySharedAnswers() });
    const hand = interposeFetch();
    // GitHub does not always repeat the links in a "not modified".
    hand.change(/comments/u, (response) => {
      if (response.status !== 304) return response;
      const headers = new Headers(response.headers);
      headers.delete('link');
      return new Response(null, { status: 304, headers });
    });
    const sizes = [200, 250, 350, 430];
    for (const size of sizes) {
      sayTimes(size - (sizes[sizes.indexOf(size) - 1] ?? 0));
      for (const process of [start({ fetch: hand.fetch }), start({ fetch: hand.fetch }), start()])
        expect((await process.list(null)).comments).toHaveLength(size);
    }
  });

  it('hear everything, whatever the place of the answers loses, mixes up or brings back [NX-169]', {
    tags: ['full'],
  }, async () => {
    const kept: { readonly key: string; readonly answer: Parameters<SharedAnswers['keep']>[1] }[] = [];
    const fate = { number: 0 };
    const answers: SharedAnswers = {
      read: async (key) => {
        const all = kept.filter((one) => one.key === key).map(({ answer }) => answer);
        const found = all.at(-1 - (fate.number % 3));
        if (fate.number % 5 === 4) throw new Error('the place is away');
        if (fate.number % 7 === 6) return kept[0]?.answer ?? null;
        // A content under the ETag of another one.
        const [newest, oldest] = [all.at(-1), all[0]];
        if (fate.number % 3 === 2 && newest && oldest) return { tag: newest.tag, content: oldest.content };
        return found ?? null;
      },
      keep: async (key, answer) => {
        if (fate.number % 4 === 3) throw new Error('the place is full');
        kept.push({ key, answer });
      },
    };
    const { world, start, say, sayTimes } = await startSharingProcesses({ answers });
    const standing = new Map(sayTimes(98).map((id) => [id, true]));
    const act = {
      say: () => void standing.set(say('more'), true),
      delete: () => {
        const id = [...standing.keys()].at(-1) ?? 0;
        if (standing.delete(id)) world.simulator.deleteComment(repository, id);
      },
      edit: () => world.simulator.editComment(repository, [...standing.keys()][0] ?? 0, `${fate.number}`),
    };
    const processes = [start(), start(), start()].map((process) => ({ process, last: [] as string[] }));
    const step = fc.record({
      act: fc.constantFrom<keyof typeof act | 'nothing'>('say', 'say', 'delete', 'edit', 'nothing'),
      who: fc.nat({ max: 2 }),
      number: fc.nat({ max: 1_000 }),
    });
    const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
      for (const { act: what, who, number } of steps) {
        fate.number = number;
        if (what !== 'nothing') act[what]();
        const one = processes[who];
        if (one === undefined) continue;
        const listing = await one.process.list(null);
        if (!listing.unchanged) one.last = listing.comments.map(({ id, body }) => `${id} ${body}`);
        const now = world.simulator.thread(repository, 1).comments.map(({ id, body }) => `${id} ${body}`);
        expect(one.last).toEqual(now);
      }
    });
    await fc.assert(property, { numRuns: 10 });
  });

  it('ask for themselves while the place of the answers is away, each with its own ETag [NX-169]', async () => {
    let questions = 0;
    let release = () => {};
    const memory = createMemorySharedAnswers();
    const isThere = new Promise<void>((resolve) => {
      release = resolve;
    });
    const answers: SharedAnswers = {
      ...memory,
      read: async (key, options) => {
        questions += 1;
        await isThere;
        return memory.read(key, options);
      },
    };
    const warnings: string[] = [];
    const logger = {
      debug() {},
      info() {},
      error() {},
      warn: (_: object, text: string) => void warnings.push(text),
    };
    const { start, say } = await startSharingProcesses({ answers });
    const process = start({ logger, sleep: async (milliseconds) => expect(milliseconds).toBe(500) });
    say('first');
    for (let polls = 0; polls < 3; polls += 1) await process.list(null);
    expect(process.statuses()).toEqual([200, 304, 304]);
    expect([questions, warnings.length]).toEqual([1, 1]);
    release();
    await new Promise((resolve) => setImmediate(resolve));
    await process.list(null);
    expect([questions, warnings.length]).toEqual([2, 1]);
  });

  it('do not pay at each poll because a newer answer could not be kept [NX-168]', async () => {
    const memory = createMemorySharedAnswers();
    const place = { isFull: false };
    const answers: SharedAnswers = {
      ...memory,
      keep: async (key, answer) => {
        if (place.isFull) throw new Error('the place is full');
        await memory.keep(key, answer);
      },
    };
    const { start, say } = await startSharingProcesses({ answers });
    const process = start();
    say('first');
    await process.list(null);
    place.isFull = true;
    say('second');
    for (let polls = 0; polls < 4; polls += 1) await process.list(null);
    expect(process.statuses()).toEqual([200, 200, 304, 304, 304]);
  });
});

describe('answers that are shared', () => {
  it('can be read with their credential alone, and neither they nor their keys show what they are of [NX-170]', async () => {
    const memory = createMemorySharedAnswers();
    const kept: Buffer[] = [];
    let found = 0;
    const answers: SharedAnswers = {
      read: async (key, options) => {
        kept.push(Buffer.from(key));
        const answer = await memory.read(key, options);
        if (answer !== null) found += 1;
        return answer;
      },
      keep: async (key, answer) => {
        kept.push(Buffer.from(answer.content), Buffer.from(answer.tag));
        await memory.keep(key, answer);
      },
    };
    const { start, say } = await startSharingProcesses({ answers });
    say('nobody else may read this');
    const [one, other] = [start(), start({ token: 'token-of-alice' })];
    await one.list(null);
    await other.list(null);
    expect([one.statuses(), other.statuses(), found]).toEqual([[200], [200], 0]);
    const all = Buffer.concat(kept).toString('latin1');
    // The last one is how gzip begins: two bytes of it alone are in sealed ones now and then.
    for (const word of ['nobody', 'alice', 'hello', 'comments', 'token', '\x1f\x8b\x08\x00'])
      expect(all).not.toContain(word);
  });

  it('are left out where they are too large [NX-170]', async () => {
    const memory = createMemorySharedAnswers();
    const sizes: number[] = [];
    const answers: SharedAnswers = {
      ...memory,
      keep: async (key, answer) => {
        sizes.push(answer.content.length);
        await memory.keep(key, answer);
      },
    };
    const { start, say } = await startSharingProcesses({ answers });
    const noise = () => Buffer.from(crypto.getRandomValues(new Uint8Array(45_000))).toString('base64');
    for (let said = 0; said < 8; said += 1) say(noise());
    await start().list(null);
    expect(sizes).toEqual([expect.any(Number)]);
    expect(sizes[0]).toBeLessThan(524_288);
    for (let said = 0; said < 8; said += 1) say(noise());
    const [one, two] = [start(), start()];
    expect([(await one.bodies(null)).length, (await two.bodies(null)).length]).toEqual([16, 16]);
    expect([one.statuses(), two.statuses(), sizes.length]).toEqual([[200], [200], 1]);
  });
});
