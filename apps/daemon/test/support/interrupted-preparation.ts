import { expect } from 'vitest';
import { describeState, type PreparationMoment } from './preparation-moments.ts';
import type { Sight } from './preparation-sights.ts';
import type { KeptState } from './preparation-state.ts';
import { type HeldLife, type PreparationStory, searched } from './preparation-story.ts';

type Results = KeptState['collection_results'];

/** What there was when a run was interrupted. */
interface Interruption {
  /** Said while nobody carried the run. Null once its conversation had begun: from then on nobody listens here. */
  readonly word: string | null;
  /** How much had been seen. */
  readonly seen: number;
  readonly results: Results;
}

/**
 * Interrupts a run at each of the moments, one process each, says something every time, and lets it end; what holds
 * wherever it was interrupted is checked here.
 *
 * @returns what was seen, without the searches
 */
export async function interruptPreparation(
  story: PreparationStory,
  how: keyof HeldLife,
  moments: readonly PreparationMoment[],
): Promise<readonly string[]> {
  const interruptions: Interruption[] = [];
  for (const moment of moments) {
    const life = await story.liveUntil(moment.held);
    // What is not held goes on meanwhile.
    const look = async (): Promise<string> => describeState(await story.readState());
    await expect.poll(look, { interval: 20 }).toBe(moment.atHold);
    await life[how]();
    if (how === 'pause') expect([await look()]).toEqual([expect.stringMatching(moment.atPause)]);
    else expect(await look()).toBe(moment.atHold);
    const { current_subphase: subphase, collection_results: results } = await story.readState();
    const word = subphase === 'complete' ? null : `WORD-${interruptions.length}`;
    if (word !== null) story.world.forge.comment('#1', { author: 'alice', body: `Mind ${word}.` });
    interruptions.push({ word, seen: story.sights.seen.length, results });
  }
  await story.liveOn();
  await checkEnd(story, interruptions);
  const names = story.sights.seen.map(({ name }) => name);
  return names.filter(
    (name) =>
      !name.startsWith('search ') && !/^notice (?:The task is paused|Resuming the paused task)/.test(name),
  );
}

async function checkEnd(story: PreparationStory, interruptions: readonly Interruption[]): Promise<void> {
  const { world, sights, readState } = story;
  expect(world.forge.thread('#1').labels).toEqual(['coding agent done']);
  const { collection_results: results, information_gaps: gaps } = await readState();
  expect(gaps.map(({ info_id: id }) => id)).toEqual(['login']);
  expect(results.map(({ tool_calls_used: calls }) => calls)).toEqual(Array(13).fill(1));
  const lastStep = sights.seen.findLast(({ name }) => name === 'step')?.text ?? '';
  expect(lastStep.includes('Task understood'), "what it wrote itself takes nobody else's place").toBe(false);
  for (const { word, seen, results: before } of interruptions) {
    expectNothingAgain(sights.seen.slice(seen), { before, end: results });
    if (word === null) continue;
    const next = sights.seen.slice(seen).find(({ text }) => text !== '');
    expect(next?.text.includes(word), `${word} is heard before anything else is asked`).toBe(true);
    expect(lastStep.split(word).length - 1, `how often ${word} is told`).toBe(1);
  }
}

/** What was looked for before an interruption stays as it was found; what was not is looked for after it. */
function expectNothingAgain(
  seen: readonly Sight[],
  { before, end }: { readonly before: Results; readonly end: Results },
): void {
  const known = new Map(before.map((one) => [one.info_id, one.timestamp]));
  const kept = end.filter(({ info_id: id }) => known.has(id));
  expect(new Map(kept.map((one) => [one.info_id, one.timestamp]))).toEqual(known);
  const searches = seen.flatMap(({ name }) => (name.startsWith('search ') ? [name.slice(7)] : []));
  expect(new Set(searches)).toEqual(new Set(searched.filter((query) => !known.has(query))));
}
