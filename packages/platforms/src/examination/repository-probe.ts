import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { createBoundedFetch } from '../http/bounded-fetch.ts';
import { toLimitWait } from '../http/rate-limits.ts';
import { PlatformError } from '../platform-error.ts';

/** Fact about a repository and what an account may do there, found out without changing anything. */
export type RepositoryFinding =
  /**
   * It does not exist, or the token cannot see it; nothing else is known then. `status` is 200 if the answer is not that of the API.
   * `message` is the server's own; null if it has none.
   */
  | { readonly kind: 'invisible'; readonly status: number; readonly message: string | null }
  | { readonly kind: 'archived'; readonly url: string }
  | { readonly kind: 'issues-off'; readonly url: string }
  | { readonly kind: 'role-too-low'; readonly level: number; readonly url: string }
  | { readonly kind: 'right-missing' | 'right-unknown'; readonly right: string; readonly status: number }
  /** The API answers, git does not get there. `code` is that of the error, such as `unauthorized`; null if it has none. */
  | { readonly kind: 'git-fails'; readonly reason: string; readonly code: string | null }
  /** Every right is there, and git gets there. */
  | { readonly kind: 'may-write' }
  /** The token may not read checks: `jobs` where those of workflows are read instead, `nothing` where it may not read them either. */
  | { readonly kind: 'checks-hidden'; readonly shown: 'jobs' | 'nothing' }
  /** The label that people set is not there. */
  | { readonly kind: 'label-missing'; readonly label: string }
  /** Labels of ours that are not there. */
  | { readonly kind: 'labels-missing'; readonly labels: readonly string[] }
  | { readonly kind: 'labels-there' }
  /** The account can push to the default branch without a pull request. */
  | { readonly kind: 'default-branch-open'; readonly branch: string; readonly url: string }
  | { readonly kind: 'mentioned' | 'assignable' | 'not-assignable'; readonly login: string };

/** Way in which people give threads to the account: by a label, beside which the account sets others, by assignment, or by mention. */
export type ExaminedTrigger =
  | { readonly kind: 'label'; readonly label: string; readonly others: readonly string[] }
  | { readonly kind: 'assignment' }
  | { readonly kind: 'mention' };

/** Login of git over HTTP. */
export interface GitLogin {
  readonly cloneUrl: string;
  /** The user name that goes with the token. */
  readonly username: string;
  readonly token: string;
}

/** Options of an examiner. */
export interface ExaminerOptions {
  /** Address of the API, as a platform takes it. */
  readonly baseUrl: string;
  readonly token: string;
  /** Account that the token belongs to. */
  readonly login: string;
  readonly trigger: ExaminedTrigger;
  /** Asks git itself for the branches, as a run does; rejects with what it said. */
  readonly askGit: (login: GitLogin) => Promise<void>;
  /** True to send no request that writes, so rights are not asked for. Default: false. */
  readonly readsOnly?: boolean | undefined;
  /** Waits out a limit of requests. Default: real time. */
  readonly sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<unknown>) | undefined;
  /** Milliseconds since 1970. Default: the time of this machine. */
  readonly now?: (() => number) | undefined;
  /** Milliseconds for one answer. Default 15,000. */
  readonly timeoutMs?: number | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds out what a token may do in a repository or project, by its path, and tells each finding as soon as it is known.
 *
 * @throws PlatformError `unavailable` when there is no answer
 */
export type RepositoryExaminer = (path: string) => AsyncIterable<RepositoryFinding>;

/** Answer that a question over HTTP gets, whatever it is. */
export interface ProbeAnswer {
  readonly status: number;
  /** Parsed; null for a body that is no JSON. */
  readonly json: unknown;
}

interface GitProblem {
  readonly reason: string;
  readonly code: string | null;
}

/** Asks a platform and its git, of which only how they answer is of interest. */
export interface RepositoryProbe {
  /** Account and the way in which people give it threads. */
  readonly asks: Pick<ExaminerOptions, 'login' | 'trigger' | 'readsOnly'>;
  /** Asks the API, by what stands behind its address; with POST where there is a body. */
  readonly ask: (path: string, body?: object) => Promise<ProbeAnswer>;
  /** Asks git whether it would take a push: what git itself asks first. */
  readonly askPush: (cloneUrl: string) => Promise<ProbeAnswer>;
  /** Finds why git does not get there; null if it does. */
  readonly findGitProblem: (cloneUrl: string) => Promise<GitProblem | null>;
}

const longestWaitMs = 120_000;

/** Address and login of a platform's API, and the user name that its git takes. */
interface ProbedApi {
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly username: string;
}

/** Makes the probe of one platform. */
export function createProbe(
  { base, headers, username }: ProbedApi,
  { token, login, trigger, askGit, timeoutMs = 15_000, ...options }: ExaminerOptions,
): RepositoryProbe {
  const {
    fetch = globalThis.fetch,
    signal,
    readsOnly = false,
    now = Date.now,
    sleep = (milliseconds, end) => setTimeout(milliseconds, undefined, { ...(end && { signal: end }) }),
  } = options;
  const ask = async (url: string, init: RequestInit): Promise<ProbeAnswer> => {
    const route = `${init.method ?? 'GET'} ${url}`;
    const bounded = createBoundedFetch({ fetch, timeoutMs, signal, route, onRequest: undefined });
    // A redirect could carry the token to another host.
    const askOnce = () =>
      bounded(url, { ...init, redirect: 'manual' }).catch((cause: unknown) => {
        signal?.throwIfAborted();
        throw new PlatformError(findReason(cause), { code: 'unavailable', cause });
      });
    let response = await askOnce();
    // Many repositories in a row meet the limits of requests per minute and hour.
    const limitedMs = readLimitWait(response, now());
    if (limitedMs !== null && limitedMs <= longestWaitMs) {
      await sleep(limitedMs, signal);
      response = await askOnce();
    }
    const retryAfterMs = readLimitWait(response, now());
    if (retryAfterMs !== null) {
      const until = new Date(now() + retryAfterMs).toISOString();
      throw new PlatformError(`rate limited until ${until}`, { code: 'rate-limited', retryAfterMs });
    }
    return { status: response.status, json: await response.json().catch(() => null) };
  };
  const agent = { 'user-agent': 'agent-platforms' };
  const authorization = `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`;
  return {
    asks: { login, trigger, readsOnly },
    ask: (path, body) =>
      ask(`${base}${path}`, {
        headers: { ...agent, ...headers },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      }),
    askPush: (cloneUrl) =>
      ask(`${cloneUrl}/info/refs?service=git-receive-pack`, { headers: { ...agent, authorization } }),
    findGitProblem: (cloneUrl) =>
      askGit({ cloneUrl, username, token }).then(
        () => null,
        ({ message: reason, code }: Error & { readonly code?: unknown }) => ({
          reason,
          code: typeof code === 'string' ? code : null,
        }),
      ),
  };
}

/** Reads after how many milliseconds the server accepts requests again; null for an answer that names no time. */
function readLimitWait({ status, headers }: Response, now: number): number | null {
  if (status !== 403 && status !== 429) return null;
  const retryAfter = headers.get('retry-after') ?? undefined;
  const isSpent = headers.get('x-ratelimit-remaining') === '0';
  // GitLab has its reset in every answer, and refuses by its limit with 429.
  const name = isSpent ? 'x-ratelimit-reset' : status === 429 ? 'ratelimit-reset' : null;
  const resetSeconds = (name && headers.get(name)) ?? undefined;
  return retryAfter === undefined && resetSeconds === undefined
    ? null
    : toLimitWait({ retryAfter, resetSeconds }, now);
}

/** Finds why there was no answer: fetch hides it in a chain of causes. */
function findReason(error: unknown): string {
  let last = error;
  while (last instanceof Error && last.cause !== undefined) last = last.cause;
  const { code, message } = last as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? code : String(message ?? last);
}

const messageSchema = z.object({ message: z.string() });

/** Creates the finding of a repository about which the API says nothing more. */
export function toInvisible({ status, json }: ProbeAnswer): RepositoryFinding {
  const { data } = messageSchema.safeParse(json);
  return { kind: 'invisible', status, message: data?.message ?? null };
}

interface RightsQuestion {
  readonly askRights: () => Promise<readonly ProbedRight[]>;
  readonly cloneUrl: string;
}

/** A right, and how a question is answered to those who have it. */
export interface ProbedRight {
  readonly right: string;
  readonly granted: number;
  readonly answer: ProbeAnswer;
}

/** Tells the rights that are missing, and what git says where the API answered; or that all is well. */
export async function* examineAccess(
  probe: RepositoryProbe,
  { askRights, cloneUrl }: RightsQuestion,
): AsyncGenerator<RepositoryFinding> {
  if (probe.asks.readsOnly) return;
  const lacking = (await askRights()).filter(({ granted, answer }) => answer.status !== granted);
  for (const { right, answer } of lacking) {
    const { status } = answer;
    yield { kind: [401, 403, 404].includes(status) ? 'right-missing' : 'right-unknown', right, status };
  }
  const problem = await probe.findGitProblem(cloneUrl);
  if (problem !== null) yield { kind: 'git-fails', ...problem };
  else if (lacking.length === 0) yield { kind: 'may-write' };
}

/** Addresses behind which a platform tells what a trigger needs. */
interface TriggerAddresses {
  /** Says whether this label is there. */
  readonly label: (label: string) => string;
  /** Asks whether this account can be assigned; null where that could not be asked. */
  readonly askAssignable: (login: string) => Promise<boolean | null>;
}

/** Tells whether people can give threads of this repository to the account. */
export async function* examineTrigger(
  probe: RepositoryProbe,
  { label: toAddress, askAssignable }: TriggerAddresses,
): AsyncGenerator<RepositoryFinding> {
  const { trigger } = probe.asks;
  const login = probe.asks.login.replace(/\[bot\]$/, '');
  if (trigger.kind === 'mention') yield { kind: 'mentioned', login };
  else if (trigger.kind === 'assignment') {
    const isAssignable = await askAssignable(probe.asks.login);
    if (isAssignable !== null) yield { kind: isAssignable ? 'assignable' : 'not-assignable', login };
  } else {
    const { label, others } = trigger;
    const missing: string[] = [];
    for (const name of [label, ...others]) {
      const { status } = await probe.ask(toAddress(encodeURIComponent(name)));
      if (status === 404) missing.push(name);
      // Who may not ask has been told so by the rights.
      else if (status !== 200) return;
    }
    if (missing.includes(label)) yield { kind: 'label-missing', label };
    const ours = missing.filter((name) => name !== label);
    if (ours.length > 0) yield { kind: 'labels-missing', labels: ours };
    if (missing.length === 0) yield { kind: 'labels-there' };
  }
}
