import { setTimeout as delay } from 'node:timers/promises';
import { findDisagreements, findRemaining, listCauses, type View } from './compare-views.ts';
import type { DrillBed } from './drill-bed.ts';
import type { DrillStep } from './steps.ts';

/** What became of a step. */
export interface PlayedStep {
  readonly name: string;
  readonly cause: string;
  /** Number of views that were asked. */
  readonly views: number;
  /** Milliseconds from the harm until all views agreed; null if they never did. */
  readonly agreedMs: number | null;
  /** Milliseconds from the repair until no view named a problem; null if one still did. */
  readonly clearMs: number | null;
  /** Differences that remained. */
  readonly wrong: readonly string[];
}

const longestMs = { agree: 180_000, clear: 240_000 };
const pauseMs = 1_000;

/** Does the harm, waits until all views name it, repairs it, and waits until no view names a problem. */
export async function playStep(bed: DrillBed, step: DrillStep): Promise<PlayedStep> {
  const { name, cause, names } = step;
  await bed.openTasks(step.tasks);
  // What an earlier step left was reported there.
  const known = new Set(listCauses(await bed.readViews([])));
  const harmedAt = Date.now();
  const { repair, left = [] } = await step.harm(bed);
  let views: readonly View[] = [];
  const agreed = await repeatUntilNone(longestMs.agree, async () => {
    const read = await bed.readViews(left);
    views = step.passes === true ? keepNaming(views, { read, cause }) : read;
    return findDisagreements(views, { cause, harmedAt, names });
  });
  await repair();
  const clear = await repeatUntilNone(longestMs.clear, async () => {
    const read = await bed.readViews([]);
    return [...findRemaining(read, known), ...findMissing(bed, read)];
  });
  return {
    ...{ name, cause, views: views.length, agreedMs: agreed.ms, clearMs: clear.ms },
    wrong: [...agreed.left, ...clear.left.map((text) => `after the repair: ${text}`)],
  };
}

/** The new answers; for a view that no longer names the cause, its earlier answer that did. */
function keepNaming(
  before: readonly View[],
  { read, cause }: { readonly read: readonly View[]; readonly cause: string },
): readonly View[] {
  const namesIt = ({ problems }: View) => problems?.some((one) => one.cause === cause) === true;
  const find = (name: string) => before.find((view) => view.name === name && namesIt(view));
  return read.map((view) => (namesIt(view) ? view : (find(view.name) ?? view)));
}

/** Lists processes that no view was read of. */
function findMissing({ cluster }: DrillBed, views: readonly View[]): readonly string[] {
  return cluster.processes
    .filter(({ name }) => !views.some((view) => view.name.startsWith(`${name} `)))
    .map(({ name }) => `${name} does not run`);
}

/** Repeats a comparison until nothing differs, or the time is up. */
async function repeatUntilNone(
  longest: number,
  compare: () => Promise<readonly string[]>,
): Promise<{ readonly ms: number | null; readonly left: readonly string[] }> {
  const begun = performance.now();
  for (;;) {
    const left = await compare();
    const ms = performance.now() - begun;
    if (left.length === 0) return { ms, left };
    if (ms >= longest) return { ms: null, left };
    await delay(pauseMs);
  }
}
