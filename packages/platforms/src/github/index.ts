export { createGitHubPlatform } from './create-github-platform.ts';
export type { GitHubPlatformOptions } from './github-options.ts';
export { findGitHubRouteClass } from './github-route-class.ts';
