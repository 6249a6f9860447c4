import { type Outcome, outcomes } from '@agent/run-store';

/** Facts of one run of the daemon, from its record and from the platform. */
export interface DaemonRunFacts {
  /** Statuses in the records of all runs; null for a run without an end. */
  readonly recorded: readonly (string | null)[];
  /** Null if the daemon did not exit by itself. */
  readonly exitCode: number | null;
  readonly labels: readonly string[];
  /** Headings of the agent's comments besides the status comment. */
  readonly headings: readonly string[];
  /** True if a branch of the agent differs from the default branch. */
  readonly hasChanged: boolean;
}

interface Signs {
  readonly label: string;
  readonly heading: string;
  readonly exitCode: number;
}

/** Table of outcomes, on its own beside the sources that it checks. */
const signs: Readonly<Record<Outcome, Signs>> = {
  completed: { label: 'coding agent done', heading: '✅ Task completed', exitCode: 0 },
  answered: { label: 'coding agent done', heading: '💬 Question answered', exitCode: 0 },
  nothing_to_change: { label: 'coding agent done', heading: '➖ Nothing to change', exitCode: 0 },
  partial: { label: 'coding agent partial', heading: '⚠️ Task partly done', exitCode: 1 },
  needs_input: { label: 'coding agent paused', heading: '⏸️ Task paused', exitCode: 1 },
  stopped: { label: 'coding agent stopped', heading: '⛔ Task stopped', exitCode: 1 },
  failed: { label: 'coding agent failed', heading: '❌ Task failed', exitCode: 1 },
};
const headings: ReadonlySet<string> = new Set(Object.values(signs).map(({ heading }) => heading));

/** Lists where label, heading, exit code and changes disagree with the record of the run. */
export function checkDaemonRun(facts: DaemonRunFacts): readonly string[] {
  const { recorded, exitCode, labels, hasChanged } = facts;
  if (exitCode === null) return ['the daemon did not exit by itself'];
  if (recorded.length !== 1) return [`there are ${recorded.length} runs instead of one`];
  const outcome = outcomes.find((one) => one === recorded[0]);
  if (outcome === undefined) return [`the record has the outcome ${recorded[0]}`];
  const wanted = signs[outcome];
  const ends = facts.headings.filter((heading) => headings.has(heading));
  return [
    ...(labels.join() === wanted.label ? [] : [`${outcome}: the labels are ${labels.join(', ') || 'none'}`]),
    ...(ends.join() === wanted.heading ? [] : [`${outcome}: the headings are ${ends.join(', ') || 'none'}`]),
    ...(exitCode === wanted.exitCode ? [] : [`${outcome}: the exit code is ${exitCode}`]),
    ...(['completed', 'partial'].includes(outcome) && !hasChanged ? [`${outcome}: nothing was changed`] : []),
    ...(['answered', 'nothing_to_change'].includes(outcome) && hasChanged
      ? [`${outcome}: something was changed`]
      : []),
  ];
}
