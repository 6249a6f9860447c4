import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PlatformModel } from '../../test/platform-model.ts';
import { type CommentMailbox, createCommentMailbox, createMemoryJournal } from './index.ts';

/** Two processes at one thread and one journal: either may die between any two of its steps. */
class Clients {
  readonly platform = new PlatformModel();
  readonly #kept = createMemoryJournal();
  readonly acknowledged = new Set<string>();
  /** Changes that were handed out and not acknowledged, with their words. */
  readonly open = new Map<string, string>();
  /** By comment, what the newest acknowledged change said of it; null for a deletion. */
  readonly heard = new Map<string, string | null>();
  readonly #said = new Map<string, { comment: string; body: string | null; place: number }>();
  readonly #newest = new Map<string, number>();
  #monotonic = 0;
  #dying: 'before' | 'after' | null = null;
  #mailboxes: [CommentMailbox, CommentMailbox];

  constructor() {
    this.#mailboxes = [this.#start(), this.#start()];
  }

  async begin(): Promise<void> {
    for (const { id } of this.platform.living) this.platform.atStart.add(id);
    await this.#mailboxes[0].open();
  }

  restart(which: 0 | 1): void {
    this.#mailboxes[which] = this.#start();
  }

  /** Dies in the middle of the next line that is written: it is kept, or it is not. */
  dieInNextLine(moment: 'before' | 'after'): void {
    this.#dying = moment;
  }

  async take(which: 0 | 1, barrier: boolean): Promise<number> {
    this.#monotonic += 2_000;
    const taken = await this.#mailboxes[which].take({ barrier }).catch(() => null);
    if (taken === null) {
      this.restart(which);
      return -1;
    }
    for (const { id, change } of taken.items) {
      expect(this.acknowledged.has(id), `${id} was acknowledged`).toBe(false);
      const body = change.kind === 'deleted' ? null : change.comment.body;
      if (this.heard.has(change.comment.id)) expect(this.heard.get(change.comment.id)).not.toBe(body);
      if (!this.open.has(id)) {
        this.#said.set(id, { comment: change.comment.id, body, place: this.#said.size });
        this.open.set(id, `${change.comment.id} ${body}`);
      }
      expect(this.open.get(id)).toBe(`${change.comment.id} ${body}`);
    }
    return taken.status === 'checked' ? taken.items.length : -1;
  }

  async acknowledge(which: 0 | 1, chosen: number): Promise<void> {
    const ids = [...this.open.keys()].filter((_, place) => place % 3 === chosen % 3);
    if (ids.length === 0) return;
    const answer = await this.#mailboxes[which].acknowledge(ids).catch(() => null);
    // Whoever got no answer asks again.
    if (answer === null) this.restart(which);
    const { acknowledged, unknown } = answer ?? (await this.#mailboxes[which].acknowledge(ids));
    expect([acknowledged, unknown]).toEqual([ids, []]);
    for (const id of ids) this.#settle(id);
  }

  async acknowledgeAll(): Promise<void> {
    for (let chosen = 0; chosen < 3; chosen += 1) await this.acknowledge(0, chosen);
  }

  #settle(id: string): void {
    const said = this.#said.get(id);
    this.acknowledged.add(id);
    this.open.delete(id);
    if (said === undefined || said.place < (this.#newest.get(said.comment) ?? -1)) return;
    this.#newest.set(said.comment, said.place);
    this.heard.set(said.comment, said.body);
  }

  #start(): CommentMailbox {
    return createCommentMailbox(this.platform.provingSource, {
      journal: {
        readAfter: this.#kept.readAfter,
        append: async (line) => {
          const moment = this.#dying;
          this.#dying = null;
          if (moment !== 'before') await this.#kept.append(line);
          if (moment !== null) throw new Error('killed');
        },
      },
      botUsername: 'agent',
      authorityOf: () => 'trusted',
      cleanText: (text) => text,
      logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      now: () => new Date(this.platform.clock - 1_000),
      monotonicNow: () => this.#monotonic,
      sleep: async (milliseconds) => {
        this.#monotonic += milliseconds;
      },
      timeoutSignal: () => new AbortController().signal,
    });
  }
}

const which = fc.constantFrom<0 | 1>(0, 1);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('add' as const), body: fc.string() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('edit' as const), at: fc.nat(9), body: fc.string() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), at: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rest' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lag' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('shift' as const), at: fc.nat(9) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('take' as const), which, barrier: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('acknowledge' as const), which, chosen: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('restart' as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('die' as const), moment: fc.constantFrom('before', 'after') }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function play(clients: Clients, one: Step): Promise<void> {
  const { platform } = clients;
  switch (one.do) {
    case 'add':
      return platform.add(one.body);
    case 'edit':
      return platform.edit(one.at, one.body);
    case 'remove':
      return platform.remove(one.at);
    case 'rest':
      return platform.rest();
    case 'fail':
      return platform.fail(1);
    case 'lag':
      return platform.lag();
    case 'shift':
      return platform.shift(one.at);
    case 'take':
      return void (await clients.take(one.which, one.barrier));
    case 'acknowledge':
      return clients.acknowledge(one.which, one.chosen);
    case 'restart':
      return clients.restart(one.which);
    case 'die':
      return clients.dieInNextLine(one.moment as 'before' | 'after');
  }
}

async function settle(clients: Clients): Promise<void> {
  clients.platform.calm();
  clients.restart(0);
  for (let round = 0; round < 12; round += 1) {
    if ((await clients.take(0, true)) === 0) return;
    await clients.acknowledgeAll();
  }
  throw new Error('there is always something new');
}

it('hands out until it is acknowledged and never again, whoever dies when [NX-265]', async () => {
  const history = fc.record({
    before: fc.array(fc.string(), { maxLength: 3 }),
    steps: fc.array(step, { maxLength: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(history, async ({ before, steps }) => {
      const clients = new Clients();
      for (const body of before) clients.platform.add(body);
      clients.platform.rest();
      await clients.begin();
      clients.platform.rest();
      for (const one of steps) await play(clients, one);
      await settle(clients);
      const { platform, heard } = clients;
      for (const { id, body } of platform.living) {
        const known = platform.atStart.has(id) ? platform.histories.get(id)?.[0] : undefined;
        expect(heard.get(id) ?? known, id).toBe(body);
      }
      for (const id of heard.keys())
        if (!platform.living.some((one) => one.id === id)) expect(heard.get(id), id).toBe(null);
    }),
    { numRuns: process.env.TEST_RELEASE === '1' ? 5_000 : 500 },
  );
});
