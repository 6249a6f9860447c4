import type { RunSummary } from '../text/run-summary.ts';
import type { Json } from './redact-json.ts';

/** A run, as `/tasks.json` and `status --json` show it. */
export function toRunJson(run: RunSummary): Readonly<Record<string, Json>> {
  const { uuid, name: task, title, url, state, status, since } = run;
  return { uuid, task, title, url, ...(state === 'ended' ? { status } : {}), since };
}
