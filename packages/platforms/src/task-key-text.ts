import { PlatformError } from './platform-error.ts';
import type { TaskKey } from './task-key.ts';

const shapes =
  'github_issue:{owner}:{repo}:{number}, github_pull_request:{owner}:{repo}:{number}, ' +
  'gitlab_issue:{project_id}:{issue_iid}, gitlab_merge_request:{project_id}:{mr_iid} or ' +
  'custom:{platform}:{project}:{id} with its parts percent-encoded';

/**
 * The canonical text of a key, the one that history is filed under.
 *
 * @throws PlatformError `invalid` when a part could not be read back (a colon in an owner, a number below 1).
 * @see seed 002 §4.1.2
 */
export function formatTaskKey(key: TaskKey): string {
  switch (key.type) {
    case 'github_issue':
    case 'github_pull_request':
      return join(key.type, plain(key.owner), plain(key.repo), whole(key.number));
    case 'gitlab_issue':
      return join(key.type, plain(key.projectId), whole(key.issueIid));
    case 'gitlab_merge_request':
      return join(key.type, plain(key.projectId), whole(key.mrIid));
    case 'custom':
      return join(key.type, ...[key.platform, key.project, key.id].map(percentEncoded));
  }
}

/**
 * Reads the canonical text.
 *
 * @throws PlatformError `invalid`, with the forms that a key may have, for everything else.
 */
export function parseTaskKey(text: string): TaskKey {
  const [type, ...parts] = text.split(':');
  const key = toTaskKey(type, parts);
  if (key === undefined || formatTaskKey(key) !== text) throw malformed(text);
  return key;
}

function toTaskKey(type: string | undefined, parts: readonly string[]): TaskKey | undefined {
  const [first = '', second = '', third = ''] = parts;
  if ((type === 'github_issue' || type === 'github_pull_request') && parts.length === 3) {
    return { type, owner: first, repo: second, number: Number(third) };
  }
  if (type === 'gitlab_issue' && parts.length === 2) {
    return { type, projectId: first, issueIid: Number(second) };
  }
  if (type === 'gitlab_merge_request' && parts.length === 2) {
    return { type, projectId: first, mrIid: Number(second) };
  }
  if (type === 'custom' && parts.length === 3) {
    return { type, platform: decoded(first), project: decoded(second), id: decoded(third) };
  }
  return undefined;
}

const join = (...parts: readonly string[]) => parts.join(':');

function plain(part: string): string {
  if (!/^[^:\s]+$/u.test(part)) throw malformed(part);
  return part;
}

function whole(number: number): string {
  if (!Number.isSafeInteger(number) || number < 1) throw malformed(String(number));
  return String(number);
}

function percentEncoded(part: string): string {
  try {
    return encodeURIComponent(part);
  } catch (cause) {
    throw malformed(part, cause);
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (cause) {
    throw malformed(part, cause);
  }
}

function malformed(text: string, cause?: unknown): PlatformError {
  const shown = JSON.stringify(text.slice(0, 200));
  return new PlatformError(`${shown} is not (part of) a task key. A task key is one of: ${shapes}.`, {
    code: 'invalid',
    cause,
  });
}
