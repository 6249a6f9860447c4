/**
 * The language of the command line: Japanese where the environment asks for it, English everywhere else.
 *
 * @see decision X9
 * @see https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html#tag_08_02
 */
export function processLocale(environment: Readonly<Record<string, string | undefined>>): 'ja' | 'en' {
  const named = environment.LC_ALL || environment.LC_MESSAGES || environment.LANG || '';
  return /^ja(?:[_.@-]|$)/i.test(named) ? 'ja' : 'en';
}
