import type { StorageMember } from '@agent/run-store';
import { type Condition, isEssential } from './condition.ts';
import type { HoldCause, HoldState } from './hold.ts';
import { mergeNotices, type Notice } from './notice.ts';
import type { ProcessReport, ProcessRole } from './process-report.ts';

/** Cause of a problem. A hold is a problem that keeps tasks from starting. */
export type ProblemCause =
  | HoldCause
  | 'starting'
  | 'repository_away'
  | 'updates_pending'
  | 'platform_slow'
  | 'model_slow'
  | 'settings_invalid'
  | 'process_silent';

/** Something that is wrong with the service now. */
export interface ServiceProblem extends Omit<HoldState, 'cause' | 'since'> {
  readonly cause: ProblemCause;
  /** `failed`: an operator has to act. `waiting`: it ends without help. */
  readonly state: 'failed' | 'waiting';
  /** Milliseconds since 1970; null if it is unknown. */
  readonly since: number | null;
  /** Numbers of the processes that report it; empty if it was derived from all of them. */
  readonly processes: readonly number[];
  /** Measured duration that is too long. Default null: nothing was measured. */
  readonly measuredMs?: number | null | undefined;
}

const notHolding: ReadonlySet<ProblemCause> = new Set([
  'starting',
  // Only tasks of that person wait, after they have started.
  'money_person',
  'repository_away',
  'updates_pending',
  'platform_slow',
  'model_slow',
  'settings_invalid',
  'process_silent',
]);

/** Tells whether tasks do not start because of a problem. */
export const isHold = ({ cause }: Pick<ServiceProblem, 'cause'>): boolean => !notHolding.has(cause);

/** Finds the reason why the database cannot be read now; null if it can. */
export const findAway = ({ problems }: Pick<ServiceState, 'problems'>): string | null =>
  problems.find(({ cause }) => cause === 'database')?.reason ?? null;

/** A process of the service. */
export interface ServiceProcess extends StorageMember {
  /** Null if it has not reported yet, as are `version`, `startedAt`, `running` and `concurrency`. */
  readonly role: ProcessRole | null;
  readonly version: string | null;
  readonly startedAt: number | null;
  readonly running: number | null;
  readonly concurrency: number | null;
  /** True for the process that polls, if several could. */
  readonly leads: boolean;
  readonly isThis: boolean;
}

/** State of the whole service. All views render this. */
export interface ServiceState {
  /** `stopped`: no process runs. `not-ready`: nothing can be done now. `degraded`: there are problems. */
  readonly status: 'ready' | 'degraded' | 'not-ready' | 'ending' | 'stopped';
  readonly processes: readonly ServiceProcess[];
  /** Conditions of all processes; equal ones are listed once. */
  readonly conditions: readonly (Condition & { readonly processes: readonly number[] })[];
  /** Problems that an operator has to solve first, then by their start. */
  readonly problems: readonly ServiceProblem[];
  /** Facts about the installation that an operator should know. They do not change the status. */
  readonly notices: readonly Notice[];
}

/** Facts that the state of the service is derived from. */
export interface ServiceFacts {
  /** Processes that gave a sign of life lately. */
  readonly members: readonly StorageMember[];
  /** Crashed members. Default none. */
  readonly gone?: readonly StorageMember[] | undefined;
  readonly reports: readonly ProcessReport[];
  /** Report of this process as it is now; null for a process that only reads. */
  readonly own: (ProcessReport & { readonly isEnding: boolean }) | null;
  /** Pause of everything; null if there is none. */
  readonly pause: { readonly at: number | null; readonly by: string | null } | null;
  /** True if several processes can share the work. */
  readonly isShared: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Milliseconds without a sign of life after which a process is shown as silent. Files have one every 15 s, PostgreSQL every 9 s. */
const silentAfterMs = 20_000;

/** Reason of a platform that was not polled since the start of the process. */
export const notPolledYet = 'not polled yet';

/** Derives the state of the service from what all its processes report. */
export function deriveServiceState(facts: ServiceFacts): ServiceState {
  const { members, own, pause, now } = facts;
  const reports = listReports(facts);
  const processes = members.map((member) => toProcess(member, { reports, own }));
  const problems = mergeProblems([
    ...reports.flatMap(listProblems).filter(({ cause }) => pause === null || cause !== 'starting'),
    ...(pause === null ? [] : [toPauseProblem(pause)]),
    ...listMissing(processes, facts),
    ...processes.filter(isSilent).map((process) => toSilence(process, now)),
  ]);
  const status = deriveStatus({ processes, problems, reports, own, pause });
  return {
    ...{ status, processes, conditions: mergeConditions(reports) },
    problems: problems.toSorted(byUrgency),
    notices: mergeNotices(reports),
  };
}

/** Current report of this process, and the last ones of other running processes. If nothing runs, the last ones of all. */
function listReports({ members, reports, own }: ServiceFacts): readonly ProcessReport[] {
  const isListed = ({ number }: ProcessReport) => members.some((member) => member.number === number);
  const others = reports.filter((report) => report.number !== own?.number);
  if (own !== null) return [own, ...others.filter(isListed)];
  return members.length === 0 ? others.map(toLastReport) : others.filter(isListed);
}

/** Of a process that no longer runs, only pending updates are still true. */
const toLastReport = (report: ProcessReport): ProcessReport => ({
  ...report,
  conditions: report.conditions.filter(({ part }) => part.startsWith('outbox:')),
  holds: [],
  notices: [],
});

function toProcess(
  member: StorageMember,
  { reports, own }: Pick<ServiceFacts, 'own'> & { readonly reports: readonly ProcessReport[] },
): ServiceProcess {
  const report = reports.find(({ number }) => number === member.number) ?? null;
  const { role = null, version = null, startedAt = null, running = null, concurrency = null } = report ?? {};
  const leads = report?.conditions.some(({ part }) => part === 'lead') ?? false;
  const about = { role, version, startedAt, running, concurrency, leads };
  return { ...member, ...about, isThis: own !== null && member.number === own.number };
}

/** Tells whether a process shows no sign of life. */
export const isSilent = ({ silentMs }: StorageMember): boolean => silentMs > silentAfterMs;

const plain = { scope: null, until: null, by: null, reason: null, processes: [] } as const;

function listProblems({ number, conditions, holds }: ProcessReport): readonly ServiceProblem[] {
  return [
    ...conditions
      .filter(({ state }) => state !== 'ok')
      .map((condition) => ({ ...toProblem(condition), processes: [number] })),
    ...holds.map((hold) => ({ ...hold, state: 'waiting' as const, processes: [number] })),
  ];
}

const causesByKind: Readonly<Record<string, ProblemCause>> = {
  platform: 'platform_away',
  platforms: 'platform_away',
  place: 'repository_away',
  outbox: 'updates_pending',
  response: 'platform_slow',
  'model-response': 'model_slow',
  settings: 'settings_invalid',
  agent: 'agent_missing',
  disk: 'disk',
  worktrees: 'disk_worktrees',
  database: 'database',
};

function toProblem({ part, state, since, reason, measuredMs }: Condition): ServiceProblem {
  const [kind = part, scope = null] = splitPart(part);
  const found = { ...plain, state: state === 'failed' ? 'failed' : 'waiting', since, scope } as const;
  if (reason === notPolledYet) return { ...found, cause: 'starting' };
  if (kind === 'model')
    return { ...found, cause: state === 'failed' ? 'model_refused' : 'model_away', reason };
  return { ...found, cause: causesByKind[kind] ?? 'starting', reason, measuredMs };
}

function splitPart(part: string): readonly [string, string | null] {
  const colon = part.indexOf(':');
  return colon === -1 ? [part, null] : [part.slice(0, colon), part.slice(colon + 1)];
}

const toPauseProblem = ({ at, by }: NonNullable<ServiceFacts['pause']>): ServiceProblem => ({
  ...plain,
  ...{ cause: 'paused_all', state: 'failed', since: at, by },
});

const roles = { no_poller: ['look', 'both'], no_worker: ['work', 'both'] } as const;

/** Finds out that no process polls, or that none works, although others run. */
function listMissing(processes: readonly ServiceProcess[], facts: ServiceFacts): readonly ServiceProblem[] {
  if (!facts.isShared || processes.length === 0) return [];
  return (['no_poller', 'no_worker'] as const).flatMap((cause): ServiceProblem[] => {
    const does = ({ role }: { readonly role: ProcessRole | null }) =>
      role === null || isOneOf(role, roles[cause]);
    if (processes.some((process) => does(process) && !isSilent(process))) return [];
    return [{ ...plain, cause, state: 'failed', since: findLastSign(facts, does) }];
  });
}

const isOneOf = (role: ProcessRole, list: readonly ProcessRole[]): boolean => list.includes(role);

/** Last sign of life of a crashed process with such a role. */
function findLastSign(
  { members, gone = [], reports, now }: ServiceFacts,
  does: (report: ProcessReport) => boolean,
): number | null {
  const numbers = new Set(reports.filter(does).map(({ number }) => number));
  const silences = [...members, ...gone]
    .filter(({ number }) => numbers.has(number))
    .map(({ silentMs }) => silentMs);
  return silences.length === 0 ? null : now - Math.min(...silences);
}

const toSilence = ({ number, host, pid, silentMs }: ServiceProcess, now: number): ServiceProblem => ({
  ...plain,
  ...{ cause: 'process_silent', state: 'waiting', since: now - silentMs, processes: [number] },
  scope: `${host}, process ${pid}`,
});

/** Joins reports of the same problem: it lasts from its first report to its last expected end. Of two durations, the longer one is shown. */
function mergeProblems(problems: readonly ServiceProblem[]): readonly ServiceProblem[] {
  const merged = new Map<string, ServiceProblem>();
  for (const problem of problems) {
    const key = JSON.stringify([problem.cause, problem.scope, problem.state]);
    const before = merged.get(key);
    merged.set(key, before === undefined ? problem : joinProblems(before, problem));
  }
  return [...merged.values()];
}

const joinProblems = (one: ServiceProblem, other: ServiceProblem): ServiceProblem => ({
  ...one,
  since: one.since === null || other.since === null ? null : Math.min(one.since, other.since),
  until: one.until === null || other.until === null ? null : Math.max(one.until, other.until),
  ...pickReason(one, other),
  processes: [...one.processes, ...other.processes],
});

function pickReason(one: ServiceProblem, other: ServiceProblem) {
  const worse = (other.measuredMs ?? 0) > (one.measuredMs ?? 0) ? other : one;
  return { reason: worse.reason ?? one.reason ?? other.reason, measuredMs: worse.measuredMs };
}

function mergeConditions(reports: readonly ProcessReport[]): ServiceState['conditions'] {
  const merged = new Map<string, ServiceState['conditions'][number]>();
  for (const { number, conditions } of reports)
    for (const condition of conditions) {
      const key = JSON.stringify([condition.part, condition.state, condition.reason]);
      const before = merged.get(key);
      const since = Math.min(condition.since, before?.since ?? condition.since);
      const { part, state, reason } = condition;
      merged.set(key, { part, state, since, reason, processes: [...(before?.processes ?? []), number] });
    }
  return [...merged.values()].toSorted((one, other) => ranks[one.state] - ranks[other.state]);
}

const ranks = { failed: 0, waiting: 1, ok: 2 } as const;

const byUrgency = (one: ServiceProblem, other: ServiceProblem): number =>
  ranks[one.state] - ranks[other.state] ||
  Number(one.cause === 'updates_pending') - Number(other.cause === 'updates_pending') ||
  (one.since ?? 0) - (other.since ?? 0);

function deriveStatus(seen: {
  readonly processes: readonly ServiceProcess[];
  readonly problems: readonly ServiceProblem[];
  readonly reports: readonly ProcessReport[];
  readonly own: ServiceFacts['own'];
  readonly pause: ServiceFacts['pause'];
}): ServiceState['status'] {
  const { processes, problems, reports, own, pause } = seen;
  const isStuck = ({ conditions }: ProcessReport): boolean =>
    conditions.some(
      (one) => one.state !== 'ok' && isEssential(one) && (pause === null || one.reason !== notPolledYet),
    );
  if (own?.isEnding === true) return 'ending';
  if (own === null && processes.length === 0) return 'stopped';
  const judged = own === null ? reports : [own];
  if (judged.length > 0 && judged.every(isStuck)) return 'not-ready';
  if (own === null && problems.some(({ cause }) => cause === 'no_poller' || cause === 'no_worker'))
    return 'not-ready';
  return problems.length === 0 ? 'ready' : 'degraded';
}
