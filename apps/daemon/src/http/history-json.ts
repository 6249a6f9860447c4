import type { PausedRun, RecentRun } from '@agent/context-inheritance';
import { nameOfRun } from '../text/name-of-run.ts';
import type { Json } from './redact-json.ts';

/** A paused task, as `/tasks.json` and `status --json` show it. */
export function toPausedJson({ uuid, metadata, state }: PausedRun): Json {
  const { title = null, url = null } = metadata.extra;
  return { uuid, task: nameOfRun(metadata), title, url, paused_at: state.pausedAt };
}

/** A task that ended, as `/tasks.json` and `status --json` show it. */
export function toRecentJson(run: RecentRun): Json {
  const { uuid, title, url, status } = run;
  return { uuid, task: nameOfRun(run), title, url, status, finished_at: run.finishedAt };
}
