import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RunModel } from '../test/run-model.ts';
import { hashBody, parseRevision } from './changes.ts';

const body = fc.constantFrom('a', 'b', 'c', 'a\nb', '');
const place = fc.nat(9);

type Step = (run: RunModel) => Promise<void> | void;

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: body.map(
      (text): Step =>
        ({ platform }) =>
          platform.add(text),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(place, body).map(
      ([which, text]): Step =>
        ({ platform }) =>
          platform.edit(which, text),
    ),
  },
  {
    weight: 3,
    arbitrary: place.map(
      (which): Step =>
        ({ platform }) =>
          platform.remove(which),
    ),
  },
  {
    weight: 2,
    arbitrary: place.map(
      (which): Step =>
        ({ platform }) =>
          platform.shift(which),
    ),
  },
  { weight: 2, arbitrary: fc.constant<Step>(({ platform }) => platform.lag()) },
  { weight: 3, arbitrary: fc.constant<Step>(({ platform }) => platform.rest()) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 3 }).map(
      (n): Step =>
        ({ platform }) =>
          platform.fail(n),
    ),
  },
  {
    weight: 6,
    arbitrary: fc.boolean().map(
      (barrier): Step =>
        async (run) =>
          void (await run.check({ barrier })),
    ),
  },
  { weight: 2, arbitrary: fc.constant<Step>(async (run) => void (await run.check({ failing: true }))) },
  { weight: 2, arbitrary: fc.constant<Step>((run) => run.save()) },
  {
    weight: 2,
    arbitrary: fc.boolean().map(
      (stateLost): Step =>
        (run) =>
          run.crash({ stateLost }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.boolean().map(
      (synced): Step =>
        (run) =>
          run.crashInDelivery(synced),
    ),
  },
);

/** What the journal says was delivered of each comment: hashes of bodies in order, null for a deletion. */
function deliveriesOf(run: RunModel): Map<string, (string | null)[]> {
  const delivered = new Map<string, (string | null)[]>();
  const afterPrompt = run.journal.receipts.slice(1);
  for (const { id, kind, revision } of afterPrompt.flatMap(({ delivers }) => delivers)) {
    const hash = kind === 'deleted' ? null : parseRevision(revision).hash;
    delivered.set(id, [...(delivered.get(id) ?? []), hash]);
  }
  return delivered;
}

/** Whether the deliveries can be read off the history from left to right, each revision used at most once. */
function isSubsequence(delivered: readonly (string | null)[], history: readonly (string | null)[]): boolean {
  let next = 0;
  for (const revision of history) if (next < delivered.length && revision === delivered[next]) next += 1;
  return next === delivered.length;
}

/** Told of a revision again although nothing came between: it was one delivery too many. */
function isRepeated(delivered: readonly (string | null)[], known: string | null | undefined): boolean {
  return delivered.some((hash, index) => hash === (index === 0 ? known : delivered[index - 1]));
}

describe('delivery, whatever happens', () => {
  it.each([
    ['with its state and its receipts', false],
    ['by its journal alone [NX-87]', true],
  ])(
    'delivers each revision at most once and in order, of what a poll has seen, a deletion once after it was told, and in the end what stands on the thread, %s [NX-1] [NX-2]',
    async (_, observes) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(body, { maxLength: 4 }),
          fc.array(step, { maxLength: 30 }),
          async (start, steps) => {
            const run = new RunModel({ observes });
            for (const text of start) run.platform.add(text);
            await run.begin();
            for (const take of steps) await take(run);
            await run.settle();

            const delivered = deliveriesOf(run);
            for (const [id, bodies] of run.platform.histories) {
              const history = bodies.map((text) => (text === null ? null : hashBody(text)));
              const told = delivered.get(id) ?? [];
              const startsKnown = run.platform.atStart.has(id);
              expect(isSubsequence(told, history), `${id}: ${told} of ${history}`).toBe(true);
              expect(isRepeated(told, startsKnown ? history[0] : undefined), `${id}: ${told}`).toBe(false);
              expect(told[0] === null && !startsKnown, `${id}: only its deletion was told`).toBe(false);
              expect(told.length > 0 && !run.platform.shown.has(id) && !startsKnown, id).toBe(false);
              expect(told.slice(0, -1), `${id}: something was told after its deletion`).not.toContain(null);
              const known = told.length > 0 ? told.at(-1) : startsKnown ? history[0] : undefined;
              const isGone = history.at(-1) === null;
              if (isGone && known === undefined) continue; // it was deleted before it was delivered
              expect(known, `${id}: told ${told}, stands ${history}`).toBe(history.at(-1));
            }
          },
        ),
        { numRuns: process.env.TEST_RELEASE === '1' ? 2500 : 600 },
      );
    },
  );
});
