import { PlatformError } from './platform-error.ts';

/**
 * Names one thread on one host, as the seeds do: the four kinds of GitHub and GitLab, and a fifth form for
 * trackers that an adapter of your own brings.
 *
 * The canonical text (`github_issue:owner:repo:42`) is what history is filed under, so it never changes for a
 * thread. The host is kept beside it, not inside it.
 *
 * @see seed 002 §3.3.2 (the four formats)
 */
export type TaskKey = GitHubTaskKey | GitLabIssueKey | GitLabMergeRequestKey | CustomTaskKey;

/** An issue or pull request: `github_issue:{owner}:{repo}:{number}`. */
export interface GitHubTaskKey {
  readonly type: 'github_issue' | 'github_pull_request';
  readonly owner: string;
  readonly repo: string;
  readonly number: number;
}

/** `gitlab_issue:{project_id}:{issue_iid}` */
export interface GitLabIssueKey {
  readonly type: 'gitlab_issue';
  readonly projectId: string;
  readonly issueIid: number;
}

/** `gitlab_merge_request:{project_id}:{mr_iid}` */
export interface GitLabMergeRequestKey {
  readonly type: 'gitlab_merge_request';
  readonly projectId: string;
  readonly mrIid: number;
}

/** A thread of a platform that a custom adapter brings. All three parts are free text. */
export interface CustomTaskKey {
  readonly type: 'custom';
  readonly platform: string;
  readonly project: string;
  readonly id: string;
}

/** A thread as the record of a run names it. */
export interface ThreadReference {
  /** Canonical text of its key, such as `github_issue:owner:repo:42`. */
  readonly taskKeyText: string;
  /** Host of the platform, such as `github.com`: the key does not contain it. */
  readonly host: string;
}

/** A thread as an index of runs names it. */
export interface TaskReference extends Pick<ThreadReference, 'host'> {
  /** SHA-256 of the canonical text of its key, in hexadecimal. */
  readonly taskKeyHash: string;
}

const shapes =
  'github_issue:{owner}:{repo}:{number}, github_pull_request:{owner}:{repo}:{number}, ' +
  'gitlab_issue:{project_id}:{issue_iid}, gitlab_merge_request:{project_id}:{mr_iid} or ' +
  'custom:{platform}:{project}:{id} with its parts percent-encoded';

/**
 * The canonical text of a key, the one that history is filed under.
 *
 * @throws PlatformError `invalid` when a part could not be read back (a colon in an owner, a number below 1).
 * @see seed 002 §4.1.2
 * @example
 * formatTaskKey({ type: 'github_issue', owner: 'octo', repo: 'hello', number: 42 }); // 'github_issue:octo:hello:42'
 */
export function formatTaskKey(key: TaskKey): string {
  switch (key.type) {
    case 'github_issue':
    case 'github_pull_request':
      return joined(key.type, plain(key.owner), plain(key.repo), whole(key.number));
    case 'gitlab_issue':
      return joined(key.type, plain(key.projectId), whole(key.issueIid));
    case 'gitlab_merge_request':
      return joined(key.type, plain(key.projectId), whole(key.mrIid));
    case 'custom':
      return joined(key.type, ...[key.platform, key.project, key.id].map(percentEncoded));
  }
}

/**
 * Reads the canonical text.
 *
 * @throws PlatformError `invalid`, with the forms that a key may have, for everything else.
 * @example
 * parseTaskKey('gitlab_issue:7:42'); // { type: 'gitlab_issue', projectId: '7', issueIid: 42 }
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

const joined = (...parts: readonly string[]) => parts.join(':');

const isPart = (text: string) => /^[^:\s]+$/u.test(text);
const isPositive = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 1;

function plain(part: string): string {
  if (!isPart(part)) throw malformed(part);
  return part;
}

function whole(number: number): string {
  if (!isPositive(number)) throw malformed(String(number));
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

/**
 * One name for a thread, whichever way it is come by: `octo/hello#4` on GitHub, where an issue and a pull request
 * share their numbers, `42#4` and `42!4` on GitLab. Other platforms' threads are named by their keys.
 */
export function toThreadName(key: TaskKey): string {
  switch (key.type) {
    case 'github_issue':
    case 'github_pull_request':
      return `${key.owner}/${key.repo}#${key.number}`.toLowerCase();
    case 'gitlab_issue':
      return `${key.projectId}#${key.issueIid}`;
    case 'gitlab_merge_request':
      return `${key.projectId}!${key.mrIid}`;
    default:
      return formatTaskKey(key);
  }
}

/** One name for the repository of a thread, among those of one platform. */
export function toRepositoryName(key: TaskKey): string {
  switch (key.type) {
    case 'github_issue':
    case 'github_pull_request':
      return `${key.owner}/${key.repo}`.toLowerCase();
    case 'gitlab_issue':
    case 'gitlab_merge_request':
      return key.projectId;
    case 'custom':
      return JSON.stringify([key.platform, key.project]);
  }
}

/** A task key as it stands in state files: the seeds' dictionary, in snake_case. Types, not interfaces: so it fits a type of any JSON. */
export type TaskKeyJson =
  | {
      readonly type: 'github_issue' | 'github_pull_request';
      readonly owner: string;
      readonly repo: string;
      readonly number: number;
    }
  | { readonly type: 'gitlab_issue'; readonly project_id: string; readonly issue_iid: number }
  | { readonly type: 'gitlab_merge_request'; readonly project_id: string; readonly mr_iid: number }
  | { readonly type: 'custom'; readonly platform: string; readonly project: string; readonly id: string };

/**
 * The dictionary that the seeds call `TaskKey.to_dict`.
 *
 * @example
 * toTaskKeyJson({ type: 'gitlab_issue', projectId: '7', issueIid: 42 });
 * // { type: 'gitlab_issue', project_id: '7', issue_iid: 42 }
 */
export function toTaskKeyJson(key: TaskKey): TaskKeyJson {
  switch (key.type) {
    case 'gitlab_issue':
      return { type: key.type, project_id: key.projectId, issue_iid: key.issueIid };
    case 'gitlab_merge_request':
      return { type: key.type, project_id: key.projectId, mr_iid: key.mrIid };
    default:
      return { ...key };
  }
}

/**
 * Reads the dictionary back; unknown fields are ignored.
 *
 * @throws PlatformError `invalid` that names the field that is wrong.
 * @example
 * parseTaskKeyJson({ type: 'gitlab_issue', project_id: 7, issue_iid: 42 });
 * // { type: 'gitlab_issue', projectId: '7', issueIid: 42 }
 */
export function parseTaskKeyJson(json: unknown): TaskKey {
  if (typeof json !== 'object' || json === null) throw notAKey('it is not an object');
  const fields = json as Readonly<Record<string, unknown>>;
  const { type } = fields;
  switch (type) {
    case 'github_issue':
    case 'github_pull_request':
      return {
        type,
        owner: partOf(fields, 'owner'),
        repo: partOf(fields, 'repo'),
        number: numberOf(fields, 'number'),
      };
    case 'gitlab_issue':
      return { type, projectId: projectOf(fields), issueIid: numberOf(fields, 'issue_iid') };
    case 'gitlab_merge_request':
      return { type, projectId: projectOf(fields), mrIid: numberOf(fields, 'mr_iid') };
    case 'custom':
      return {
        type,
        platform: textOf(fields, 'platform'),
        project: textOf(fields, 'project'),
        id: textOf(fields, 'id'),
      };
    default:
      throw notAKey(
        '"type" is not one of github_issue, github_pull_request, gitlab_issue, gitlab_merge_request, custom',
      );
  }
}

function textOf(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw notAKey(`"${name}" is not a text`);
  return value;
}

function partOf(fields: Readonly<Record<string, unknown>>, name: string): string {
  const text = textOf(fields, name);
  if (!isPart(text)) throw notAKey(`"${name}" is empty or has a colon or a space`);
  return text;
}

function numberOf(fields: Readonly<Record<string, unknown>>, name: string): number {
  const value = fields[name];
  if (!isPositive(value)) throw notAKey(`"${name}" is not a whole number of at least 1`);
  return value;
}

/** GitLab's own JSON has numbers where an address may also carry the project's path. */
function projectOf(fields: Readonly<Record<string, unknown>>): string {
  const { project_id: id } = fields;
  return isPositive(id) ? String(id) : partOf(fields, 'project_id');
}

function notAKey(why: string): PlatformError {
  return new PlatformError(
    `This is not a task key: ${why}. It looks like ` +
      '{"type":"github_issue","owner":"octocat","repo":"hello","number":42}.',
    { code: 'invalid' },
  );
}
