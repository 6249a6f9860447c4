export { createGitHubPlatform } from './create-github-platform.ts';
export type { GitHubPlatformOptions, PlatformLogger } from './github-options.ts';
