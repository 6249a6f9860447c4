import { type BraceSpan, findJsonObjects } from './find-json-objects.ts';
import { parseJson } from './parse-json.ts';
import { mendJson } from './repair-json.ts';

/** `direct`: the text is the JSON. `extracted`: it stands in the text. `repaired`: it had to be mended. */
export type ReadingWay = 'direct' | 'extracted' | 'repaired';

/** What may be the answer. */
export interface Candidate {
  readonly value: unknown;
  readonly way: ReadingWay;
}

/** Objects that are tried, the last first: a model that corrects itself says the right one last. */
const maxTried = 8;
/** How often each sign of a text is parsed at most: once, and again in what stands within braces of prose. */
const maxParsed = 3;

interface Search {
  readonly place: string;
  readonly whole: string;
  /** How many more signs are parsed. */
  left: number;
  /** What begins as objects do and is no JSON. */
  readonly broken: BraceSpan[];
  /** What is between braces of prose or code. */
  readonly prose: BraceSpan[];
}

/**
 * The objects of a text that may be the answer to `whole`, the likeliest first: whole ones, also between two braces that
 * belong to prose, then what is worth mending (what nothing closes, and the longest of what is closed and no JSON), then
 * the parts of what could not be mended to an answer.
 */
export function* findCandidates(place: string, whole: string): Generator<Candidate> {
  const { closed, openAt } = findJsonObjects(place);
  const search: Search = { place, whole, left: maxParsed * place.length, broken: [], prose: [] };
  yield* readWhole(closed.slice(-maxTried).toReversed(), search);
  if (openAt !== null) yield { value: mendJson(place.slice(openAt)), way: 'repaired' };
  const longest = findLongest(search.broken) ?? findLongest(search.prose);
  if (longest !== null) yield { value: mendJson(place.slice(longest.start, longest.end)), way: 'repaired' };
  const parts = search.broken.flatMap(({ inner }) => inner);
  yield* readWhole(parts, search);
}

function* readWhole(spans: readonly BraceSpan[], search: Search): Generator<Candidate> {
  for (const span of spans) {
    const text = search.place.slice(span.start, span.end);
    if (text.length > search.left) continue;
    search.left -= text.length;
    const value = parseJson(text);
    if (value !== undefined) yield { value, way: text === search.whole ? 'direct' : 'extracted' };
    else if (objectBeginning.test(text)) search.broken.push(span);
    else {
      search.prose.push(span);
      yield* readWhole(span.inner, search);
    }
  }
}

/** A quote, a comment, or a key of few words with its colon: a part of such an object is not the answer, before it is mended. */
const objectBeginning =
  /^\{[\s,{]{0,200}(?:["'“”„‘’＂\\#]|\/[/*]|[^\s`.。、(){}[\]:：=]{1,40}(?: [^\s`.。、(){}[\]:：=]{1,20}){0,2}\s{0,20}[:：=])/;

function findLongest(spans: readonly BraceSpan[]): BraceSpan | null {
  return spans.reduce<BraceSpan | null>(
    (longest, span) =>
      longest === null || span.end - span.start > longest.end - longest.start ? span : longest,
    null,
  );
}
