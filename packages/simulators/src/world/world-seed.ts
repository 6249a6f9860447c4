import type { DiscordRoute } from '../discord/index.ts';
import type {
  GitHubSimulatorOptions,
  SimulatedCommentSeed,
  SimulatedFailure,
  SimulatedIssueSeed,
  SimulatedPullRequestSeed,
  SimulatedPushSeed,
  SimulatedRepositorySeed,
  SimulatedTokenSeed,
  SimulatedUserSeed,
} from '../github/index.ts';
import type { SimulatedGitLabFailure } from '../gitlab/gitlab-simulator.ts';
import type {
  SimulatedGitLabIssueSeed,
  SimulatedGitLabPushSeed,
  SimulatedGitLabTokenSeed,
  SimulatedGitLabUserSeed,
  SimulatedMergeRequestSeed,
  SimulatedNoteSeed,
  SimulatedProjectSeed,
} from '../gitlab/seeds.ts';
import type { Misbehavior, ScriptedReply } from '../model/index.ts';

/** Description of a world, as a file holds it: a section for each simulator that is to start. */
export interface WorldSeed {
  readonly github?: GitHubWorld;
  readonly gitlab?: GitLabWorld;
  readonly discord?: DiscordWorld;
  readonly model?: ModelWorld;
}

/** A GitHub, in the order in which it is planted. */
export interface GitHubWorld extends Pick<GitHubSimulatorOptions, 'secondaryLimits'> {
  /** A login alone is a person. */
  readonly users?: readonly (string | SimulatedUserSeed)[];
  readonly repositories?: readonly SimulatedRepositorySeed[];
  readonly tokens?: readonly SimulatedTokenSeed[];
  readonly pushes?: readonly Omit<SimulatedPushSeed, 'force'>[];
  readonly protectedBranches?: readonly { readonly repo: string; readonly branch: string }[];
  readonly issues?: readonly SimulatedIssueSeed[];
  readonly pullRequests?: readonly SimulatedPullRequestSeed[];
  readonly comments?: readonly SimulatedCommentSeed[];
  /** Primary limit per token and hour. Default: 5,000. */
  readonly rateLimit?: RateLimit;
  readonly faults?: readonly ForgeFault<SimulatedFailure['kind']>[];
}

/** A GitLab, in the order in which it is planted. */
export interface GitLabWorld {
  /** Folder of the address that it is installed at, e.g. `/gitlab`; default none. */
  readonly relativeUrlRoot?: string;
  /** Default: `free`. */
  readonly tier?: 'free' | 'premium';
  /** A username alone is a person. */
  readonly users?: readonly (string | SimulatedGitLabUserSeed)[];
  readonly tokens?: readonly SimulatedGitLabTokenSeed[];
  readonly projects?: readonly SimulatedProjectSeed[];
  readonly pushes?: readonly Omit<SimulatedGitLabPushSeed, 'force'>[];
  readonly issues?: readonly SimulatedGitLabIssueSeed[];
  readonly mergeRequests?: readonly SimulatedMergeRequestSeed[];
  readonly notes?: readonly Omit<SimulatedNoteSeed, 'system'>[];
  /** Requests per user and minute. Default: none. */
  readonly rateLimit?: RateLimit;
  readonly faults?: readonly ForgeFault<SimulatedGitLabFailure['kind']>[];
}

interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
}

/** A fault of a forge: its kind alone, or with the requests that are meant. */
export type ForgeFault<Kind extends string> =
  | Kind
  | {
      readonly kind: Kind;
      /** Part of the path with query; default: any. */
      readonly path?: string;
      readonly method?: string;
      /** Default 1. */
      readonly times?: number | 'always';
      /** For `slow`: how long; default 1,000. For `lag`: default 60,000. */
      readonly delayMs?: number;
      /** For limits; default 60. */
      readonly retryAfterSeconds?: number;
      /** For `refused`, and for GitHub's limits; default 403. */
      readonly status?: number;
    };

/** A Discord, in the order in which it is planted. */
export interface DiscordWorld {
  readonly botName?: string;
  readonly token?: string;
  /** Text channels beside `general`. */
  readonly channels?: readonly string[];
  readonly messages?: readonly {
    readonly author: string;
    readonly text: string;
    /** Default: `general`. */
    readonly channel?: string;
    /** Puts a mention of the bot before the text. Default: false. */
    readonly mention?: boolean;
  }[];
  readonly faults?: readonly DiscordFault[];
}

/** A fault of a Discord: of a route, or of the gateway. */
export type DiscordFault =
  | {
      readonly kind: 'fail';
      readonly route: DiscordRoute;
      readonly status: number;
      readonly code?: number;
      readonly message?: string;
      readonly times?: number;
      /** True: what was wanted happens nevertheless. Default: false. */
      readonly isDone?: boolean;
    }
  | {
      readonly kind: 'limit';
      readonly route: DiscordRoute;
      /** Null: without `Retry-After`. */
      readonly retryAfterMs: number | null;
      /** Discord's own code, such as 30046. */
      readonly code?: number;
      readonly global?: boolean;
      /** Cloudflare blocks, with a text and without JSON. */
      readonly isCloudflare?: boolean;
      readonly times?: number;
    }
  | { readonly kind: 'swallow-resumes'; readonly times?: number }
  | { readonly kind: 'drop-gateway'; readonly code?: number | null }
  | { readonly kind: 'forget-sessions' | 'deaf-gateway' | 'lose-events' }
  | 'drop-gateway'
  | 'forget-sessions'
  | 'swallow-resumes'
  | 'lose-events'
  | 'deaf-gateway';

/** A scripted model. */
export interface ModelWorld {
  /** Answers in order, one a turn of a conversation; it stays at the last. Default: one that says that it is a script. */
  readonly replies?: readonly ScriptedReply[];
  /** Default: `scripted-model`. */
  readonly models?: readonly string[];
  /** Default: no key is asked for. */
  readonly apiKey?: string;
  readonly faults?: readonly ModelFaultSeed[];
}

/** A fault of a model: its kind alone, or with how often (default: once). */
export type ModelFaultSeed =
  | Exclude<Misbehavior['kind'], 'status' | 'slow'>
  | (Misbehavior & { readonly times?: number });
