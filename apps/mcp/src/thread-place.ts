import { type CustomTaskKey, parseTaskKey, type TaskKey } from '@agent/platforms';
import { z } from 'zod';

/** Options of an adapter, in its own words. */
export type AdapterOptions = Readonly<Record<string, unknown>>;

/** Place of a thread: the platform to ask, and how the thread is called there. */
export type ThreadPlace =
  | {
      readonly platform: 'github';
      readonly baseUrl: string;
      readonly repository: string;
      readonly key: TaskKey;
    }
  | {
      readonly platform: 'gitlab';
      readonly baseUrl: string;
      readonly project: string;
      readonly kind: 'issues' | 'merge_requests';
      readonly iid: number;
    }
  | {
      readonly platform: 'adapter';
      readonly module: string;
      readonly options: AdapterOptions;
      readonly key: CustomTaskKey;
    };

/** Words of the command line that say which thread it is. */
export interface ThreadWords {
  /** Page of the thread, or the key of one that an adapter knows. */
  readonly thread: string;
  /** Module of an adapter. */
  readonly adapter?: string | undefined;
  /** Its options, as JSON. */
  readonly adapterOptions?: string | undefined;
  /** Address of the API, where the page does not say it. */
  readonly apiUrl?: string | undefined;
}

const gitLabPath = /^\/(?<project>.+?)\/-\/(?<kind>issues|work_items|merge_requests)\/(?<iid>\d+)\/?$/;
const gitHubPath = /^\/(?<owner>[\w.-]+)\/(?<repo>[\w.-]+)\/(?<kind>issues|pull)\/(?<number>\d+)\/?$/;

/**
 * Reads where a thread is from the address of its page. On a server of one's own, GitHub's API is below `/api/v3`.
 *
 * @throws TypeError that says what an address looks like
 */
export function parseThreadPlace({ thread, adapter, adapterOptions, apiUrl }: ThreadWords): ThreadPlace {
  if (adapter !== undefined)
    return {
      platform: 'adapter',
      module: adapter,
      options: parseOptions(adapterOptions),
      key: parseCustomKey(thread),
    };
  const url = URL.canParse(thread) ? new URL(thread) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw unreadable(thread);
  const gitLab = gitLabPath.exec(url.pathname)?.groups;
  if (gitLab !== undefined) {
    const { project = '', kind, iid } = gitLab;
    return {
      platform: 'gitlab',
      baseUrl: apiUrl ?? url.origin,
      project: decodeURIComponent(project),
      kind: kind === 'merge_requests' ? kind : 'issues',
      iid: Number(iid),
    };
  }
  const gitHub = gitHubPath.exec(url.pathname)?.groups;
  if (gitHub === undefined) throw unreadable(thread);
  const { owner = '', repo = '', kind, number } = gitHub;
  const baseUrl = url.host === 'github.com' ? 'https://api.github.com' : `${url.origin}/api/v3`;
  const type = kind === 'pull' ? 'github_pull_request' : 'github_issue';
  return {
    platform: 'github',
    baseUrl: apiUrl ?? baseUrl,
    repository: `${owner}/${repo}`,
    key: { type, owner, repo, number: Number(number) },
  };
}

function unreadable(thread: string): TypeError {
  return new TypeError(
    `${JSON.stringify(thread.slice(0, 200))} is not the URL of an issue, pull request, or merge request. Pass one such as https://github.com/octo/hello/issues/7 ` +
      'or https://gitlab.com/group/project/-/merge_requests/7, or use --adapter and pass the key of a task.',
  );
}

function parseCustomKey(thread: string): CustomTaskKey {
  const key = parseTaskKey(thread);
  if (key.type === 'custom') return key;
  throw new TypeError('With --adapter, --thread must be a key such as custom:tracker:project:7.');
}

function parseOptions(text = '{}'): AdapterOptions {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch (cause) {
    throw new TypeError('--adapter-options must be a JSON object, such as {"tasks":"./tasks"}.', {
      cause,
    });
  }
}
