import type { RepositoryCall } from '../http/requirements.ts';
import type { Thread } from '../state/model.ts';
import { type ValidationDetail, validationFailed } from '../state/refusal.ts';
import { findUser } from '../state/users.ts';

/**
 * The threads that a listing of issues asks for, in its order; pull requests are among them.
 * @throws {Refusal} 422 for an unknown state, sort, direction, assignee, or a `since` that is no time
 * @see https://docs.github.com/rest/issues/issues#list-repository-issues
 */
export function selectThreads(call: RepositoryCall): readonly Thread[] {
  const state = choice(call, 'state', ['open', 'closed', 'all']);
  const since = readSince(call);
  const labels = (call.query.get('labels') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean);
  const isWanted = allOf([
    (thread) => state === 'all' || thread.state === state,
    (thread) => since === null || thread.updatedAt >= since,
    (thread) => labels.every((label) => thread.labels.has(label)),
    assigneeFilter(call),
    creatorFilter(call),
    milestoneFilter(call),
  ]);
  return sortThreads(call, [...call.repository.threads.values()].filter(isWanted));
}

type Filter = (thread: Thread) => boolean;

/** `since` is inclusive and compares updated times. @throws {Refusal} 422 */
export function readSince(call: RepositoryCall): string | null {
  const text = call.query.get('since');
  if (text === null || text === '') return null;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw invalid('since', text);
  return time.toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** One of the documented values of a query parameter; the first is its default. @throws {Refusal} 422 */
export function choice<Value extends string>(
  call: RepositoryCall,
  name: string,
  values: readonly [Value, ...Value[]],
): Value {
  const text = call.query.get(name);
  if (text === null || text === '') return values[0];
  const value = values.find((candidate) => candidate === text);
  if (!value) throw invalid(name, text);
  return value;
}

function sortThreads(call: RepositoryCall, threads: Thread[]): readonly Thread[] {
  const sort = choice(call, 'sort', ['created', 'updated', 'comments']);
  const sign = choice(call, 'direction', ['desc', 'asc']) === 'asc' ? 1 : -1;
  const compare = {
    created: () => 0,
    updated: (one: Thread, other: Thread) => one.updatedAt.localeCompare(other.updatedAt),
    comments: (one: Thread, other: Thread) => one.comments.size - other.comments.size,
  }[sort];
  return threads.sort((one, other) => sign * (compare(one, other) || one.number - other.number));
}

function assigneeFilter(call: RepositoryCall): Filter {
  const login = call.query.get('assignee');
  if (!login) return () => true;
  if (login === 'none') return (thread) => thread.assignees.size === 0;
  if (login === '*') return (thread) => thread.assignees.size > 0;
  if (!findUser(call.state, login)) throw invalid('assignee', login);
  return (thread) => thread.assignees.has(login.toLowerCase());
}

function creatorFilter(call: RepositoryCall): Filter {
  const login = call.query.get('creator')?.toLowerCase();
  return login ? (thread) => thread.author.login.toLowerCase() === login : () => true;
}

function milestoneFilter(call: RepositoryCall): Filter {
  const milestone = call.query.get('milestone');
  return () => !milestone || milestone === 'none';
}

function allOf(filters: readonly Filter[]): Filter {
  return (thread) => filters.every((filter) => filter(thread));
}

function invalid(field: string, value: string) {
  const detail: ValidationDetail = { resource: 'Issue', field, code: 'invalid', value };
  return validationFailed(detail);
}
