export { findGitHubRouteClass } from '../http/route-class.ts';
export { createGitHubPlatform } from './create-github-platform.ts';
export type { GitHubPlatformOptions } from './github-options.ts';
