import type { PictureSource } from './picture-source.ts';
import type {
  AccountFinder,
  CallOptions,
  Identity,
  OpenThreadOptions,
  PlatformThread,
  RepositoryChanges,
  TaskFinder,
} from './ports.ts';
import type { RepositoryFinder } from './repository-finder.ts';
import type { ReviewPorts } from './review-ports.ts';
import type { TaskKey } from './task-key.ts';
import type { ThreadFinder } from './thread-finder.ts';

/** Labels that a repository or project offers, whether or not a thread carries them. */
export interface RepositoryLabels {
  /**
   * Finds the labels that the repository at this path does not have, in the given order. Rejects with `not-found` if there is no
   * such repository.
   */
  readonly listMissing: (
    path: string,
    labels: readonly string[],
    options?: CallOptions,
  ) => Promise<readonly string[]>;
  /** Creates a label. Creating an existing label is not an error, and leaves it unchanged. */
  readonly create: (path: string, label: string, options?: CallOptions) => Promise<void>;
}

/** Repository that git is about to fetch from or push to. */
export interface GitRepository {
  /** Address of the repository or of one of its submodules, without credentials. */
  readonly cloneUrl: string;
}

/** Login of git at an https server. */
export interface GitCredential {
  /** User name that the server expects beside a token, e.g. `x-access-token` (GitHub) or `oauth2` (GitLab). */
  readonly username: string;
  /** Token or password. */
  readonly password: string;
}

/** Options of a request for a login. */
export interface GitCredentialOptions extends CallOptions {
  /** Password that the server has just refused: the answer is another one if there is another, else the same. */
  readonly refused?: string | undefined;
}

/** One place where people talk to an agent. */
export interface Platform {
  /** `github`, `gitlab`, `memory`, or the name that a configuration gives a custom adapter. */
  readonly name: string;
  /** The host that its keys belong to, e.g. `github.com`. */
  readonly host: string;
  readonly tasks: TaskFinder;
  readonly identity: Identity;
  /** Optional for adapters: without it accounts go by the names and numbers that their adapter gives. */
  readonly accounts?: AccountFinder | undefined;
  /** Optional for adapters: without it a thread is named by its key alone. */
  readonly threads?: ThreadFinder | undefined;
  /** Optional: without it places are named one by one, and a pattern of them is a mistake. */
  readonly repositories?: RepositoryFinder | undefined;
  /** Optional: without it users create the labels of a repository themselves. */
  readonly repositoryLabels?: RepositoryLabels | undefined;
  /** The platform's time in milliseconds since 1970, as its last answer showed it. Of GitHub and GitLab alone: elsewhere the local clock counts. */
  readonly serverNow?: (() => number) | undefined;
  /** Makes no request itself. Throws `invalid` for a key of another platform. */
  readonly openThread: (key: TaskKey, options?: OpenThreadOptions) => PlatformThread;
  /** Lists what changes in the repository that this thread belongs to. Makes no request itself. Optional for adapters. */
  readonly openChanges?: ((key: TaskKey, options?: OpenThreadOptions) => RepositoryChanges) | undefined;
  /**
   * Reviews and checks of a change request; null for a key of an issue. Makes no request itself. Optional for adapters: without
   * it a run hears the conversation alone.
   */
  readonly openReview?: ((key: TaskKey, options?: OpenThreadOptions) => ReviewPorts | null) | undefined;
  /** Lists what changes among the comments on lines in the repository, as `openChanges` does in the conversations. */
  readonly openLineChanges?: ((key: TaskKey, options?: OpenThreadOptions) => RepositoryChanges) | undefined;
  /**
   * Names the change requests of the repository that a push, a review or their end has changed; their checks it need not. The same function as
   * `openChanges` where that names them, too. Optional for adapters: without it each change request is polled by itself.
   */
  readonly openRequestChanges?:
    | ((key: TaskKey, options?: OpenThreadOptions) => RepositoryChanges)
    | undefined;
  /**
   * Gives git the login at a repository, before each fetch and push; null to work without one. Never give a login for a server that it is
   * not meant for. Optional for adapters: without it git works without a login. GitHub and GitLab have a credential of their own.
   */
  readonly gitCredential?:
    | ((repository: GitRepository, options?: GitCredentialOptions) => Promise<GitCredential | null>)
    | undefined;
  /** Pictures in the texts of a thread. Makes no request itself. Optional for adapters: without it texts are all that a model sees. */
  readonly openPictures?: ((key: TaskKey, options?: OpenThreadOptions) => PictureSource) | undefined;
}
