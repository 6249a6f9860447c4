/**
 * Names of accounts of access tokens, of service accounts and of GitLab's own accounts.
 *
 * @see https://docs.gitlab.com/administration/internal_users/
 * @see https://gitlab.com/gitlab-org/gitlab/-/issues/493890 (`GitLabDuo`)
 */
const botName =
  /^(?:(?:project|group)_\d+_bot(?:_|\d|$)|service_account_|gitlab-?duo$|duo_code_review_bot|(?:gitlab-)?(?:admin|alert|automation|migration|security|security-policy|support|visual-review)-bot\d*$)/iu;

/** Tells whether an account of GitLab is a bot. Only some answers contain `bot`, so that its name counts as well. */
export function isGitLabBot(user: {
  readonly username: string;
  readonly bot?: boolean | null | undefined;
}): boolean {
  return user.bot === true || botName.test(user.username);
}
