import { createSeededRandom, type SeededRandom, type TrialVerdict } from '@agent/simulators/trials';
import { collectEvidence, type Evidence } from './evidence.ts';
import { describeFault, type Fault } from './fault.ts';
import type { Place } from './lay-out.ts';
import { whyNotApart } from './namespaces.ts';
import { describePlans } from './plan-facts.ts';
import { findBrokenPromises } from './promises.ts';
import { type BedOptions, openBed, type TrialBed } from './trial-bed.ts';

/** Something that happens when the model's conversation has so many results. */
export interface Turn {
  readonly step: number;
  readonly what: string;
  readonly happen: (bed: TrialBed) => void;
}

/** What befalls one daemon, all of it drawn from a seed. */
export interface TrialPlan {
  readonly bed: BedOptions;
  readonly turns: readonly Turn[];
  readonly faults: readonly Fault[];
  /** Lives of the daemon one after the other, before it is left in peace. */
  readonly harm: (bed: TrialBed) => Promise<void>;
  readonly told: readonly string[];
  /** Directories at work. Default: the first alone. */
  readonly places?: readonly Place[];
  /** Whether a daemon works in a container of its own. Default false. */
  readonly apart?: boolean;
}

export type PlanTrial = (random: SeededRandom) => TrialPlan;

/** Carries out what the seed says, leaves the daemon in peace until all is done, and looks at what is left. */
export async function runFaultTrial(seed: number, plan: PlanTrial): Promise<TrialVerdict> {
  const {
    bed: options,
    turns,
    faults,
    harm,
    told,
    places = ['first'],
    apart = false,
  } = plan(createSeededRandom(seed));
  const missing = apart ? await whyNotApart() : null;
  if (missing !== null) return { told: told.join('; '), findings: [], missing };
  const bed = await openBed(options);
  try {
    for (const { step, happen } of turns) bed.at(step, () => happen(bed));
    for (const fault of faults) bed.desk.add(fault);
    await harm(bed);
    for (const place of places) await bed.settle(place);
    const evidence = await collectEvidence(bed, places);
    const findings = findBrokenPromises(evidence).map(({ promise, shown }) => `${promise}: ${shown}`);
    const happened = [
      ...told,
      ...turns.map(({ what, step }) => `at step ${step}: ${what}`),
      ...faults.map(describeFault),
      ...describePlans(evidence),
    ];
    return { told: happened.join('; '), findings, trace: readTrace(bed, evidence) };
  } finally {
    await bed.close();
  }
}

/** Evidence of a trial, and everything that its processes printed. */
export function readTrace({ lives, desk }: TrialBed, evidence: Evidence | null): string {
  const outputs = lives.map(({ process }, index) => `--- start ${index + 1}\n${process.output().trim()}`);
  const requests = desk.seen.map(
    ({ method, path, status, fault, at }) =>
      `${new Date(at).toISOString()} ${method} ${path}: ${status}${fault === null ? '' : `, ${fault}`}`,
  );
  const left = evidence === null ? '' : JSON.stringify(evidence, null, 1);
  return [...outputs, '--- requests', ...requests, '--- evidence', left].join('\n');
}
