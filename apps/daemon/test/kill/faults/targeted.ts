import type { TrialVerdict } from '@agent/simulators/trials';
import type { ForgeName } from '../../support/forge.ts';
import { collectEvidence, type Evidence } from './evidence.ts';
import type { Meant } from './fault.ts';
import type { Place } from './lay-out.ts';
import { whyNotApart } from './namespaces.ts';
import type { PromiseName } from './promise.ts';
import { findBrokenPromises } from './promises.ts';
import { readTrace } from './random-trial.ts';
import { type BedOptions, openBed, type TrialBed } from './trial-bed.ts';

/** A course of events that once broke a promise, or might. */
export interface Targeted {
  readonly name: string;
  /** Default: both. */
  readonly forges?: readonly ForgeName[];
  readonly bed?: Partial<Omit<BedOptions, 'forge'>>;
  /** What happens until the daemon is left in peace. */
  readonly play: (bed: TrialBed) => Promise<unknown>;
  /** What must hold beside the promises. Texts say what does not. */
  readonly expect?: (evidence: Evidence, bed: TrialBed) => readonly string[] | Promise<readonly string[]>;
  /** What cannot hold after such harm: what a record has lost, a model does not know. Default nothing. */
  readonly except?: readonly PromiseName[];
  /** Whether a daemon works in a container of its own. Default false. */
  readonly apart?: boolean;
  /** Default: the first alone. */
  readonly places?: readonly Place[];
}

/** Plays it, looks whether the promises hold, leaves the daemon in peace, and looks again. */
export async function runTargeted(
  {
    name,
    bed: options = {},
    play,
    expect = () => [],
    places = ['first'],
    apart = false,
    except = [],
  }: Targeted,
  forge: ForgeName,
): Promise<TrialVerdict> {
  const missing = apart ? await whyNotApart() : null;
  const told = `${name} on ${forge}`;
  if (missing !== null) return { told, missing, findings: [] };
  const bed = await openBed({ ...options, forge });
  try {
    const stuck = await play(bed).then(
      () => [],
      (error: Error) => [`it was not played to its end: ${error.message}`],
    );
    // What the daemon printed says why.
    if (stuck.length > 0) return { told, findings: stuck, trace: readTrace(bed, null) };
    const meanwhile = await look(bed, { places, except });
    for (const place of places) await bed.settle(place);
    const evidence = await collectEvidence(bed, places);
    const more = await expect(evidence, bed);
    const findings = [
      ...meanwhile.map((text) => `meanwhile: ${text}`),
      ...(await look(bed, { places, except })),
      ...more,
    ];
    return { told, findings, trace: readTrace(bed, evidence) };
  } finally {
    await bed.close();
  }
}

async function look(
  bed: TrialBed,
  { places, except }: { readonly places: readonly Place[]; readonly except: readonly PromiseName[] },
): Promise<readonly string[]> {
  const broken = findBrokenPromises(await collectEvidence(bed, places));
  return broken
    .filter(({ promise }) => !except.includes(promise))
    .map(({ promise, shown }) => `${promise}: ${shown}`);
}

/** The comment that a run ends with, as it is written. */
export const finalComment: Meant = { routes: ['comment-write'], only: 'writes', body: /:final/ };
/** The label that a run ends with. */
export const lastLabel: Meant = {
  routes: ['label'],
  only: 'writes',
  body: /coding agent (?:done|completed|failed|stopped)/,
};
export const push: Meant = { routes: ['git'], path: /POST .*git-receive-pack/ };

/** One life to its end. */
export async function live(bed: TrialBed): Promise<void> {
  await bed.start({ once: true }).exited;
}

/** Kills whatever is alive, and lets nothing of its request through. */
export function killNow(bed: TrialBed): () => Promise<'drop'> {
  return async () => {
    await Promise.all(bed.lives.map(({ kill }) => kill()));
    return 'drop';
  };
}
