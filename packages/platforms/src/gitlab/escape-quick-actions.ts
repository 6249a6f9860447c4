/**
 * Keeps GitLab from carrying out lines of our texts as quick actions (`/close`, `/merge`): what an agent writes may
 * come from anybody. A backslash before the line shows it as it is. Lines in code blocks get one too, because where
 * code begins and ends is GitLab's to say.
 *
 * @see https://docs.gitlab.com/user/project/quick_actions/
 */
export function escapeQuickActions(text: string): string {
  return text.replaceAll(/^([^\S\r\n\u2028\u2029]*)\/(?=[a-z_\r]+(?:\s|$))/gimu, '$1\\/');
}
