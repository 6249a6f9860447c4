import { requireLevel, type ThreadCall, viewerOf } from '../http/requirements.ts';
import { type Answer, type Call, noContent } from '../http/route.ts';
import { accessLevels } from '../state/access.ts';
import type { Thread } from '../state/model.ts';
import { badParameters } from '../state/refusal.ts';
import { deleteThread, threadsOf } from '../state/threads.ts';
import { listThreads } from './list-threads.ts';

/** Issues or merge requests of all projects; without an account only with `scope=all`. */
export function listEverywhere(
  call: Call,
  options: { readonly areMergeRequests: boolean; readonly show: (thread: Thread) => unknown },
): Answer {
  if (call.query.get('scope') !== 'all') viewerOf(call);
  const { areMergeRequests, show } = options;
  const projects = [...call.state.projects.values()];
  const all = projects.flatMap((project) => [...threadsOf(project, areMergeRequests).values()]);
  return listThreads(call, all, { show, isGlobal: true });
}

/** Owners delete threads, nobody else. */
export function removeThread(call: ThreadCall): Answer {
  requireLevel(call, accessLevels.owner);
  deleteThread(call.thread);
  return noContent();
}

/** @throws {Refusal} 400 for an edit that changes nothing */
export function requireSomeField(call: Call, fields: readonly string[]): void {
  if (fields.some((field) => call.input[field] !== undefined)) return;
  throw badParameters(`${fields.join(', ')} are missing, at least one parameter must be provided`);
}
