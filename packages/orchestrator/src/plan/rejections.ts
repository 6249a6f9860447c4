import type { PrePlanningManager, PrePlanningState, Rejection } from '@agent/pre-planning';
import type { RunState } from '@agent/run-store';
import type { Locale } from '@agent/text';
import type { Redact } from '@agent/text/outgoing';
import type { RunLogger } from '../host/ports.ts';
import { createPrePlanningFiles, readKeptPrePlanning, redactState } from './pre-planning-files.ts';

/** Objections of people to the assumptions of a run: `/reject A2 reason`. */
export interface Rejections {
  /** Takes up what the run assumes by now; before that, nothing is known to be assumed. */
  readonly learn: (state: PrePlanningState) => void;
  /** The manager that holds the state while the run pre-plans; null when it lies on disk again. */
  readonly follow: (manager: PrePlanningManager | null) => void;
  /** Tells whether a clean text rejects an assumption of a run that assumes something, also one that there is not. */
  readonly areIn: (body: string) => boolean;
  /**
   * Makes constraints of what a trusted person rejects, in the state of the run: for whoever reads it later. What was
   * rejected before stays as it is. False where the run never made any of these assumptions.
   */
  readonly record: (body: string) => Promise<boolean>;
  /** Lists the labels of the assumptions that were made and hold no more, such as `A1`. */
  readonly list: () => Promise<readonly string[]>;
  /**
   * The words of a trusted person with what follows from their rejections for the agent. What was assumed is only
   * named: its value, and the words for what was wanted, may come from somebody who is not trusted.
   */
  readonly tell: (body: string) => string;
}

/** Knows nothing: for runs that assume nothing. */
export const noRejections: Rejections = {
  learn: () => {},
  follow: () => {},
  areIn: () => false,
  record: async () => false,
  list: async () => [],
  tell: (body) => body,
};

export interface RejectionsOptions {
  /** Language of the reasons that are kept. */
  readonly locale: Locale;
  /** Applied to what is written down. */
  readonly redactSecrets: Redact;
  readonly logger: RunLogger;
}

/** For a run that pre-plans, in whose state its assumptions are kept. */
export async function openRejections(runState: RunState, options: RejectionsOptions): Promise<Rejections> {
  const { parseRejections, readPrePlanningState } = await import('@agent/pre-planning');
  const names = new Map<string, string>();
  let assumed = 0;
  let live: PrePlanningManager | null = null;
  const learn: Rejections['learn'] = ({ assumptions, assumption_count: count }) => {
    for (const { label, info_id: id } of assumptions) names.set(label, id);
    assumed = Math.max(assumed, count);
  };
  // Labels are given once, and in their order: one whose assumption is rejected already is still known.
  const isKnown = ({ label }: Rejection) => {
    const number = Number(label.slice(1));
    return number >= 1 && number <= assumed;
  };
  const find = (body: string) => parseRejections(body).filter(isKnown);
  const tellOne = (rejection: Rejection) =>
    isKnown(rejection)
      ? describe(rejection.label, names.get(rejection.label))
      : describeUnknown(rejection.label, assumed);
  const kept = await readKeptPrePlanning(runState, options.logger);
  const state = readPrePlanningState(kept?.state ?? null);
  if (state !== null) learn(state);
  return {
    learn,
    follow: (manager) => {
      live = manager;
    },
    areIn: (body) => assumed > 0 && parseRejections(body).length > 0,
    record: async (body) => {
      const known = find(body);
      if (live === null) await rejectOnDisk(known, { ...options, runState });
      else await live.rejectAssumptions(known);
      return known.length > 0;
    },
    list: async () => {
      const { state: standing } = (await readKeptPrePlanning(runState, options.logger)) ?? {};
      const { assumption_count: count = 0, assumptions = [] } = readPrePlanningState(standing ?? null) ?? {};
      const labels = new Set(assumptions.map(({ label }) => label));
      return Array.from({ length: count }, (_, index) => `A${index + 1}`).filter(
        (label) => !labels.has(label),
      );
    },
    tell: (body) => (assumed === 0 ? body : [body, ...parseRejections(body).map(tellOne)].join('\n\n')),
  };
}

function describe(label: string, name: string | undefined): string {
  const assumption = name === undefined ? label : `${label}, ${name},`;
  return `(The assumption ${assumption} is rejected. The result of pre-planning shows what it replaces. From now on, do not rely on it: find out what is true, treat the given reason as known, and change everything that depends on it.)`;
}

function describeUnknown(label: string, assumed: number): string {
  const known = assumed === 1 ? 'only A1 was made' : `A1 to A${assumed} were made`;
  return `(There is no assumption ${label}, ${known}. Nothing is rejected. If it is certain which assumption is meant, treat it as rejected. Otherwise say so in your report.)`;
}

/** Writes nothing where nothing changes, so that it can be repeated. */
async function rejectOnDisk(
  rejections: readonly Rejection[],
  { runState, locale, redactSecrets, logger }: RejectionsOptions & { readonly runState: RunState },
): Promise<void> {
  const { createReadOnlyTools, PrePlanningManager, readPrePlanningState } = await import(
    '@agent/pre-planning'
  );
  const files = createPrePlanningFiles(runState);
  const kept = await readKeptPrePlanning(runState, logger);
  const state = readPrePlanningState(kept?.state ?? null);
  const standing = new Set(state?.assumptions.map(({ label }) => label));
  if (kept === null || !rejections.some(({ label }) => standing.has(label))) return;
  const source = { ask: () => Promise.reject(new Error('nothing is asked here')) };
  const saveState = (rejected: PrePlanningState) =>
    files.save({ ...kept, state: redactState(rejected, redactSecrets) });
  const options = { locale, logger, saveState };
  const manager = new PrePlanningManager({ source, tools: createReadOnlyTools({}) }, options);
  manager.restore(state);
  await manager.rejectAssumptions(rejections);
}
