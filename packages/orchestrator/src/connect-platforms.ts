import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { ChangeRequests, CommentWriter, Platform, RequestRecord } from '@agent/platforms';
import {
  createDoorbell,
  createRepositoryFeeds,
  createRequestBudget,
  type Doorbell,
  openThreadSource,
  type RequestBudgetOptions,
  type SharedUse,
} from '@agent/platforms/sources';
import { createOutgoingGate, listPlaces, type OutgoingGate } from '@agent/text/outgoing';
import type { Environment, RunDirectories, RunLogger } from './ports.ts';
import type { ConfiguredPlatform } from './run/run-thread.ts';
import type { ConnectPlatforms } from './run-work.ts';
import { createAssignmentTrigger } from './triggers/assignment-trigger.ts';

export interface ConnectAllOptions {
  readonly directories: RunDirectories;
  readonly secrets: readonly string[];
  readonly environment: Environment;
  readonly logger: RunLogger;
}

/** A platform, and what is otherwise there than by default. */
export interface PlatformSetup
  extends Pick<ConfiguredPlatform, 'platform'>,
    Partial<Omit<ConfiguredPlatform, 'platform'>> {
  /** For git over HTTP, asked before each command; null for none. Default none. Name it among the secrets, too. */
  readonly gitToken?: (() => string | null) | undefined;
}

/** Gives platforms what tasks need there: by default the trigger of assignment, and worktrees without a token. */
export function connectAll(
  platforms: readonly (Platform | PlatformSetup)[],
  { directories, secrets, environment, logger }: ConnectAllOptions,
): ConnectPlatforms {
  return async ({ doorbell, shared, signal }) => {
    const { createGitWorkspaces } = await import('@agent/workspace');
    const gate = openGate(directories, secrets);
    const configure = async ({
      platform,
      gitToken = () => null,
      ...given
    }: PlatformSetup): Promise<ConfiguredPlatform> => {
      const account = await platform.identity.whoAmI({ signal });
      const credential = [platform.host, account.id];
      const feeds = createCommentFeeds({}, { doorbell, shared, credential, logger });
      return {
        platform: withOutgoingGate(platform, gate),
        trigger: createAssignmentTrigger(platform),
        confidentialIssues: 'refuse',
        workspaces: createGitWorkspaces({
          directory: directories.workspaces,
          token: gitToken,
          localRepositories: true,
          gate,
          authorName: account.login,
          authorEmail: `${account.login.replace(/[^\w.+-]+/g, '-')}@${platform.host.replace(/:\d+$/, '')}`,
          logger,
          environment,
        }),
        openSource: feeds.openOn(platform),
        runWaitMs: feeds.runWaitMs,
        botName: null,
        trust: { everyone: false, collaborators: true, isNamed: () => false },
        ...given,
      };
    };
    return Promise.all(platforms.map((one) => configure('platform' in one ? one : { platform: one })));
  };
}

/** Keeps secrets and the paths of this machine out of what is written on threads and pushed. */
function openGate(
  { contexts, paused, workspaces }: RunDirectories,
  secrets: readonly string[],
): OutgoingGate {
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
export interface CommentFeeds extends Pick<ConfiguredPlatform, 'runWaitMs'> {
  /** To be told of every request of the platform's credential. */
  readonly onRequest: (record: RequestRecord) => void;
  readonly openOn: (platform: Platform) => ConfiguredPlatform['openSource'];
}

/** Surroundings of the comments of one platform. */
export interface CommentFeedsOptions {
  /** The bell that webhooks ring. Default one that nobody rings. */
  readonly doorbell?: Doorbell | undefined;
  /** Use that other processes make of the same credential. Default null: this process has it for itself. */
  readonly shared?: SharedUse | null | undefined;
  /** Says which credential it is, such as address and token; only a fingerprint leaves the process. */
  readonly credential?: readonly string[] | undefined;
  readonly logger?: RunLogger | undefined;
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
  { doorbell: bell = createDoorbell(), shared = null, credential = [], logger }: CommentFeedsOptions = {},
): CommentFeeds {
  const credentialKey = createHash('sha256').update(JSON.stringify(credential)).digest('hex');
  const budget = createRequestBudget({ ...pace, shared, credentialKey, logger });
  return {
    onRequest: budget.record,
    runWaitMs: budget.runWaitMs,
    openOn: ({ openChanges }) => {
      const feeds = createRepositoryFeeds({ openChanges, budget });
      return (thread) => openThreadSource(thread, { budget, bell, feeds, sweepIntervalMs });
    },
  };
}

/**
 * The same platform: every text that is written there goes through the gate, whoever composed it.
 *
 * @example
 * const gate = createOutgoingGate({ secrets: [token], places: [], allow: { paths: [], fingerprints: [] } });
 * const guarded = withOutgoingGate(platform, gate);
 */
export function withOutgoingGate(platform: Platform, gate: OutgoingGate): Platform {
  return {
    ...platform,
    openThread: (key, options) => {
      const thread = platform.openThread(key, options);
      const { writer, changeRequests } = thread;
      return {
        ...thread,
        writer: guardWriter(writer, gate),
        changeRequests: changeRequests && guardChangeRequests(changeRequests, gate),
      };
    },
  };
}

function guardWriter(writer: CommentWriter, gate: OutgoingGate): CommentWriter {
  return {
    ensureComment: async (comment) =>
      writer.ensureComment({ ...comment, body: await gate.cleanText(comment.body) }),
  };
}

/** Guards titles and bodies. What people wrote in a body is none of ours: only what is joined to it goes through. */
function guardChangeRequests(changeRequests: ChangeRequests, gate: OutgoingGate): ChangeRequests {
  return {
    ...changeRequests,
    ensureDraft: async (draft) => {
      const title = await gate.cleanLine(draft.title);
      const body = await gate.cleanText(draft.body);
      return changeRequests.ensureDraft({ ...draft, title, body });
    },
  };
}
