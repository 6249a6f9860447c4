import type { ErrorBody } from './read-error-body.ts';

/** Numbers of a refusal for its length, as the endpoint counts. */
export interface TokenCounts {
  readonly limitTokens: number | null;
  readonly requestTokens: number | null;
}

/** A number of tokens: not part of a model's name, nor of a version. */
const number = String.raw`(?<![\w.:-]|code:? |by )(\d{1,3}(?:[,_]\d{3})+|\d+)(?![\w-]|[.:]\d)`;

const comparison = new RegExp(`${number} [+] ${number} ?(?:>|&gt;) ?${number}`);

const greater = new RegExp(`${number}(?: tokens)? ?(?:>|&gt;) ?${number}`);

const limitPhrases = [
  String.raw`(?:n_ctx|max ?\w*)[:=] ?`,
  String.raw`(?:maximum|max|available|allowed|supported?|model(?:'s)?)[^.\d]{0,40}(?:context|prompt|input|sequence|model|token)[^.\d]{0,40}?`,
  String.raw`(?:exceed\w*|limit|longer than|larger than|greater than|more than|less than|fewer than|at most|only|up to|<=|loaded with)[^.\d]{0,60}?`,
  String.raw`(?:context (?:length|window|size)|n_ctx)[^.\d]{0,40}?`,
].map((phrase) => new RegExp(phrase + number, 'i'));

const limitAfter = new RegExp(`${number} (?:maximum|token) (?:context|limit)`, 'i');

/** Sentences that name the request without the answer's share, then those that name all of it. */
const requestPhrases = [
  `${number} (?:tokens? )?(?:(?:in|from|of) (?:the |your )?(?:input )?(?:messages|prompt|text input|input)|input tokens|.?inputs.? tokens)`,
  String.raw`(?:resulted in|requested|contains|token count of|count of|token count \(|has|given:|actual:|received|used|prompt (?:length )?\(?|input (?:length )?\(?|current length is|length is)[^.\d]{0,30}?${number}`,
  `first ${number} tokens`,
].map((phrase) => new RegExp(phrase, 'i'));

/** Reads window and size of the request from an answer that refuses it as too long. */
export function readTokenCounts({ words, numbers }: ErrorBody): TokenCounts {
  const text = words.join('\n');
  const limit = numbers.get('n_ctx') ?? readLimit(text);
  const request = numbers.get('n_prompt_tokens') ?? readRequest(text, limit);
  return { limitTokens: limit, requestTokens: request === limit ? null : request };
}

function readLimit(text: string): number | null {
  const compared = comparison.exec(text)?.[3] ?? greater.exec(text)?.[2] ?? limitAfter.exec(text)?.[1];
  if (compared !== undefined) return toNumber(compared);
  for (const phrase of limitPhrases) {
    const found = toNumber(phrase.exec(text)?.[1]);
    if (found !== null) return found;
  }
  return null;
}

function readRequest(text: string, limit: number | null): number | null {
  const compared = comparison.exec(text)?.[1] ?? greater.exec(text)?.[1];
  if (compared !== undefined) return toNumber(compared);
  for (const phrase of requestPhrases) {
    const found = toNumber(phrase.exec(text)?.[1]);
    if (found !== null && found !== limit) return found;
  }
  // Of two numbers, the one above the limit is what was asked.
  const others = [...text.matchAll(new RegExp(number, 'g'))].map(([, one]) => toNumber(one) ?? 0);
  const largest = Math.max(0, ...others);
  return limit !== null && largest > limit ? largest : null;
}

/** Smaller numbers are no window. */
const fewestTokens = 256;

function toNumber(text: string | undefined): number | null {
  const value = Number((text ?? '').replaceAll(/[,_]/g, ''));
  return Number.isSafeInteger(value) && value >= fewestTokens ? value : null;
}
