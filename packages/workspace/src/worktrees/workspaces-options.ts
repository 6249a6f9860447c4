import type { Logger } from '@agent/text';
import { type ExpectationsOf, expected, expectNullable, expectNumber, expectPort } from '@agent/text/options';
import type { FindPushedSecrets } from '@agent/text/outgoing';
import type { ProtectPaths } from '../config/protection.ts';
import type { Environment } from '../git/git-environment.ts';
import type { GitToken, WithheldPush } from '../git/git-repository.ts';
import type { OnGitCommand } from '../git/run-git.ts';
import type { SigningKey } from '../git/signing-key.ts';

/** Options of `createGitWorkspaces`. */
export interface GitWorkspacesOptions {
  /** Directory of repositories and worktrees; made when missing. Only one process may use it at a time. */
  readonly directory: string;
  /** Prepares that directory; one function for all who share it. Default one of its own. */
  readonly prepare?: (() => Promise<string>) | undefined;
  /** Asked at each fetch and push, and once more where the server refused its answer. */
  readonly token: GitToken;
  /** The name that goes with the token. Default `x-access-token` (GitHub); GitLab wants `oauth2`. */
  readonly username?: string | undefined;
  readonly authorName: string;
  readonly authorEmail: string;
  /** Signs commits and merges. Default null: they are not signed. */
  readonly signingKey?: SigningKey | null | undefined;
  /** Looks through what is about to be pushed, and cleans messages of commits: nothing leaves without it. */
  readonly gate: PushGate;
  /** Rules of the operator for paths of a repository. Default none: the defaults of protected paths, and `.agent.yml`, count. */
  readonly protection?: ProtectPaths | undefined;
  /** Default `git`, from PATH. */
  readonly gitPath?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
  /** Default the system's. Asks servers for what LFS keeps. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly logger?: Pick<Logger, 'info' | 'warn'> | undefined;
  /** Receives each push instead of the server, once it has passed all checks. Default: pushes are sent. */
  readonly withhold?: ((push: WithheldPush) => void) | undefined;
  /** Receives each git command when it ends. Default nothing. */
  readonly onCommand?: OnGitCommand | undefined;
  /** Longest time for one git command, in milliseconds. Default ten minutes. */
  readonly timeoutMs?: number | undefined;
  /**
   * True to take an absolute path or a `file:` URL for a repository's address. For platforms whose adapter the
   * configuration names, never for addresses that a server tells. Default false.
   */
  readonly localRepositories?: boolean | undefined;
  /** The environment that PATH, proxies and certificate stores are taken from. Default that of this process. */
  readonly environment?: Environment | undefined;
  /** The most that is kept of one task's work for other machines, in bytes; a file of more than a fifth is left out. Default 50 MiB. */
  readonly maxSnapshotBytes?: number | undefined;
}

/** Checks on the way from a worktree to its server. */
export interface PushGate {
  readonly cleanMessage: (message: string) => Promise<string>;
  readonly cleanText: (text: string) => Promise<string>;
  readonly findPushedSecrets: FindPushedSecrets;
}

/** Options that worktrees need. */
export const requiredOfWorkspaces = ['directory', 'token', 'authorName', 'authorEmail', 'gate'] as const;

/** Conditions of the options of worktrees. */
export const workspacesExpectations: ExpectationsOf<GitWorkspacesOptions> = {
  directory: expected.text,
  prepare: expected.function,
  token: { ...expected.function, text: 'a function that returns the token', isSecret: true },
  username: expected.text,
  authorName: expected.text,
  authorEmail: expected.text,
  signingKey: expectNullable(expected.object),
  gate: {
    ...expectPort('cleanMessage', 'cleanText', 'findPushedSecrets'),
    text: 'a gate, such as createOutgoingGate returns',
  },
  protection: expected.function,
  gitPath: expected.text,
  now: expected.function,
  fetch: expected.function,
  logger: expectPort('info', 'warn'),
  withhold: expected.function,
  onCommand: expected.function,
  timeoutMs: expectNumber(0),
  localRepositories: expected.flag,
  environment: expected.object,
  maxSnapshotBytes: expectNumber(0),
};
