import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { OpenThreadOptions, Platform, RequestRecord } from '@agent/platforms';
import {
  createDoorbell,
  createRepositoryFeeds,
  createRequestBudget,
  type Doorbell,
  openThreadSource,
  type RequestBudgetOptions,
  type Ring,
  type SharedAnswers,
  type SharedCredentials,
  type ThreadSourceOptions,
} from '@agent/platforms/sources';
import { createOutgoingGate, listPlaces, type OutgoingGate } from '@agent/text/outgoing';
import type { SecretValues } from '@agent/text/secrets';
import type { GitToken } from '@agent/workspace';
import type { ProtectPaths } from '@agent/workspace/config';
import type { ObserveBoard } from '../board/board-event.ts';
import type { Environment, RunDirectories, RunLogger } from '../host/ports.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import type { CommentListName } from '../thread/review-sources.ts';
import { createAssignmentTrigger } from '../triggers/assignment-trigger.ts';
import { fetchWhileOwned, gitTokenWhileOwned, type Owner } from './while-owned.ts';
import { withOutgoingGate } from './with-outgoing-gate.ts';

export interface ConnectAllOptions {
  readonly directories: RunDirectories;
  readonly secrets: SecretValues;
  readonly environment: Environment;
  /** Rules for changed paths. Default: the defaults of protected paths count. */
  readonly protection?: ProtectPaths | undefined;
  readonly logger: RunLogger;
  /** Clock of the polls, in milliseconds since 1970. Default the real ones. */
  readonly now?: (() => number) | undefined;
}

/** Options of a platform that is opened here: it tells of each of its requests, and has the answers of other processes. */
export interface PlatformConnection {
  /** Sends no write once this process lost its runs. */
  readonly fetch: typeof globalThis.fetch;
  readonly onRequest: (record: RequestRecord) => void;
  /** Null where this process has the credential for itself. */
  readonly answers: SharedAnswers | null;
}

/** A platform, and what is otherwise there than by default. */
export interface PlatformSetup extends Partial<Omit<ConfiguredPlatform, 'platform'>> {
  /** A platform that is open already has the requests of its threads counted, and no other. */
  readonly platform: Platform | ((connection: PlatformConnection) => Platform);
  /** For git over HTTP, asked before each command; null for none. Default the platform's `gitCredential`. Name it among the secrets, too. */
  readonly gitToken?: GitToken | undefined;
}

/** Connects to the platforms, once this process may write where runs are kept. */
export type ConnectPlatforms = (at: {
  readonly observe: ObserveBoard;
  /** Rung by webhooks: names the threads that are worth a poll now. */
  readonly doorbell: Doorbell;
  /** Use that other processes make of the same credentials, and the answers that they had; null for a process that shares none. */
  readonly shared: SharedCredentials | null;
  /** Compared before each write is sent to a platform. */
  readonly owner: Owner;
  readonly signal: AbortSignal;
}) => Promise<readonly ConfiguredPlatform[]>;

/** Gives platforms what tasks need there: by default the trigger of assignment, and worktrees without a token. */
export function connectAll(
  platforms: readonly (Platform | PlatformSetup)[],
  { directories, secrets, environment, protection, logger, now }: ConnectAllOptions,
): ConnectPlatforms {
  return async ({ doorbell, shared, owner, signal }) => {
    const { createGitWorkspaces } = await import('@agent/workspace');
    const gate = openGate(directories, secrets);
    const configure = async ({
      platform: opened,
      gitToken,
      ...given
    }: PlatformSetup): Promise<ConfiguredPlatform> => {
      const { tell, ...connection } = openConnection(shared, owner);
      const platform =
        typeof opened === 'function' ? opened(connection) : countThreadRequests(opened, connection);
      const account = await platform.identity.whoAmI({ signal });
      const credential = [platform.host, account.id];
      // Other servers have other limits on what is created.
      const contents = platform.host === 'github.com' ? {} : { contentsPerHour: Number.POSITIVE_INFINITY };
      const pace = now === undefined ? contents : { ...contents, now };
      const feeds = createCommentFeeds(pace, { doorbell, shared, credential, logger, pollClock: now });
      tell(feeds.onRequest);
      return {
        platform: withOutgoingGate(platform, gate),
        trigger: createAssignmentTrigger(platform),
        confidentialIssues: 'refuse',
        workspaces: createGitWorkspaces({
          directory: directories.workspaces,
          token: gitTokenWhileOwned(gitToken ?? toGitToken(platform), owner),
          localRepositories: true,
          gate,
          protection,
          authorName: account.login,
          authorEmail: `${account.login.replace(/[^\w.+-]+/g, '-')}@${platform.host.replace(/:\d+$/, '')}`,
          logger,
          environment,
        }),
        openSource: feeds.openOn(platform),
        runHolds: feeds.runHolds,
        requestsLeft: feeds.requestsLeft,
        contentsLeft: feeds.contentsLeft,
        botName: null,
        trust: { everyone: false, collaborators: true, isNamed: () => false },
        ...given,
      };
    };
    return Promise.all(platforms.map((one) => configure('platform' in one ? one : { platform: one })));
  };
}

/**
 * Gives git the login of a platform's `gitCredential`, at https servers and on this machine alone.
 *
 * @param onToken called with each password before it is used
 */
export function toGitToken(
  { gitCredential }: Platform,
  onToken: (token: { readonly value: string; readonly endsAt: null }) => void = () => {},
): GitToken {
  return async ({ cloneUrl = '', ...options } = {}) => {
    if (gitCredential === undefined || !isProtected(cloneUrl)) return null;
    const login = await gitCredential({ cloneUrl }, options);
    if (login === null) return null;
    onToken({ value: login.password, endsAt: null });
    return { username: login.username, token: login.password };
  };
}

function isProtected(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
}

/** Keeps what is told of requests until there is somebody to tell. */
function openConnection(shared: SharedCredentials | null, owner: Owner) {
  const early: RequestRecord[] = [];
  let listener = (record: RequestRecord): void => void early.push(record);
  return {
    fetch: fetchWhileOwned(globalThis.fetch, owner),
    answers: shared?.answers ?? null,
    onRequest: (record: RequestRecord) => listener(record),
    tell: (onRequest: PlatformConnection['onRequest']) => {
      listener = onRequest;
      early.splice(0).forEach(onRequest);
    },
  };
}

/** Keeps secrets and the paths of this machine out of what is written on threads and pushed. */
function openGate({ contexts, paused, workspaces }: RunDirectories, secrets: SecretValues): OutgoingGate {
  const directories = {
    [resolve('.')]: 'the directory of the program',
    [contexts]: 'the directory of runs',
    [paused]: 'the directory of paused runs',
    [workspaces]: 'the directory of workspaces',
  };
  const places = listPlaces({ directories, endpoints: [], publicHosts: [] });
  return createOutgoingGate({ secrets, places, allow: { paths: [], fingerprints: [] } });
}

/** The comments of one platform, for all runs there. */
export interface CommentFeeds
  extends Omit<PlatformConnection, 'fetch'>,
    Required<Pick<ConfiguredPlatform, 'runHolds' | 'requestsLeft' | 'contentsLeft'>> {
  readonly openOn: (platform: Platform) => ConfiguredPlatform['openSource'];
}

/** Surroundings of the comments of one platform. */
export interface CommentFeedsOptions {
  /** The bell that webhooks ring. Default one that nobody rings. */
  readonly doorbell?: Doorbell | undefined;
  /** Use that other processes make of the same credential. Default null: this process has it for itself. */
  readonly shared?: SharedCredentials | null | undefined;
  /** Says which credential it is, such as address and token; only a fingerprint leaves the process. */
  readonly credential?: readonly string[] | undefined;
  readonly logger?: RunLogger | undefined;
  /** Clock of the polls, which only moves forward, in milliseconds; no time of day. Default the real one. */
  readonly pollClock?: (() => number) | undefined;
}

/** Milliseconds that a thread is left alone whose webhooks have been heard and are quiet: some get lost. */
const sweepIntervalMs = 90_000;

/**
 * Creates one budget for all requests of a credential, and the sources of everybody who polls comments with it.
 *
 * @example
 * const feeds = createCommentFeeds({});
 * const source = feeds.openOn(platform)(platform.openThread(key));
 */
export function createCommentFeeds(
  pace: RequestBudgetOptions,
  {
    doorbell: bell = createDoorbell(),
    shared = null,
    credential = [],
    logger,
    pollClock,
  }: CommentFeedsOptions = {},
): CommentFeeds {
  const credentialKey = createHash('sha256').update(JSON.stringify(credential)).digest('hex');
  const clock = pollClock === undefined ? {} : { now: pollClock };
  const budget = createRequestBudget({ ...pace, shared: shared?.use, credentialKey, logger });
  return {
    onRequest: budget.record,
    answers: shared?.answers ?? null,
    runHolds: budget.runHolds,
    requestsLeft: budget.left,
    contentsLeft: budget.contentsLeft,
    openOn: (platform) => {
      const lists = toSharedLists(platform, { budget, ...clock });
      return (thread, list = 'conversation') =>
        openThreadSource(thread, {
          ...clock,
          ...lists[list],
          budget,
          bell: ringingFor(bell, list),
          sweepIntervalMs,
        });
    },
  };
}

/** Manner in which a list is heard: out of the poll of its repository, or when that names its thread (`rests`). */
type SharedList = Required<Pick<ThreadSourceOptions, 'feeds' | 'rests'>>;

/** The polls that all threads of a repository share, by list. */
function toSharedLists(
  { openChanges, openLineChanges, openRequestChanges }: Platform,
  options: Omit<Parameters<typeof createRepositoryFeeds>[0], 'openChanges'>,
): Readonly<Record<CommentListName, SharedList>> {
  const openFeeds = (open: Platform['openChanges']) =>
    createRepositoryFeeds({ openChanges: open, ...options });
  const conversation = { feeds: openFeeds(openChanges), rests: false };
  const isOne = openRequestChanges === openChanges;
  const request = { feeds: isOne ? conversation.feeds : openFeeds(openRequestChanges), rests: true };
  const lines = openLineChanges === undefined ? request : { feeds: openFeeds(openLineChanges), rests: false };
  return { conversation, lines, reviews: request, checks: request, request };
}

const idPrefixes: Readonly<Record<CommentListName, RegExp>> = {
  conversation: /^(?!(?:line|review|check)-)/,
  lines: /^line-/,
  reviews: /^review-/,
  checks: /^check-/,
  // The change request itself: no comment has this id.
  request: /^request$/,
};

/** The bell, as far as one list can show what it rings for. */
function ringingFor(bell: Doorbell, list: CommentListName): Doorbell {
  const hears = ({ commentId }: Ring) => commentId === null || idPrefixes[list].test(commentId);
  return {
    ...bell,
    onRing: (key, listener) => bell.onRing(key, (ring) => (hears(ring) ? listener(ring) : undefined)),
  };
}

/**
 * The same platform, which tells of the requests of its threads, where it tells of any.
 *
 * @example
 * const counted = countThreadRequests(platform, createCommentFeeds({}));
 */
export function countThreadRequests(
  platform: Platform,
  { onRequest }: Pick<PlatformConnection, 'onRequest'>,
): Platform {
  const counted = (options: OpenThreadOptions = {}): OpenThreadOptions => ({
    onRequest: (record) => {
      onRequest(record);
      options.onRequest?.(record);
    },
  });
  const { openReview, openLineChanges, openRequestChanges } = platform;
  const countChanges = (open: Platform['openChanges']): Platform['openChanges'] =>
    open && ((key, options) => open(key, counted(options)));
  const openChanges = countChanges(platform.openChanges);
  return {
    ...platform,
    openThread: (key, options) => platform.openThread(key, counted(options)),
    openChanges,
    openReview: openReview && ((key, options) => openReview(key, counted(options))),
    openLineChanges: countChanges(openLineChanges),
    // One that names both stays one poll.
    openRequestChanges:
      openRequestChanges === platform.openChanges ? openChanges : countChanges(openRequestChanges),
  };
}
