import { checkOptions, type ExpectationsOf, expected, expectNullable, expectPort } from '@agent/text/options';
import {
  type ConnectionOptions,
  type ConnectionSettings,
  expectPlaces,
  invalidOption,
  readPlaces,
  toConnectionExpectations,
  toConnectionSettings,
} from '../http/connection-options.ts';
import type { Credential } from '../http/credential.ts';
import type { SharedAnswers } from '../http/shared-answers.ts';

const service = 'GitHub';

/** Options of `createGitHubPlatform`: whom to ask, as whom, and how patiently. */
export interface GitHubPlatformOptions extends ConnectionOptions {
  /** Personal access token or `GITHUB_TOKEN`, or a credential that renews its tokens, such as that of an App. */
  readonly token: string | Credential;
  /** `owner/repo` of every repository whose threads may become tasks. */
  readonly repositories: readonly string[] | (() => readonly string[]);
  /** REST address; default `https://api.github.com`. GitHub Enterprise Server: `https://host/api/v3`. */
  readonly baseUrl?: string;
  /** The host that keys are filed under; default: that of the base URL (`github.com` for api.github.com). */
  readonly host?: string;
  /**
   * Milliseconds between two writes; default 1,000, as GitHub asks. Three times as much between writes that notify
   * people, twice as much between searches. 0 for a server of your own.
   * @see https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api
   */
  readonly writeSpacingMs?: number;
  /** Our login, asked for where the token cannot say who it is, and the credential does not either (Actions tokens). */
  readonly botName?: string;
  /** Lists of threads and comments that other processes with this token were given. Default null: this process has the token for itself. */
  readonly answers?: SharedAnswers | null;
}

/** The options with every default in place. */
export interface GitHubSettings extends ConnectionSettings {
  readonly repositories: () => readonly string[];
  readonly botName: string | null;
  readonly answers: SharedAnswers | null;
}

const defaults = {
  service,
  baseUrl: 'https://api.github.com',
  ownServer: 'https://host/api/v3 for GitHub Enterprise Server',
};

const expectations: ExpectationsOf<GitHubPlatformOptions> = {
  ...toConnectionExpectations(defaults),
  repositories: expectPlaces('repositories'),
  botName: expected.text,
  answers: expectNullable(expectPort('read', 'keep')),
};

/**
 * Fills in the options of a platform.
 * @throws {TypeError} that names an option which is missing, unknown or invalid
 * @throws PlatformError `invalid` for a token or a name that GitHub cannot have
 */
export function toGitHubSettings(options: GitHubPlatformOptions): GitHubSettings {
  checkOptions('GitHubPlatformOptions', options, expectations, ['token', 'repositories']);
  const settings = toConnectionSettings(options, defaults);
  return {
    ...settings,
    host: settings.host === 'api.github.com' ? 'github.com' : settings.host,
    repositories: readPlaces(options.repositories, requireRepository),
    botName: options.botName ?? null,
    answers: options.answers ?? null,
  };
}

function requireRepository(path: string): string {
  if (/^[\w.-]+\/[\w.-]+$/u.test(path)) return path;
  throw invalidOption(service, `${JSON.stringify(path)} is not a repository. Write owner/repo.`);
}
