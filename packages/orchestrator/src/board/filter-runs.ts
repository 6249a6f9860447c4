import { parseTaskKey } from '@agent/platforms';
import type { Outcome } from '@agent/run-store';
import type { RunState } from '../state/run-state.ts';
import { isRunNamed } from './find-task.ts';
import type { RunSummary, TaskSummary } from './run-summary.ts';

/** Which runs are asked for; what is left out is not looked at. */
export interface RunFilter {
  /** State, or outcome. `ended` matches each outcome. */
  readonly state?: RunState | Outcome | undefined;
  /** `github`, `gitlab`, or the name of one of the operator's own. */
  readonly platform?: string | undefined;
  /** `acme/shop`; what a platform of the operator's own calls project. */
  readonly repository?: string | undefined;
  /** A run or thread, as `pause` and `show` are given one. */
  readonly task?: string | undefined;
  /** Part of the name, the title, the user or the reason, in any case. */
  readonly text?: string | undefined;
  /** Earliest time of the state, in milliseconds since 1970. */
  readonly since?: number | undefined;
}

/** Those runs that match all that is asked for, in their order. Letters count without their case. */
export function filterRuns<Task extends TaskSummary>(
  runs: readonly Task[],
  filter: RunFilter,
): readonly Task[] {
  const { state, platform, repository, task, since } = filter;
  const hasText = createTextFilter(filter.text);
  return runs.filter((run) => {
    const place = placeOf(run);
    return (
      (since === undefined || (run.since !== null && Date.parse(run.since) >= since)) &&
      hasText(run) &&
      (state === undefined || run.state === state || run.status === state) &&
      (platform === undefined || isSame(place.platform, platform)) &&
      (repository === undefined || isSame(place.repository, repository)) &&
      (task === undefined ||
        isRunNamed(run, task.trim()) ||
        run.uuid?.startsWith(task.trim().toLowerCase()) === true)
    );
  });
}

/** Finds the text in the name, the title, the user or the reason, in any case. Without a text, each run matches. */
export function createTextFilter(
  text: string | null | undefined,
): (run: Pick<RunSummary, 'name' | 'title' | 'user' | 'reason'>) => boolean {
  const part = text?.trim().toLowerCase() ?? '';
  if (part === '') return () => true;
  return ({ name, title, user, reason }) =>
    [name, title, user, reason].some((one) => one?.toLowerCase().includes(part) === true);
}

/** A GitLab project is known by the thread's address; null where a run has kept none. */
function placeOf({ taskKeyText, name }: TaskSummary): {
  readonly platform: string;
  readonly repository: string | null;
} {
  const key = parseTaskKey(taskKeyText);
  if (key.type === 'custom') return { platform: key.platform, repository: key.project };
  const [platform = ''] = key.type.split('_');
  return { platform, repository: /^(.+)[#!]\d+$/.exec(name)?.[1] ?? null };
}

function isSame(one: string | null, other: string): boolean {
  return one?.toLowerCase() === other.trim().toLowerCase();
}
