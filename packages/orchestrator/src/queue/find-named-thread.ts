import {
  type CallOptions,
  PlatformError,
  parseTaskKey,
  parseThreadName,
  type TaskKey,
  type Thread,
  type ThreadName,
} from '@agent/platforms';
import { findTaskOfDraft } from '../admission/task-of-draft.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { type RecordedThread, toRecordedThread } from '../triggers/handover-records.ts';
import { listPagePaths } from '../triggers/thread-place.ts';

/** One thread of a platform. */
export interface NamedThread {
  readonly platform: ConfiguredPlatform;
  readonly key: TaskKey;
  /** Tasks that its runs are filed under: its own, and for a pull or merge request of the agent that of the issue. */
  readonly tasks: readonly RecordedThread[];
}

export interface FindThreadOptions extends CallOptions {
  readonly platforms: readonly ConfiguredPlatform[];
  /** Setting `branch_prefix`. */
  readonly branchPrefix: string;
}

/**
 * Finds the thread that a user names by the address of its page, by `owner/repo#42` (`group/project!42` for a merge request), or by its key.
 *
 * @throws PlatformError for a name that cannot be read, a platform or repository that is not configured, and a thread that cannot be read
 */
export async function findNamedThread(
  text: string,
  { platforms, branchPrefix, signal }: FindThreadOptions,
): Promise<NamedThread> {
  const { platform, key } = await resolveName(text, { platforms, signal });
  const ports = platform.platform.openThread(key);
  const thread = await ports.reader.readThread({ signal });
  requireConfigured(platform, thread);
  const ownAccount = await platform.platform.identity.whoAmI({ signal });
  const task = await findTaskOfDraft({ platform, ports }, { thread, ownAccount, branchPrefix, signal });
  const own = toRecordedThread(key, platform.platform);
  return { platform, key, tasks: task === null ? [own] : [own, task.filedAs] };
}

type Asking = Pick<FindThreadOptions, 'platforms' | 'signal'>;

async function resolveName(text: string, options: Asking): Promise<Pick<NamedThread, 'platform' | 'key'>> {
  const name = parseThreadName(text);
  if (name === null) return resolveKey(text, options);
  const platform =
    name.host === null ? findByPath(name, options) : findByHost({ ...name, host: name.host }, options);
  const { threads, name: called } = platform.platform;
  if (threads === undefined)
    throw invalid(
      `Threads of platforms.${called} have no address. Pass the key of one, such as custom:${called}:project:7.`,
    );
  return { platform, key: await threads.findThread(name, options) };
}

function findByHost({ host }: { readonly host: string }, { platforms }: Asking): ConfiguredPlatform {
  const found = platforms.find(({ platform }) => platform.host.toLowerCase() === host.toLowerCase());
  if (found !== undefined) return found;
  const known = platforms.map(({ platform }) => platform.host).join(', ');
  throw invalid(`${host} is not a host of the configured platforms: ${known}.`);
}

function findByPath({ path, kind, number }: ThreadName, { platforms }: Asking): ConfiguredPlatform {
  const taking = platforms.filter(
    ({ platform, takesFrom = () => true }) => platform.threads !== undefined && takesFrom(path),
  );
  // `!` names a merge request, which exists on GitLab only.
  const isMergeRequest = kind === 'change-request';
  const named = taking.filter(({ platform }) => !isMergeRequest || platform.name !== 'github');
  const [found, ...others] = named;
  if (found === undefined && taking.length > 0)
    throw invalid(`GitHub has no ${path}!${number}. Write ${path}#${number} for a pull request.`);
  if (found === undefined)
    throw invalid(
      `${path} is not a repository of this configuration. Add it to the section of its platform.`,
    );
  if (others.length === 0) return found;
  const hosts = named.map(({ platform }) => platform.host).join(', ');
  throw invalid(
    `${path} is configured on ${hosts}. Pass the URL of the issue, pull request or merge request.`,
  );
}

function resolveKey(text: string, { platforms }: Asking): Pick<NamedThread, 'platform' | 'key'> {
  const key = parseKey(text.trim());
  if (key === null)
    throw invalid(
      `${JSON.stringify(hideUserInfo(text).slice(0, 200))} names no issue, pull request or merge request. Pass its URL, owner/repo#42, group/project!42, or its key.`,
    );
  const named = platforms.filter(({ platform }) => isOf(platform, key));
  const [platform, ...others] = named;
  if (platform === undefined)
    throw invalid(`No configured platform has threads with the key ${text.trim()}.`);
  if (others.length === 0) return { platform, key };
  throw invalid(
    `Several configured platforms have threads with the key ${text.trim()}. Pass the URL instead.`,
  );
}

/** The name of a thread without the user and the password that its address may contain: for messages. */
export function hideUserInfo(name: string): string {
  return name.replace(/^(\s*[a-z][a-z\d+.-]*:\/\/)[^/?#]*@/iu, '$1');
}

function parseKey(text: string): TaskKey | null {
  try {
    return parseTaskKey(text);
  } catch {
    return null;
  }
}

/** Opening makes no request, and refuses a key of another platform. */
function isOf({ name, openThread }: ConfiguredPlatform['platform'], key: TaskKey): boolean {
  if (key.type === 'custom') return key.platform === name;
  try {
    openThread(key);
    return true;
  } catch (error) {
    if (PlatformError.isInstance(error) && error.code === 'invalid') return false;
    throw error;
  }
}

function requireConfigured({ takesFrom, isRemoved }: ConfiguredPlatform, thread: Thread): void {
  const paths = listPagePaths(thread.url);
  const isTaken = takesFrom === undefined || paths.length === 0 || paths.some(takesFrom);
  if (isTaken && isRemoved?.(thread) !== true) return;
  throw invalid(
    `${thread.url} is not in a repository of this configuration. Add the repository to the section of its platform.`,
  );
}

function invalid(message: string): PlatformError {
  return new PlatformError(message, { code: 'invalid' });
}
