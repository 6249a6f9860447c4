import { parseTaskKey } from '@agent/platforms';
import type { Json, JsonObject, Outcome, PausedRun, RecentRun, RunOverview } from '@agent/run-store';
import type { WaitsFor } from '@agent/runner';
import { z } from 'zod';
import { deriveRunState, type RunState } from '../state/run-state.ts';
import { countHeld, listHeld, readPausedBy, readWait } from '../state/waits.ts';

const gitHub = /^github_(?:issue|pull_request):(?<owner>[^:]+):(?<repo>[^:]+):(?<number>\d+)$/;

const gitHubUrl = /\/(?:issues|pull)\/(?<number>\d+)$/;
const gitLabUrl = /^https?:\/\/[^/]+\/(?<path>.+?)\/-\/(?<kind>issues|merge_requests)\/(?<number>\d+)$/;

/** One run, or a queued task, as people look for it and as lists show it. */
export interface TaskSummary extends Omit<RunSummary, 'uuid'> {
  /** Null for a queued task without a run. */
  readonly uuid: string | null;
  /** Place in the queue, from 1; null if it is not queued. Default null. */
  readonly position?: number | null;
}

/** One run as people look for it and as lists show it. */
export interface RunSummary {
  readonly uuid: string;
  readonly state: RunState;
  /** Outcome that it ended with, also while its end is not whole on its thread and it counts as running; null while it has not. */
  readonly status: Outcome | null;
  /** `acme/shop#42` */
  readonly name: string;
  readonly taskKeyText: string;
  readonly title: string | null;
  readonly url: string | null;
  /** ISO 8601: since when it is in this state. */
  readonly since: string | null;
  /** Reason of the outcome, or why it is queued; null for none. Default null, as `user`. */
  readonly reason?: string | null;
  /** Author of the issue or pull request; null if it is unknown. */
  readonly user?: string | null;
  /** Progress by its plan, of a run that is paused; null for one without a plan. Default null. */
  readonly plan?: { readonly phase: string; readonly done: number; readonly total: number } | null;
  /** Kind of word that a paused run waits for; null for nothing but being taken up again. Default null. */
  readonly waitsFor?: WaitsFor['kind'] | null;
  /** User who paused the run; null if it is unknown. Default null. */
  readonly pausedBy?: string | null;
  /** Number of changes that a person has to allow. Default 0. */
  readonly held?: number;
  /** Names of these changes, such as `H1`. Default none. */
  readonly heldNames?: readonly string[];
}

/** Everything that an overview lists: running first, then paused and in review, then the latest that ended. */
export function toRunSummaries(overview: RunOverview): readonly RunSummary[] {
  return [
    ...overview.running.map(({ uuid, metadata, outcome }) => {
      const status = outcome?.status ?? null;
      const state = deriveRunState({ isEnded: false, pause: null, outcome: status });
      const about = { status, reason: outcome?.reason ?? null };
      return { ...toLiveSummary({ uuid, metadata, state, since: metadata.createdAt }), ...about };
    }),
    ...[...overview.pausing, ...overview.paused].map(toPausedSummary),
    ...overview.recent.map(toEndedSummary),
  ];
}

/** A paused run, with how far its plan is and what it waits for. */
export function toPausedSummary({ uuid, metadata, state }: PausedRun): RunSummary {
  const shown = deriveRunState({ isEnded: false, pause: state, outcome: null });
  const paused = toLiveSummary({ uuid, metadata, state: shown, since: state.pausedAt });
  const plan = planSchema.safeParse(state.planningState).data ?? null;
  const wait = readWait(state);
  const waitsFor = wait?.kind ?? null;
  const held = countHeld(wait);
  const heldNames = listHeld(wait);
  return { ...paused, plan, waitsFor, held, heldNames, pausedBy: readPausedBy(state) };
}

const planSchema = z
  .object({ current_phase: z.string(), action_counter: z.number(), total_actions: z.number() })
  .transform(({ current_phase: phase, action_counter: done, total_actions: total }) => ({
    phase,
    done,
    total,
  }));

/** A run that ended. */
export function toEndedSummary(run: RecentRun): RunSummary {
  const { uuid, taskKeyText, title, url, status, reason, user, finishedAt: since } = run;
  const about = { uuid, name: nameOfRun(run), taskKeyText, title, url, user };
  return { ...about, state: 'ended', status, reason, since };
}

function toLiveSummary(run: {
  readonly uuid: string;
  readonly metadata: PausedRun['metadata'];
  readonly state: RunState;
  readonly since: string;
}): RunSummary {
  const { uuid, metadata, state, since } = run;
  const { taskKeyText, extra } = metadata;
  const url = typeof extra.url === 'string' ? extra.url : null;
  const title = typeof extra.title === 'string' ? extra.title : null;
  const name = nameOfRun({ taskKeyText, url });
  return { uuid, state, status: null, name, taskKeyText, title, url, user: metadata.user, since };
}

/** Key and address that name the thread of a run. */
interface RunName {
  /** `github_issue:acme:shop:42` */
  readonly taskKeyText: string;
  /** Address of the thread, where it is known. */
  readonly url: string | null;
}

/** Names a thread as people do: `acme/shop#42`, `group/project!7`; the key itself where it has no other name. */
export function nameOfRun({ taskKeyText, url }: RunName): string {
  const { owner, repo, number } = gitHub.exec(taskKeyText)?.groups ?? {};
  // A run on a draft is filed under the issue of that draft.
  const shown = gitHubUrl.exec(url ?? '')?.groups?.number ?? number;
  if (owner !== undefined) return `${owner}/${repo}#${shown}`;
  const gitLab = taskKeyText.startsWith('gitlab_') ? gitLabUrl.exec(url ?? '')?.groups : undefined;
  if (gitLab === undefined) return taskKeyText;
  return `${gitLab.path}${gitLab.kind === 'issues' ? '#' : '!'}${gitLab.number}`;
}

/** Repository of a thread, such as `acme/shop`; null if it is unknown. A key of an unknown kind is no error. */
export function repositoryOf(threadKey: string, name: string): string | null {
  const project = threadKey.startsWith('custom:') ? findProject(threadKey) : null;
  if (project !== null) return project;
  return /^(.+)[#!]\d+$/.exec(name)?.[1] ?? null;
}

function findProject(threadKey: string): string | null {
  try {
    const key = parseTaskKey(threadKey);
    return key.type === 'custom' ? key.project : null;
  } catch {
    return null;
  }
}

/** A run, as `/tasks.json` and `status --json` show it. */
export function toRunJson(run: TaskSummary): JsonObject {
  const { uuid, name: task, title, url, state, status, since, plan = null, waitsFor = null, held = 0 } = run;
  const { reason = null, user = null, pausedBy = null, position = null } = run;
  const ended = state === 'ended' || status !== null ? { status, reason } : {};
  const queued = position === null ? {} : { position, reason };
  const planned: Readonly<Record<string, Json>> = plan === null ? {} : { plan, waits_for: waitsFor };
  return {
    uuid,
    task,
    title,
    url,
    user,
    state,
    ...ended,
    ...queued,
    since,
    ...planned,
    ...(held === 0 ? {} : { held }),
    ...(pausedBy === null ? {} : { paused_by: pausedBy }),
  };
}
