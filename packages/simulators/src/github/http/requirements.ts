import { includesRole, reaches, roleOfToken } from '../state/access.ts';
import type { Repository, Role, Thread, TokenLevel, TokenScope } from '../state/model.ts';
import {
  forbidden,
  notAccessible,
  notFound,
  Refusal,
  readOnly,
  requiresAuthentication,
  threadIsLocked,
} from '../state/refusal.ts';
import { findRepository } from '../state/repositories.ts';
import { findThread } from '../state/threads.ts';
import { type Answer, type Call, type Handler, parameter } from './route.ts';

/** Requirements of a route: the permissions of the token and the role of its account. */
export interface Needs {
  /** Any of these is enough; none: only the metadata, which every token may read. */
  readonly scopes: readonly TokenScope[];
  readonly level: 'read' | 'write';
  /** Default `read`: whoever sees the repository. */
  readonly role?: Role;
}

export interface RepositoryCall extends Call {
  readonly repository: Repository;
  readonly role: Role;
}

export interface ThreadCall extends RepositoryCall {
  readonly thread: Thread;
}

/** Needs to read. */
export function reads(...scopes: readonly TokenScope[]): Needs {
  return { scopes, level: 'read' };
}

/** Needs to write. */
export function writes(...scopes: readonly TokenScope[]): Needs {
  return { scopes, level: 'write' };
}

/** A route below `/repos/{owner}/{repo}`: 404 where the repository can't be seen, then 401 or 403 as GitHub has it. */
export function onRepository(
  needs: Needs,
  handle: (call: RepositoryCall) => Answer | Promise<Answer>,
): Handler {
  return (call) => {
    const found = findVisibleRepository(call);
    checkToken(call, needs, found.repository);
    if (needs.level === 'write' && found.repository.archived) throw readOnly();
    if (!includesRole(found.role, needs.role ?? 'read')) throw forbidden();
    return handle({ ...call, ...found });
  };
}

/** A route below `/repos/{owner}/{repo}/issues/{issue_number}`. On an issue only the permission for issues counts. */
export function onThread(needs: Needs, handle: (call: ThreadCall) => Answer | Promise<Answer>): Handler {
  return onRepository(needs, (call) => {
    const number = numberParameter(call, 'issue_number');
    const transferred = call.repository.transferredThreads.get(number);
    if (transferred) throw movedThread(call, transferred);
    const thread = findThread(call.repository, number);
    if (needs.scopes.length > 0)
      checkToken(call, { ...needs, scopes: scopesOf(thread, needs) }, call.repository);
    return handle({ ...call, thread });
  });
}

/** A route below `/repos/{owner}/{repo}/pulls/{pull_number}`. @throws {Refusal} 404 for an issue */
export function onPull(needs: Needs, handle: (call: ThreadCall) => Answer | Promise<Answer>): Handler {
  return onRepository(needs, (call) => {
    const thread = call.repository.threads.get(numberParameter(call, 'pull_number'));
    if (!thread?.pull) throw notFound();
    return handle({ ...call, thread });
  });
}

/**
 * Lets people with write access comment on a locked thread, and neither others nor Apps.
 * @see https://docs.github.com/en/communities/moderating-comments-and-conversations/locking-conversations
 * @throws {Refusal} 403
 */
export function requireUnlocked({ thread, role, token }: ThreadCall): void {
  const isAllowed = includesRole(role, 'write') && token?.kind !== 'installation';
  if (thread.locked && !isAllowed) throw threadIsLocked();
}

/** A number in the address. @throws {Refusal} 404 when it is none */
export function numberParameter(call: Call, name: string): number {
  const text = parameter(call, name);
  if (!/^\d+$/.test(text)) throw notFound();
  return Number(text);
}

/** The account that asks. @throws {Refusal} 401 */
export function viewerOf(call: Call) {
  if (!call.viewer) throw requiresAuthentication();
  return call.viewer;
}

function findVisibleRepository(call: Call): { readonly repository: Repository; readonly role: Role } {
  const repository = findRepository(call.state, `${parameter(call, 'owner')}/${parameter(call, 'repo')}`);
  const role = repository ? roleOfToken(repository, call.token) : null;
  if (repository && role) return { repository, role };
  throw moved(call) ?? notFound();
}

/** @see https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects */
function moved(call: Call): Refusal | null {
  const { state, urls, token, path, query, method } = call;
  const former = `${parameter(call, 'owner')}/${parameter(call, 'repo')}`.toLowerCase();
  const repository = state.formerNames.get(former);
  if (!repository || !roleOfToken(repository, token)) return null;
  const rest = path
    .split('/')
    .slice(4)
    .map((part) => `/${part}`)
    .join('');
  const location = `${urls.api}/repositories/${repository.id}${rest}${query.size > 0 ? `?${query}` : ''}`;
  const isRead = method === 'GET';
  return new Refusal({
    status: isRead ? 301 : 307,
    message: isRead ? 'Moved Permanently' : 'Temporary Redirect',
    headers: { location },
  });
}

/**
 * The redirect of a transferred issue, which covers the issue itself and nothing below it.
 * @see https://github.com/Systemorph/MeshWeaver/issues/4629 (measured: comments and events answer 404)
 */
function movedThread({ path, method, token, urls }: Call, { repository, number }: Thread): Refusal {
  const isThread = method === 'GET' && /\/issues\/\d+$/u.test(path);
  if (!isThread || !roleOfToken(repository, token)) return notFound();
  const location = `${urls.api}/repositories/${repository.id}/issues/${number}`;
  return new Refusal({ status: 301, message: 'Moved Permanently', headers: { location } });
}

function checkToken(call: Call, needs: Needs, repository: Repository): void {
  const { token } = call;
  if (!token) {
    if (needs.level === 'write') throw requiresAuthentication();
    return;
  }
  const isElsewhere = needs.level === 'write' && !reaches(token, repository);
  const granted = (scope: TokenScope) => suffices(token.permissions[scope], needs.level);
  if (!isElsewhere && (needs.scopes.length === 0 || needs.scopes.some(granted))) return;
  throw new Refusal({
    status: 403,
    message: notAccessible(token),
    headers: {
      'x-accepted-github-permissions': needs.scopes.map((scope) => `${scope}=${needs.level}`).join('; '),
    },
  });
}

function scopesOf(thread: Thread, needs: Needs): readonly TokenScope[] {
  return thread.pull ? needs.scopes : needs.scopes.filter((scope) => scope === 'issues');
}

function suffices(granted: TokenLevel, needed: 'read' | 'write'): boolean {
  return granted === 'write' || granted === needed;
}
