export type { PlatformLogger } from '../http/connection-options.ts';
export { createGitLabPlatform } from './create-gitlab-platform.ts';
export type { GitLabPlatformOptions } from './gitlab-options.ts';
