export { findGitLabRouteClass } from '../http/route-class.ts';
export { createGitLabPlatform } from './create-gitlab-platform.ts';
export type { GitLabPlatformOptions } from './gitlab-options.ts';
