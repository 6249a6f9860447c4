import { dropCovered, pickProse } from './pick-prose.ts';

/**
 * Tells whether a comment speaks to an account: `@name` in its prose. Case does not matter; letters of other scripts may stand
 * beside it, as in Japanese. Nothing is a mention in code, in a quote, in a link or an address, in HTML, in a comment of HTML
 * or behind a backslash, nor where the name goes on: `@name-2`, `@name/team`. An app's `[bot]` may be left out. Takes
 * time in proportion to the text.
 *
 * @example
 * isMentioned('@robot could you fix this?', 'robot'); // true
 *
 * @see https://docs.github.com/en/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#mentioning-people-and-teams
 */
export function isMentioned(body: string, login: string): boolean {
  const name = login.replace(/\[bot\]$/u, '').replace(/[^\w-]/g, String.raw`\$&`);
  // Without the flag u no letter beyond ASCII is taken for one of a name.
  const plain = String.raw`@${name}(?![\w@/-]|\.+[\w-])`;
  const slanted = String.raw`_{1,3}@${name}_{1,3}(?![\w@/-])`;
  const mention = new RegExp(String.raw`(?<![\w@.=&#+\\-])(?:${plain}|${slanted})`, 'gi');
  const written = [...body.matchAll(mention)].map(({ index }) => index);
  if (written.length === 0) return false;
  const addresses = [...body.matchAll(/(?:https?:\/\/|www\.)\S*/gi)].map(({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }));
  return pickProse(body, { places: dropCovered(written, addresses), of: 'words' }).size > 0;
}
