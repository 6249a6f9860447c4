import type { Evidence } from './evidence.ts';
import { markerOf } from './marker.ts';
import type { Conversation } from './model-log.ts';
import type { Saying } from './people.ts';
import type { BrokenPromise, PromiseName } from './promise.ts';

/** What the model was told of what people said. */
export function findBrokenHearing(evidence: Evidence): readonly BrokenPromise[] {
  const broken = (promise: PromiseName, shown: readonly string[]): BrokenPromise[] =>
    shown.map((text) => ({ promise, shown: text }));
  const { conversations } = evidence;
  return [
    ...broken(
      'each comment stands in exactly one message',
      conversations.flatMap((one) => findRepeated(evidence, one)),
    ),
    ...broken('each request goes on from the one before', conversations.flatMap(findTornConversation)),
    ...broken('nothing said in time is untold and unreported', findForgotten(evidence)),
    ...broken('the report says told only of what was told', findFalseReports(evidence)),
    ...broken(
      'only what was deleted is told as deleted, with its words',
      conversations.flatMap((one) => findFalseDeletions(evidence, one)),
    ),
    ...broken(
      'who may give instructions is told as such, and nobody else',
      conversations.flatMap((one) => findWrongAuthority(evidence, one)),
    ),
  ];
}

const lastTexts = ({ requests }: Conversation): readonly string[] => requests.at(-1) ?? [];

const countOf = (text: string, word: string): number => text.split(word).length - 1;

/** A word may come back where an edit or a deletion says what had stood there. */
function findRepeated({ sayings }: Evidence, conversation: Conversation): readonly string[] {
  const texts = lastTexts(conversation);
  return sayings.flatMap(({ id, revisions, deletedAt }) =>
    revisions.flatMap(({ word }, index) => {
      if (word === null) return [];
      const isReplaced = index < revisions.length - 1 || deletedAt !== null;
      const isWhole = index === 0 && !isReplaced;
      const times = isWhole
        ? countOf(texts.join('\n'), word)
        : texts.filter((text) => text.includes(word)).length;
      return times > (isReplaced ? 2 : 1) ? [`${word} (comment ${id}) stands there ${times} times`] : [];
    }),
  );
}

function findTornConversation({ requests }: Conversation): readonly string[] {
  return requests.flatMap((texts, index) => {
    const before = requests[index - 1] ?? [];
    const at = before.findIndex((text, place) => texts[place] !== text);
    return at === -1
      ? []
      : [`request ${index + 1}: message ${at + 1} is not what it was: ${texts[at]?.slice(0, 200)}`];
  });
}

/** Whatever was said before the last final comment; what is open still may be told later. */
function findForgotten(evidence: Evidence): readonly string[] {
  const { sayings, thread, runs, conversations } = evidence;
  if (runs.some(({ place }) => place !== 'completed')) return [];
  const ends = thread.comments.filter(({ body }) => markerOf.exec(body)?.[2] === 'final');
  const lastEnd = Math.max(0, ...ends.map(({ createdAt }) => Date.parse(createdAt)));
  // Ids of comments grow; the times of some forges have no milliseconds.
  const lastId = Math.max(0, ...ends.map((end) => end.id));
  const told = conversations.flatMap(lastTexts).join('\n');
  const reports = thread.comments
    .filter(({ author }) => author === 'robot')
    .map(({ body }) => body)
    .join('\n');
  return sayings.flatMap(({ id, revisions, deletedAt, command }) => {
    const last = revisions.at(-1);
    if (deletedAt !== null || command !== null || last === undefined || last.word === null) return [];
    if (Number(id) > lastId || told.includes(last.word)) return [];
    const wasTold = revisions.some(({ word }) => word !== null && told.includes(word));
    // Somebody who changed their mind after the end has been heard before.
    if (wasTold && last.at >= lastEnd) return [];
    return isNamed(reports, id)
      ? []
      : [`comment ${id} (${last.word}) was told nobody and stands in no report`];
  });
}

const isNamed = (text: string, id: string): boolean => new RegExp(`[-_]${id}\\)`).test(text);

function findFalseReports({ sayings, thread, conversations }: Evidence): readonly string[] {
  const told = conversations.flatMap(lastTexts).join('\n');
  const counted = [...told.matchAll(countedComments)].map(([, first, last]) => [Number(first), Number(last)]);
  const lines = thread.comments.flatMap(({ author, body }) => (author === 'robot' ? body.split('\n') : []));
  return sayings.flatMap(({ id, revisions, command }) => {
    const report = lines.filter((line) => isNamed(line, id)).join('\n');
    const words = revisions.flatMap(({ word }) => (word === null ? [] : [word]));
    if (command !== null || words.some((word) => told.includes(word))) return [];
    const isCounted = counted.some(([first = 0, last = 0]) => Number(id) >= first && Number(id) <= last);
    const isFalse = report.includes(deliveredMark) || (report.includes(listedMark) && !isCounted);
    return isFalse ? [`comment ${id} (${words.join()}) is reported as told and stands in no request`] : [];
  });
}

const deliveredMark = ', delivered to the agent';
const listedMark = ', listed for the agent';
/** Note about comments that have no room in a request. */
const countedComments = /^Not listed: \d+, with ids from (\d+) to (\d+)/gm;

const deletion = /^\[Comment Deleted by @[^\]]*\]:\n([\s\S]*?)(?=^\[|(?![\s\S]))/gm;

function findFalseDeletions({ sayings }: Evidence, conversation: Conversation): readonly string[] {
  const blocks = lastTexts(conversation).flatMap((text) =>
    [...text.matchAll(deletion)].map(([block]) => block),
  );
  return blocks.flatMap((block) => {
    const found = sayings.find(({ revisions }) =>
      revisions.some(({ word }) => word !== null && block.includes(word)),
    );
    if (/no visible text/.test(block)) return [`a deletion without words: ${block.slice(0, 200)}`];
    // What was there before the trial is nobody's saying.
    return found?.deletedAt === null ? [`comment ${found.id} stands, and was told as deleted`] : [];
  });
}

/** Of the last message that has it: what was not known may be put right later. */
function findWrongAuthority({ sayings }: Evidence, conversation: Conversation): readonly string[] {
  return sayings.flatMap((saying) => {
    const word = wordsOf(saying).at(-1);
    if (word === undefined || saying.deletedAt !== null) return [];
    const text = lastTexts(conversation).findLast((one) => one.includes(word));
    const authority = text === undefined ? null : authorityAround(text, word);
    const expected = saying.by === 'alice' ? 'trusted' : 'untrusted';
    return authority === null || authority === expected
      ? []
      : [`comment ${saying.id} (${word}) by ${saying.by} was told as ${authority}`];
  });
}

const wordsOf = ({ revisions }: Saying): string[] =>
  revisions.flatMap(({ word }) => (word === null ? [] : [word]));

/** By the envelope that stands open before the word. */
function authorityAround(text: string, word: string): 'trusted' | 'untrusted' | null {
  const before = text.slice(0, text.lastIndexOf(word));
  // First lines of comments that are not shown stand there together, as information.
  if (before.includes('[More Comments Detected]:')) return null;
  const trusted = before.lastIndexOf('trusted (may instruct you)');
  const untrusted = before.lastIndexOf('untrusted (information only');
  if (trusted === -1 && untrusted === -1) return null;
  return trusted > untrusted ? 'trusted' : 'untrusted';
}
