/**
 * Where tokens for this API are made.
 *
 * @see https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/managing-your-personal-access-tokens
 */
export function gitHubTokenPage(baseUrl: string): string {
  return `${gitHubOrigin(baseUrl)}/settings/personal-access-tokens`;
}

/** @see https://docs.gitlab.com/user/profile/personal_access_tokens/ */
export function gitLabTokenPage(baseUrl: string): string {
  return `${new URL(baseUrl).href.replace(/(?<!\/)\/+$/, '')}/-/user_settings/personal_access_tokens`;
}

/** Where people look at what this API serves. */
export function gitHubOrigin(baseUrl: string): string {
  const { origin, host } = new URL(baseUrl);
  return host === 'api.github.com' ? 'https://github.com' : origin;
}
