import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listTurns } from '../support/model-requests.ts';
import { nameQuestion } from '../support/preparation-sights.ts';
import type { World } from '../support/world.ts';
import { type CommentEnd, type SaidComment, steadyWords, type Talk } from './talk.ts';

type Kind = 'added' | 'edited' | 'deleted';

interface Delivered {
  readonly id: string;
  readonly revision: string;
  readonly kind: Kind;
  /** Told by the first prompt. */
  readonly opening: boolean;
}

interface JournalLine {
  readonly seq: number;
  readonly opens?: number;
  readonly delivers?: readonly Omit<Delivered, 'opening'>[];
}

/** What may be delivered of a comment, in this order, by how it ends; a kill decides which of them it is. */
const lawful: Readonly<Record<CommentEnd, readonly string[]>> = {
  'as written': ['added'],
  edited: ['added', 'added edited'],
  deleted: ['', 'added deleted'],
  unseen: [''],
};

/**
 * What is wrong with what a run heard of the talk on its thread, however often it was killed: by its committed
 * journal each comment was delivered once, each request has each word at most once and keeps it from then on, and
 * the final comment accounts for all that came while the run was under way. @see NX-2, NX-8
 */
export async function findBrokenHearing(world: World, talk: Talk): Promise<string[]> {
  const said = talk.said();
  const delivered = await readDeliveries(world);
  return [
    ...(said.length === 7 ? [] : [`people said ${said.length} things, not 7`]),
    ...said.flatMap((comment) => findBrokenDelivery(comment, delivered)),
    ...steadyWords.flatMap((word) => findBrokenWord(word, readRequests(world))),
    ...findBrokenAccount(world, delivered),
  ];
}

function findBrokenDelivery({ id, word, end }: SaidComment, delivered: readonly Delivered[]): string[] {
  const own = delivered.filter((one) => one.id === id);
  const kinds = own.map(({ kind }) => kind).join(' ');
  const revisions = new Set(own.map(({ kind, revision }) => `${kind} ${revision}`));
  return lawful[end].includes(kinds) && revisions.size === own.length
    ? []
    : [
        `${word} (${end}) was delivered as: ${own.map(({ kind, revision }) => `${kind} ${revision}`).join(', ')}`,
      ];
}

/** An edit is shown with what it changed, so its word stands there twice. */
function findBrokenWord(word: string, requests: readonly string[]): string[] {
  const counts = requests.map((request) => request.split(word).length - 1);
  const most = word === 'CYAN' ? 2 : 1;
  const isKept = counts.every((count, index) => count >= (counts[index - 1] ?? 0) && count <= most);
  return isKept && (counts.at(-1) ?? 0) > 0 ? [] : [`${word} stands in the requests: ${counts.join(' ')}`];
}

function findBrokenAccount({ forge }: World, delivered: readonly Delivered[]): string[] {
  const expected = new Set(delivered.flatMap(({ opening, id, kind }) => (opening ? [] : [`${id} ${kind}`])));
  const comments = forge.threads().flatMap(({ comments }) => comments);
  const lines = comments.flatMap(({ body }) => body.match(/^- `@alice`, .*$/gm) ?? []);
  const told = lines.filter((line) => line.includes(', delivered to the agent'));
  return told.length === expected.size && told.length === lines.length
    ? []
    : [`${expected.size} comments came while the run was under way; it accounts for: ${lines.join('\n')}`];
}

/** The lines of an opening that was cut short belong to no conversation. */
async function readDeliveries({ directory }: World): Promise<readonly Delivered[]> {
  const completed = join(directory, 'contexts', 'completed');
  const [uuid = ''] = await readdir(completed).catch(() => []);
  // Without a completed run nothing was delivered, and another rule says so.
  const text = await readFile(join(completed, uuid, 'messages.jsonl'), 'utf8').catch(() => '');
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith('{"seq":'))
    .map((line) => JSON.parse(line) as JournalLine);
  const start = lines.findLastIndex(({ opens }) => opens !== undefined);
  const openUntil = start + (lines[start]?.opens ?? 0);
  return lines.flatMap(({ delivers = [] }, index) =>
    index < start ? [] : delivers.map((one) => ({ ...one, opening: index < openUntil })),
  );
}

/** Without those that a run gets ready with: they are no conversation. */
function readRequests({ model }: World): readonly string[] {
  return listTurns(model).filter((request) => nameQuestion(request) === 'step');
}
