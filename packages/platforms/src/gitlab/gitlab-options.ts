import {
  checkOptions,
  type ExpectationsOf,
  expected,
  expectNullable,
  expectNumber,
  expectPort,
} from '@agent/text/options';
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

const service = 'GitLab';

/** Options of `createGitLabPlatform`: whom to ask, as whom, and how patiently. */
export interface GitLabPlatformOptions extends ConnectionOptions {
  /** Personal, project or group access token with the scope `api`, or a credential that reads a rotated one again. */
  readonly token: string | Credential;
  /** `group/project` (with its subgroups) of every project whose threads may become tasks. */
  readonly projects: readonly string[] | (() => readonly string[]);
  /** Address of GitLab, without `/api/v4`; default `https://gitlab.com`. A server below a path: `https://host/gitlab`. */
  readonly baseUrl?: string;
  /** Our login, asked for where the token may not say who it is. */
  readonly botName?: string;
  /**
   * Requests within any minute; default 300, what a server of one's own allows by default. Calls wait for their place;
   * comment listings are refused with `rate-limited` instead.
   * @see https://docs.gitlab.com/administration/settings/user_and_ip_rate_limits/
   */
  readonly maxRequestsPerMinute?: number;
  /** Part of the connection of an orchestrator. Not used: answers of GitLab are not shared. */
  readonly answers?: SharedAnswers | null;
}

/** The options with every default in place. */
export interface GitLabSettings extends ConnectionSettings {
  readonly projects: () => readonly string[];
  readonly maxRequestsPerMinute: number;
  readonly botName: string | null;
}

const defaults = {
  service,
  baseUrl: 'https://gitlab.com',
  ownServer: 'https://host/gitlab for a server below a path',
};

const expectations: ExpectationsOf<GitLabPlatformOptions> = {
  ...toConnectionExpectations(defaults),
  projects: expectPlaces('projects'),
  botName: expected.text,
  maxRequestsPerMinute: expectNumber(1, { isWhole: true }),
  answers: expectNullable(expectPort('read', 'keep')),
};

/**
 * Fills in the options of a platform.
 * @throws {TypeError} that names an option which is missing, unknown or invalid
 * @throws PlatformError `invalid` for a token or a name that GitLab cannot have
 */
export function toGitLabSettings(options: GitLabPlatformOptions): GitLabSettings {
  checkOptions('GitLabPlatformOptions', options, expectations, ['token', 'projects']);
  const settings = toConnectionSettings(options, defaults);
  return {
    ...settings,
    baseUrl: requireNoApiPath(settings.baseUrl),
    projects: readPlaces(options.projects, requireProject),
    maxRequestsPerMinute: options.maxRequestsPerMinute ?? 300,
    botName: options.botName ?? null,
  };
}

function requireNoApiPath(baseUrl: string): string {
  if (!/\/api\/v4$/u.test(baseUrl)) return baseUrl;
  throw invalidOption(
    service,
    'baseUrl is the address of the pages, without /api/v4, e.g. https://gitlab.com.',
  );
}

function requireProject(path: string): string {
  if (/^[\p{L}\p{N}_.-]+(?:\/[\p{L}\p{N}_.-]+)+$/u.test(path)) return path;
  throw invalidOption(service, `${JSON.stringify(path)} is not the path of a project. Write group/project.`);
}
