import { createMemoryPlace, createMemoryRunStore } from '@agent/run-store/testing';
import type { ModelMessage } from 'ai';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { answer, type Ears, hear, open, setUp, uuid } from '../../test/inbox-bed.ts';
import { createCommandRecord, type RecordedCommand } from '../inbox/handled-commands.ts';
import { readHearing } from './detection-record.ts';

/** What people wrote in one comment, the last text last; null once it was deleted. */
interface Said {
  readonly id: string;
  readonly author: string;
  readonly texts: (string | null)[];
  readonly isOld: boolean;
}

/** One run, whose process dies again and again, and all that was said on its thread meanwhile. */
class Trial {
  readonly said: Said[] = [];
  #bed!: Awaited<ReturnType<typeof setUp>>;
  #ears!: Ears;
  #isDown = false;

  async begin(texts: readonly string[]): Promise<void> {
    const store = createMemoryRunStore<ModelMessage>({ place: createMemoryPlace(), now: () => 0 });
    this.#bed = await setUp(
      {},
      {
        openRecord: store.open,
        isTrusted: async (account) => {
          if (this.#isDown) throw new Error('503');
          return account?.login === 'alice';
        },
      },
    );
    for (const text of texts) this.say('alice', text, true);
    this.#ears = this.#bed.openRunInbox();
    await open(this.#ears, await this.#bed.snapshot());
  }

  say(author: string, text: string, isOld = false): void {
    this.said.push({ id: this.#bed.say(author, text), author, texts: [text], isOld });
  }

  change(index: number, text: string | null): void {
    const standing = this.said.filter(({ texts }) => texts.at(-1) !== null);
    const comment = standing[index % Math.max(1, standing.length)];
    if (comment === undefined || comment.texts.at(-1) === text) return;
    const { platform, key, clock } = this.#bed;
    clock.ms += 1_000;
    if (text === null) platform.people.deleteComment(key, comment.id);
    else platform.people.editComment(key, comment.id, text);
    comment.texts.push(text);
  }

  /** Asks who may steer in vain from now on, or no longer so. */
  async setDown(isDown: boolean): Promise<void> {
    this.#isDown = isDown;
  }

  /** `barrier`: as before an end, where an outage of permissions would be told as such. */
  async hear(barrier: boolean): Promise<string | null> {
    this.#bed.clock.ms += 5_000;
    return hear(this.#ears, barrier && !this.#isDown);
  }

  answer(): Promise<void> {
    return answer(this.#ears);
  }

  /** The process dies; `at`: before it looks at the thread, before or after the line that tells the model. */
  async die(at: 'rest' | 'before-line' | 'after-line'): Promise<void> {
    if (at !== 'rest') {
      this.#bed.clock.ms += 5_000;
      const { delivery } = await this.#ears.inbox.takeDelivery({ barrier: false });
      if (delivery !== null && at === 'after-line') {
        const message = { role: 'user', content: delivery.text } as const;
        const { delivers } = delivery.receipt;
        await this.#bed.journal.append({ type: 'message', message, usage: null, delivers });
      }
    }
    this.#ears = this.#bed.openRunInbox();
  }

  readonly listCommands = (): Promise<readonly RecordedCommand[]> =>
    createCommandRecord(this.#bed.state).list();
  readonly listAsked = () => this.#bed.controls.read(uuid);
  readonly readHearing = () => readHearing(this.#bed.journal.read());
  readonly summarize = () => this.#ears.summarize();
}

const text = fc.constantFrom('a', 'b', '/pause', '/stop', 'c\n/pause', '');
const author = fc.constantFrom('alice', 'alice', 'bob');
type Step = (trial: Trial) => unknown;
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(author, text).map(
      ([by, body]): Step =>
        (trial) =>
          trial.say(by, body),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(fc.nat(9), text).map(
      ([at, body]): Step =>
        (trial) =>
          trial.change(at, body),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.nat(9).map(
      (at): Step =>
        (trial) =>
          trial.change(at, null),
    ),
  },
  {
    weight: 6,
    arbitrary: fc.boolean().map(
      (barrier): Step =>
        (trial) =>
          trial.hear(barrier),
    ),
  },
  { weight: 3, arbitrary: fc.constant<Step>((trial) => trial.answer()) },
  {
    weight: 2,
    arbitrary: fc.boolean().map(
      (isDown): Step =>
        (trial) =>
          trial.setDown(isDown),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom('rest', 'before-line', 'after-line').map(
      (at): Step =>
        (trial) =>
          trial.die(at),
    ),
  },
);

/** Tells in the end what stands on the thread: by a new process, until nothing is left. */
async function settle(trial: Trial): Promise<void> {
  await trial.setDown(false);
  await trial.die('rest');
  while ((await trial.hear(false)) !== null);
  await trial.answer();
}

/** Kinds of what was told of a comment after the prompt, in their order. */
async function listTold(trial: Trial): Promise<ReadonlyMap<string, readonly string[]>> {
  const told = new Map<string, string[]>();
  for (const event of await trial.readHearing()) {
    if (!('delivers' in event) || event.opening) continue;
    for (const { id, kind, revision } of event.delivers)
      told.set(id, [...(told.get(id) ?? []), `${kind} ${revision}`]);
  }
  return told;
}

it('the record alone says what was heard, told and obeyed: each revision told once, each command obeyed once, over any kills and outages [NX-2, NX-87, NX-88, NX-89]', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('old', 'older'), { maxLength: 2 }),
      fc.array(step, { maxLength: 25 }),
      async (start, steps) => {
        const trial = new Trial();
        await trial.begin(start);
        for (const take of steps) await take(trial);
        await settle(trial);

        const told = await listTold(trial);
        const commands = await trial.listCommands();
        for (const { id, author: by, texts, isOld } of trial.said) {
          const named = `${id} by ${by}: ${JSON.stringify(texts)}, told ${told.get(id)?.join()}`;
          const revisions = told.get(id) ?? [];
          expect(new Set(revisions).size, named).toBe(revisions.length);
          const isGone = texts.at(-1) === null;
          if (!isGone && !isOld) expect(revisions.length, named).toBeGreaterThan(0);
          if (isGone && revisions.length > 0) expect(revisions.at(-1), named).toMatch(/^deleted/);
          const given = commands.filter(({ comment }) => comment === id);
          for (const command of ['pause', 'stop'] as const) {
            const outcomes = given.filter((one) => one.command === command).map(({ outcome }) => outcome);
            if (by === 'bob') expect(outcomes, named).not.toContain('obeyed');
            else expect(outcomes.length, named).toBeLessThan(2);
            const stands = texts.at(-1)?.split('\n').includes(`/${command}`) === true;
            if (stands) expect(outcomes, named).toContain(by === 'bob' ? 'refused' : 'obeyed');
          }
        }
        expect(commands.every(({ done }) => done)).toBe(true);
        const obeyed = commands.filter(({ outcome }) => outcome === 'obeyed').map(({ command }) => command);
        expect(new Set(await trial.listAsked())).toEqual(new Set(obeyed));
        // Whoever comes next reads the same, and has nothing left to tell.
        const heard = await trial.readHearing();
        await trial.die('rest');
        expect(await trial.hear(true)).toBeNull();
        expect(await trial.readHearing()).toEqual(heard);
      },
    ),
    { numRuns: process.env.TEST_RELEASE === '1' ? 1_000 : 100 },
  );
});
