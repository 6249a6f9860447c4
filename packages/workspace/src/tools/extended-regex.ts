import { ToolError } from './define-tool.ts';

const classes: Readonly<Record<string, string>> = { d: '0-9', w: '[:alnum:]_', s: '[:space:]' };

/** Product of all repetition counts that a pattern may ask for: the matcher unrolls them in memory. */
const maxRepetitions = 2000;

/**
 * Writes a regular expression of the usual kind as POSIX extended, which git searches with. Its matcher keeps no
 * stack of choices to come back to, so that no pattern takes for ever; what it cannot say is refused.
 *
 * @throws ToolError for look-around, back-references, flags and huge repetitions
 * @see https://pubs.opengroup.org/onlinepubs/9699919799/basedefs/V1_chap09.html
 */
export function toExtendedRegex(pattern: string): string {
  let result = '';
  let repetitions = 1;
  for (let index = 0; index < pattern.length; ) {
    const rest = pattern.slice(index);
    const [token, written] = translate(rest);
    repetitions *= Math.max(
      1,
      ...[...token.matchAll(/^\{(\d*)(?:,(\d*))?\}/g)].flatMap((m) => [Number(m[1]), Number(m[2] ?? 0)]),
    );
    if (repetitions > maxRepetitions)
      throw new ToolError('The repetition counts in the pattern are too large.');
    result += written;
    index += token.length;
  }
  return result;
}

/** The first token of a pattern, and how it is written. */
function translate(rest: string): readonly [token: string, written: string] {
  const bracket = /^\[\^?\]?(?:\[:\w+:\]|\\.|[^\]\\])*\]/su.exec(rest)?.[0];
  if (bracket !== undefined) return [bracket, translateBracket(bracket)];
  if (rest.startsWith('(?:')) return ['(?:', '('];
  if (rest.startsWith('(?'))
    throw new ToolError('Look-around, named groups and flags cannot be used in the pattern.');
  const quantifier = /^(?:[*+?]|\{\d*(?:,\d*)?\})/.exec(rest)?.[0];
  if (quantifier !== undefined) {
    // A lazy or possessive mark changes what is captured, not which lines match.
    const mark = /^[?+]/.exec(rest.slice(quantifier.length))?.[0] ?? '';
    return [quantifier + mark, quantifier];
  }
  if (rest.startsWith('\\')) return translateEscape(rest.slice(0, 2));
  return [rest.charAt(0), rest.charAt(0)];
}

function translateEscape(token: string): readonly [string, string] {
  const letter = token.charAt(1);
  if (letter === '') throw new ToolError('The pattern ends with a lone backslash.');
  if (/[1-9]/.test(letter)) throw new ToolError('Back-references cannot be used in the pattern.');
  const known = classes[letter.toLowerCase()];
  if (known !== undefined) return [token, letter === letter.toLowerCase() ? `[${known}]` : `[^${known}]`];
  if (letter === 't') return [token, '\t'];
  if (letter === 'b' || letter === 'B') return [token, token];
  if (/[a-z]/i.test(letter))
    throw new ToolError(`\\${letter} cannot be used in the pattern (it searches line by line).`);
  return [token, /[.[\]{}()*+?^$|\\]/.test(letter) ? token : letter];
}

/** Inside brackets POSIX knows no backslash: classes are spelled out, escaped characters stand for themselves. */
function translateBracket(bracket: string): string {
  const negated = bracket.startsWith('[^') ? '^' : '';
  let body = bracket.slice(1 + negated.length, -1);
  let ends = '';
  let first = '';
  body = body.replace(/\\(.)/gsu, (_, letter: string) => {
    const known = classes[letter];
    if (known !== undefined) return known;
    if (letter === ']') first = ']';
    else if (letter === '-' || letter === '^') ends += letter;
    else return letter === 't' ? '\t' : letter;
    return '';
  });
  const caret = ends.includes('^') ? '^' : '';
  const dash = ends.includes('-') ? '-' : '';
  return `[${negated}${first}${body}${caret}${dash}]`;
}
