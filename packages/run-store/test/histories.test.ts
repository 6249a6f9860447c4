import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MessageLike, OpenRun } from '../src/index.ts';
import { readWords, toStates } from '../src/testing/contract/contract.ts';
import type { RecordDamageFixture, RunStoreFixture, StoreProcess } from '../src/testing/index.ts';
import { newRun, says } from '../src/testing/store-setup.ts';
import { createFileStoreFixture } from './file-store-fixture.ts';
import { createMemoryStoreFixture } from './memory-store-fixture.ts';

const uuid = '0b39c9a4-4f5e-4d2b-8a3f-3f1d9c5b7e21';

/** What was acknowledged, in its order. */
type Line = { readonly text: string } | { readonly opened: string } | { readonly settled: string };

type World = RunStoreFixture & Partial<Pick<RecordDamageFixture, 'damage'>>;

/** One history of a run, with all processes that ever had it open. */
class History {
  readonly #world: World;
  readonly #zombies: OpenRun<MessageLike>[] = [];
  #process: StoreProcess;
  #run: OpenRun<MessageLike>;
  #lines: Line[] = [];
  #count = 0;

  private constructor(world: World, process: StoreProcess, run: OpenRun<MessageLike>) {
    this.#world = world;
    this.#process = process;
    this.#run = run;
  }

  static async begin(world: World): Promise<History> {
    const process = await world.start();
    return new History(world, process, await process.store.open(newRun(uuid)));
  }

  async append(): Promise<void> {
    const text = `line ${++this.#count}`;
    await this.#write(text);
    this.#lines.push({ text });
  }

  async intend(): Promise<void> {
    const opened = `intent ${++this.#count}`;
    await this.#run.outbox.open({ id: opened, kind: 'comment', data: null });
    this.#lines.push({ opened });
  }

  async settle(at: number): Promise<void> {
    const open = (await this.#run.outbox.list()).filter(({ state }) => state === 'open');
    const settled = pick(open, at)?.id;
    if (settled === undefined) return;
    await this.#run.outbox.settle(settled, { state: 'done', made: null });
    this.#lines.push({ settled });
  }

  /** A write fails, and with it the process. Whether it was carried out is seen then, and stays so. */
  async fail(at: number): Promise<void> {
    const text = `line ${++this.#count}`;
    this.#process.failNext(at % 2 === 0 ? 'before' : 'after');
    await expect(this.#write(text)).rejects.toMatchObject({ code: 'storage-failed' });
    await this.#process.kill();
    await this.#start();
    if (JSON.stringify(await readWords(this.#run)).includes(`"${text}"`)) this.#lines.push({ text });
    await this.check();
  }

  async crash(): Promise<void> {
    await this.#process.kill();
    await this.takeOver();
  }

  /** Another process takes the place from one that sleeps. */
  async takeOver(): Promise<void> {
    await this.#start();
    await this.check();
  }

  /** One that was replaced wakes, and goes on with what it was doing. */
  async wake(at: number): Promise<void> {
    const zombie = pick(this.#zombies, at);
    if (zombie === undefined) return;
    const late = [
      () => zombie.journal.append(says('user', 'too late')),
      () => zombie.outbox.open({ id: 'too late', kind: 'comment', data: null }),
      () => zombie.leave(),
    ];
    for (const write of late) await expect(write()).rejects.toMatchObject({ code: 'owned' });
  }

  /** A letter of a line changes, while nobody is there: what stands behind it is lost, and told. */
  async harm(at: number): Promise<void> {
    const { damage } = this.#world;
    const harmed = pick(
      this.#lines.filter((line) => 'text' in line),
      at,
    );
    if (damage === undefined || harmed === undefined) return;
    await this.#process.kill();
    await damage(uuid, harmed.text);
    this.#lines = this.#lines.slice(0, this.#lines.indexOf(harmed));
    await this.takeOver();
    expect(this.#run.damage).not.toBeNull();
  }

  async check(): Promise<void> {
    const texts = this.#lines.flatMap((line) => ('text' in line ? [line.text] : []));
    expect(await readWords(this.#run)).toEqual(texts.map((text) => (isFact(text) ? { text } : text)));
    const settled = new Set(this.#lines.flatMap((line) => ('settled' in line ? [line.settled] : [])));
    const states = this.#lines.flatMap((line) =>
      'opened' in line ? [`${line.opened}: ${settled.has(line.opened) ? 'done' : 'open'}`] : [],
    );
    expect(toStates(await this.#run.outbox.list())).toEqual(states);
  }

  #write(text: string): Promise<number> {
    const { journal } = this.#run;
    return isFact(text)
      ? journal.append({ type: 'fact', name: 'observed', data: { text } })
      : journal.append(says('user', text));
  }

  async #start(): Promise<void> {
    this.#zombies.push(this.#run);
    this.#process = await this.#world.start();
    this.#run = await this.#process.store.open(newRun(uuid));
  }
}

const isFact = (text: string): boolean => Number(text.slice('line '.length)) % 3 === 0;

function pick<Item>(items: readonly Item[], at: number): Item | undefined {
  return items[at % Math.max(1, items.length)];
}

type Act = Exclude<keyof History, 'check'>;

const acts: readonly (readonly [act: Act, weight: number])[] = [
  ['append', 6],
  ['intend', 1],
  ['settle', 1],
  ['fail', 1],
  ['crash', 1],
  ['takeOver', 1],
  ['wake', 2],
  ['harm', 1],
];

const step = fc.oneof(
  ...acts.map(([act, weight]) => ({
    weight,
    arbitrary: fc.record({ act: fc.constant(act), at: fc.nat({ max: 20 }) }),
  })),
);

/** `HISTORIES=5000` tries so many; by default `npm run test:full` tries 100. */
const numRuns = Number(process.env.HISTORIES ?? (process.env.TEST_FULL === '1' ? 100 : 30));

type Create = (clock: { now: () => number }) => Promise<World & { readonly close: () => Promise<void> }>;
const stores: readonly (readonly [name: string, create: Create])[] = [
  ['files, with its real owners', createFileStoreFixture],
  ['memory', createMemoryStoreFixture],
];

describe('a store in', () => {
  it.each(stores)(
    '%s has what was acknowledged, in order and once, after any history of failures, crashes, takeovers, late writers and damage [NX-82]',
    {
      timeout: 3_600_000,
    },
    async (_, create) => {
      let time = 0;
      const now = () => ++time;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          const world = await create({ now });
          try {
            const history = await History.begin(world);
            for (const { act, at } of steps) await history[act](at);
            await history.check();
          } finally {
            await world.close();
          }
        }),
        { numRuns },
      );
    },
  );
});
