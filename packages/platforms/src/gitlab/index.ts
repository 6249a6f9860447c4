export { createGitLabPlatform } from './create-gitlab-platform.ts';
export type { GitLabPlatformOptions } from './gitlab-options.ts';
export { findGitLabRouteClass } from './gitlab-route-class.ts';
