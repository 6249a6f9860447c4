import { resolve } from 'node:path';
import type { Platform } from '@agent/platforms';
import type { CredentialSettings, OnToken, OpenedCredential } from '@agent/platforms/credentials';
import type {
  CredentialExamination,
  CredentialFinding,
  ExaminerOptions,
  RepositoryExaminer,
} from '@agent/platforms/examination';
import type { Doorbell, SharedCredentials } from '@agent/platforms/sources';
import type { WebhookOrigin } from '@agent/platforms/webhooks';
import type { StorageNotes } from '@agent/run-store';
import type { Locale } from '@agent/text';
import type { GitToken, GitWorkspaces } from '@agent/workspace';
import type { z } from 'zod';
import type { ObserveBoard } from '../board/board-event.ts';
import { readSecret } from '../config/config-error.ts';
import { fetchWithoutWrites, type Observer } from '../connection/observer.ts';
import { fetchWhileOwned, type Owner } from '../connection/while-owned.ts';
import type { Environment, RunLogger } from '../host/ports.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { createAssignmentTrigger } from '../triggers/assignment-trigger.ts';
import { createLabelTrigger } from '../triggers/label-trigger.ts';
import { createMentionStore } from '../triggers/mention-ledger.ts';
import { createMentionTrigger } from '../triggers/mention-trigger.ts';
import type { TaskTrigger } from '../triggers/task-trigger.ts';
import { type BuiltInSection, type PlatformLabels, toTaskLabels } from './section.ts';

/** Everything that is particular to one built-in platform. */
export interface PlatformEntry<Section extends BuiltInSection> {
  /** Its section of the configuration. */
  readonly schema: z.ZodType<Section>;
  /** Repositories or projects that tasks come from, as `group/name`, and patterns of them. */
  readonly listPlaces: (section: Section) => readonly string[];
  /** Opens the credential that the section names. Throws `ConfigError` where a variable is not set. */
  readonly openCredential: (section: Section, options: CredentialSurroundings) => Promise<OpenedCredential>;
  /** Connects and finds out who we are. */
  readonly connect: (section: Section, options: ConnectOptions) => Promise<ConnectedPlatform>;
  readonly webhooks: {
    /** Key of its section in `webhooks` that names the variable with the secret. */
    readonly key: string;
    /** The variable, where the configuration names none. */
    readonly variable: string;
    readonly createOrigin: (secret: string) => Promise<WebhookOrigin>;
  };
  readonly examination: {
    /** Page on which a token is made, for an API at this address. */
    readonly findTokenPage: (baseUrl: string) => Promise<string>;
    /** Finds out what a credential lacks, and when its token ends. */
    readonly examineCredential: (options: CredentialExamination) => Promise<readonly CredentialFinding[]>;
    /** Finds out what a token may do in one of the places, without changing anything. */
    readonly createExaminer: (options: ExaminerOptions) => Promise<RepositoryExaminer>;
  };
  readonly init: {
    /** Key of the list of places in its section. */
    readonly list: string;
    readonly baseUrl: string;
    /** Form of the API address of a self-hosted server. */
    readonly ownBaseUrl: string;
    readonly tokenVariable: string;
    /** Rights that a token needs, in the platform's own words. */
    readonly tokenRights: string;
  };
}

/** Settings of the trigger of mentions. */
export interface MentionSettings {
  /** Keep what was handled, a note for each host. */
  readonly notes: StorageNotes;
  /** True when runs are told of comments while they work. */
  readonly runsHear: boolean;
  /** True where a user names the thread to work on. Default false. */
  readonly named?: boolean | undefined;
  /** Shows the comments that a process would have written, by which a mention counts as handled. Default: they are written. */
  readonly observer?: Observer | undefined;
}

/** Surroundings that a credential is opened with. */
export interface CredentialSurroundings {
  readonly environment: Environment;
  /** Directory of the configuration file. */
  readonly directory: string;
  /** Told of each token before it is used. Default nothing. */
  readonly onToken?: OnToken | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** Opens the credential of a section; `place` is one of its repositories, and `purpose` what a token has to be good for. */
export async function openSectionCredential(
  section: CredentialSettings,
  {
    environment,
    directory,
    onToken,
    now,
    ...words
  }: CredentialSurroundings & { readonly place: string; readonly purpose: string },
): Promise<OpenedCredential> {
  const { openCredential } = await import('@agent/platforms/credentials');
  return openCredential(section, {
    ...words,
    readVariable: (name, purpose) => readSecret(environment, { name, purpose }),
    resolvePath: (path) => resolve(directory, path),
    onToken,
    now,
  });
}

/** Surroundings that every platform is connected with. */
export interface ConnectOptions extends CredentialSurroundings {
  readonly mentions: MentionSettings;
  /** Milliseconds on a clock that is never set. Default that of the process. */
  readonly monotonicNow?: (() => number) | undefined;
  /** Places as the configuration names them now. Default: those of the section. */
  readonly listPlaces?: (() => readonly string[]) | undefined;
  /** Language of our comments; null where each thread decides. */
  readonly locale: Locale | null;
  /** Opens git's side of a platform, for an account that may log in there. */
  readonly openWorkspaces: (access: ForgeAccess) => Promise<GitWorkspaces>;
  readonly logger: RunLogger;
  readonly observe: ObserveBoard;
  readonly signal: AbortSignal;
  /** The bell that webhooks ring. Default one that nobody rings. */
  readonly doorbell?: Doorbell | undefined;
  /** Use that other processes make of the same credentials, and the answers that they had. Default null: there are none. */
  readonly shared?: SharedCredentials | null | undefined;
  /** Compared before each write is sent. Default nothing, where no runs are owned. */
  readonly owner?: Owner | undefined;
  /** Receives each write instead of the platforms. Default: writes are sent. */
  readonly observer?: Observer | undefined;
}

/** A platform that answers; who may steer there is found out when all of them do. */
export type ConnectedPlatform = Omit<ConfiguredPlatform, 'trust'>;

/** Account that git works with on a platform. */
interface ForgeAccess {
  readonly host: string;
  /** Null to work without logging in. */
  readonly token: GitToken | null;
  /** The user name that goes with the token in git's login. */
  readonly username?: string | undefined;
  /** True to take directories of this machine for repositories. Default false. */
  readonly localRepositories?: boolean | undefined;
  readonly authorName: string;
  readonly authorEmail: string;
}

/** A host without its port, for addresses. */
export function hostName(host: string): string {
  return host.replace(/:\d+$/, '');
}

/** A platform, as its requests are told apart. */
interface RequestNames {
  readonly platform: string;
  /** Names the class of a request by its address. */
  readonly toRouteClass: (url: URL) => string;
}

/**
 * Opens the fetch of a platform, which tells the board of each answer, and sends no write once this process lost its runs. A request
 * without an answer counts, too.
 */
export function openFetch(
  { platform, toRouteClass }: RequestNames,
  {
    observe,
    owner,
    observer,
    monotonicNow = () => performance.now(),
  }: Pick<ConnectOptions, 'observe' | 'owner' | 'observer' | 'monotonicNow'>,
): typeof globalThis.fetch {
  const send: typeof globalThis.fetch = async (input, init) => {
    const { method, url } = input instanceof Request ? input : { method: 'GET', url: String(input) };
    const address = new URL(url);
    const host = address.host === 'api.github.com' ? 'github.com' : address.host;
    const names = { platform, host, route: toRouteClass(address) };
    const request = { type: 'request', ...names, method: init?.method ?? method } as const;
    const beganAt = monotonicNow();
    const tell = (answer: { readonly status: number | null; readonly error: string | null }) =>
      observe({ ...request, ...answer, durationMs: monotonicNow() - beganAt });
    try {
      const response = await globalThis.fetch(input, init);
      tell({ status: response.status, error: null });
      return response;
    } catch (error) {
      tell({ status: null, error: toErrorType(error) });
      throw error;
    }
  };
  const owned = owner === undefined ? send : fetchWhileOwned(send, owner);
  return observer === undefined ? owned : fetchWithoutWrites(owned);
}

/** Kinds of errors of fetch; what else there may be is `_OTHER`, as the convention has it. */
const errorTypes = ['AbortError', 'TimeoutError', 'TypeError'];

function toErrorType(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  return errorTypes.includes(name) ? name : '_OTHER';
}

/** Creates the trigger that a section of the configuration names, for these repositories, projects or trackers. */
export function toTrigger(
  platform: Platform,
  section: Pick<BuiltInSection, 'trigger'> & PlatformLabels,
  { places, mentions }: { readonly places: () => readonly string[]; readonly mentions: MentionSettings },
): TaskTrigger {
  const { notes, observer, ...heard } = mentions;
  const seen = observer?.observePlatform(platform) ?? platform;
  const create: Record<BuiltInSection['trigger'], () => TaskTrigger> = {
    label: () => createLabelTrigger(platform, toTaskLabels(section)),
    assignment: () => createAssignmentTrigger(platform),
    mention: () =>
      createMentionTrigger(seen, { store: createMentionStore(notes, platform), places, ...heard }),
  };
  return create[section.trigger]();
}
