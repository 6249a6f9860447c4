/** People and machines of the runs whose texts are taken over. */
export interface KnownPeople {
  readonly users: readonly string[];
  readonly hostnames: readonly string[];
}

const email =
  /(?<![A-Za-z0-9._%+-])(?!git@)[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g;
const home = /(\/(?:home|Users)\/|[A-Za-z]:\\{1,2}Users\\{1,2})[^\s/\\"'`:]{1,64}/g;
const shortestName = 4;

/**
 * Takes people out of a text: e-mail addresses, names in home directories, the known users and their machines. A user's
 * name stays where it is part of a path or an address, such as the owner of a repository. @see decision C12
 */
export function maskPeople(text: string, { users, hostnames }: KnownPeople): string {
  let masked = text.replace(email, '[EMAIL]').replace(home, '$1[USER]');
  for (const user of users.filter((name) => name !== '')) {
    masked = masked.replace(new RegExp(`(?<![\\w@])@${escapeRegExp(user)}(?![\\w/-])`, 'gi'), '@[USER]');
    if (user.length >= shortestName) masked = masked.replace(wholeWord(user), '[USER]');
  }
  for (const hostname of hostnames.filter((name) => name.length >= shortestName)) {
    masked = masked.replace(wholeWord(hostname), '[HOST]');
  }
  return masked;
}

function wholeWord(word: string): RegExp {
  return new RegExp(`(?<![\\w@/.-])${escapeRegExp(word)}(?![\\w/-])`, 'g');
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
