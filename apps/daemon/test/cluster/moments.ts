import { isWrite } from '../kill/faults/route.ts';
import type { ClusterThread } from './cluster.ts';
import type { Harm, MomentName } from './harm.ts';
import type { RequestSight, Sight, StatementSight } from './watcher.ts';

interface About {
  readonly thread: ClusterThread;
  /** The run that is at work on it; null for a moment that is none of a run. */
  readonly uuid: string | null;
}

/** Recognizes the moment that a harm waits for. It counts: one for each harm. */
export function recognizeMoment({ moment, nth, side, kind }: Harm, about: About): (sight: Sight) => boolean {
  let count = 0;
  return (sight) => {
    if (sight.side !== side || !isMoment(sight, { ...about, moment })) return false;
    // A held request that changes something would still be carried out.
    if (kind === 'zombie' && sight.kind === 'statement' && sight.check === null) return false;
    count += 1;
    return count === nth;
  };
}

function isMoment(sight: Sight, { moment, thread, uuid }: About & Pick<Harm, 'moment'>): boolean {
  if (sight.kind === 'statement') return sight.uuid === uuid && isLineOf(moment, sight);
  const { route, path, body, process } = sight;
  if (moment === 'list') return process.startsWith('looker') && route === 'task-list';
  if (process.startsWith('looker')) return false;
  if (moment === 'question') return isQuestion(sight, thread);
  if (moment === 'push') return path.includes('git-receive-pack');
  if (moment === 'final' || moment === 'heard')
    return route === 'comment-write' && body.includes(`run:${uuid}:final`);
  const isOfThread = new RegExp(`/issues/${thread.number}(?:/|$)`).test(path);
  if (moment === 'comments') return route === 'comment-list' && isOfThread;
  return moment === 'label' && route === 'label' && isWrite(sight) && isOfThread;
}

function isLineOf(moment: MomentName, { isLine, fact }: StatementSight): boolean {
  return isLine && (moment === 'line' || (moment === 'heard' && fact === 'observed'));
}

/** Whether the model is asked how this thread goes on. */
export function isQuestion({ route, body }: RequestSight, { title }: ClusterThread): boolean {
  return route === 'model' && body.includes(title) && readBody(body).tools.length > 0;
}

/** Results that a conversation with the model has. */
export function countResults({ body }: RequestSight): number {
  return readBody(body).items.filter(({ role, type }) => role === 'tool' || type === 'function_call_output')
    .length;
}

interface Body {
  readonly tools?: readonly unknown[];
  readonly input?: readonly Item[];
  readonly messages?: readonly Item[];
}

interface Item {
  readonly role?: string;
  readonly type?: string;
}

function readBody(text: string) {
  const { tools = [], input, messages } = JSON.parse(text) as Body;
  return { tools, items: input ?? messages ?? [] };
}
