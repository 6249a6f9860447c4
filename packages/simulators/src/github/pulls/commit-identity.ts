import type { User } from '../state/model.ts';

/** The identity of an account in commits that GitHub makes for it. @see https://docs.github.com/account-and-profile/reference/email-addresses-reference#your-noreply-email-address */
export function commitIdentity(user: User): { readonly name: string; readonly email: string } {
  const name = (user.name ?? user.login).replace(/[<>\n]/g, '');
  return { name, email: `${user.id}+${user.login}@users.noreply.github.com` };
}
