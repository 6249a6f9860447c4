import type { User } from '../state/model.ts';

/** The identity of an account in commits that GitLab makes for it. @see https://docs.gitlab.com/user/profile/#use-an-automatically-generated-private-commit-email */
export function commitIdentity(user: User): { readonly name: string; readonly email: string } {
  const name = user.name.replace(/[<>\n]/g, '');
  return { name, email: `${user.id}-${user.username}@users.noreply.gitlab.example` };
}
