import {
  type CommentChange,
  type CommentDetectionState,
  type DeliveryReceipt,
  type DetectionStatistics,
  isObservedPoll,
  type Observation,
} from '@agent/comment-detection';
import type { RunState } from '@agent/run-store';
import { type Hearing, type RecordedHearing, readHearing } from '../thread/detection-record.ts';
import type { HandledCommand } from './commands.ts';
import { createCommandRecord, type RecordedCommand } from './handled-commands.ts';

/** Comments that a run heard, for its end. */
export interface CommentSummary {
  /** Every comment that came while the run was under way, and whether the model was told of it. */
  readonly comments: readonly DeliveredComment[];
  /** Null where nothing was listened to. */
  readonly statistics: DetectionStatistics | null;
  /** Up to when the thread was read (ISO 8601), where the look before the end could not be made; else null. */
  readonly readUntil: string | null;
}

/** The summary of a run that ended before it listened. */
export const noComments: CommentSummary = { comments: [], statistics: null, readUntil: null };

/** A comment that came while a run was under way, as its final report names it. */
export interface DeliveredComment {
  readonly id: string;
  readonly kind: 'added' | 'edited' | 'deleted';
  /** Null when the account was deleted. */
  readonly author: string | null;
  readonly createdAt: string;
  /** Null where the platform gave none, or this process never listed it. */
  readonly url: string | null;
  /** Null where it gave none, or an earlier process heard it. */
  readonly command: HandledCommand | null;
  /** True where the model was told of it: it stood in a request that was answered. */
  readonly delivered: boolean;
  /** True if no delivered message showed its text: there was no room for it, and the model could only request it. Default false. */
  readonly isListed?: boolean;
  /** `thread` for the thread's own title and text. */
  readonly part?: 'thread' | null;
}

/**
 * Lists every comment that came while a run was under way, oldest first, each once as a comment, an edit and a deletion:
 * by its record alone. It was told where it stood in a request that the model has answered.
 */
export function listHeard(heard: Hearing, commands: readonly RecordedCommand[]): readonly DeliveredComment[] {
  const found = new Map<string, Observation>();
  const items = new Map<string, DeliveredComment>();
  const shown = new Set<string>();
  const note = ({ id, kind }: Pick<Delivered, 'id' | 'kind'>, delivered: boolean): void => {
    const seen = found.get(id);
    if (isWordOnEdit({ id, kind }, items)) return;
    const isThere = kind !== 'deleted';
    items.set(`${id} ${kind}`, {
      id,
      kind,
      part: seen?.part ?? null,
      author: seen?.author?.login ?? null,
      createdAt: seen?.createdAt ?? '',
      url: (isThere && seen?.url) || null,
      command: isThere ? findCommand(commands, id) : null,
      delivered: delivered || items.get(`${id} ${kind}`)?.delivered === true,
    });
  };
  const tell = (item: Delivered, told: boolean): void => {
    note(item, told);
    const isText = item.shown !== 'line' && item.kind !== 'deleted';
    if (told && isText) shown.add(item.id);
  };
  // What a process saw that died before the first line: the conversation begins with it.
  const takeUp = ({ id, kind }: Pick<Delivered, 'id' | 'kind'>): void => {
    if (items.get(`${id} ${kind}`)?.command === null) items.delete(`${id} ${kind}`);
  };
  for (const event of heard) {
    if (!isObservedPoll(event)) {
      for (const item of event.delivers)
        if (event.opening) takeUp(item);
        else tell(item, event.told);
      continue;
    }
    for (const observation of event.observations) {
      found.set(observation.id, observation);
      if (event.opening === null) note(observation, false);
    }
  }
  const isListed = ({ id, kind, delivered }: DeliveredComment) =>
    delivered && kind !== 'deleted' && !shown.has(id);
  return [...items.values()]
    .map((item) => (isListed(item) ? { ...item, isListed: true } : item))
    .sort((one, other) => one.createdAt.localeCompare(other.createdAt));
}

type Delivered = DeliveryReceipt['delivers'][number];

/** Tells whether this says of an older comment's edit who its author is by now: no comment came, and the edit is named already. */
function isWordOnEdit(
  { id, kind }: Pick<Delivered, 'id' | 'kind'>,
  items: ReadonlyMap<string, DeliveredComment>,
): boolean {
  const isNamed = (as: Delivered['kind']) => items.has(`${id} ${as}`);
  return kind === 'added' && isNamed('edited') && !isNamed('added') && !isNamed('deleted');
}

function findCommand(commands: readonly RecordedCommand[], id: string): HandledCommand | null {
  const last = commands.findLast(({ comment }) => comment === id);
  return last === undefined ? null : { name: last.command, outcome: last.outcome };
}

/** A run, as far as its end is to name what it heard. */
export interface HeardRun extends Pick<RecordedHearing, 'journal' | 'logger'> {
  readonly state: Pick<RunState, 'read' | 'write'>;
}

/** Reads the comments that a run heard from its record. Where that cannot be read there are none, and the log says so. */
export async function readHeardComments({
  journal,
  state,
  logger,
}: HeardRun): Promise<readonly DeliveredComment[]> {
  try {
    const commands = await createCommandRecord(state).list();
    return listHeard(await readHearing(journal.read(), { hasBodies: false }), commands);
  } catch (error) {
    logger.error({ err: error }, 'failed to read delivered comments; omitting them from report');
    return [];
  }
}

export interface UnansweredQuestion {
  readonly undelivered: readonly CommentChange[];
  /** Knows when our own comments were written, too. */
  readonly ledger: CommentDetectionState['ledger'];
  readonly end: EndOnThread;
}

/** The end of a run, as its thread shows it. */
export interface EndOnThread {
  /** The comment that the run ended with; null where there is none. */
  readonly finalCommentId: string | null;
  /** When it ended (ISO 8601), where the list does not say; null while the list has to. */
  readonly endedAt: string | null;
}

/**
 * Finds what was said before the run's final comment stood there: whoever said it could not know that nobody listened
 * any more. What shares the comment's second may have come before it, and so may another text of the thread, which has
 * the time of its beginning. A comment that nobody was told of counts from when it was written, however often it was edited since.
 *
 * @throws ListLagsError where the list does not show the final comment: it is older than that
 */
export function findUnanswered({ undelivered, ledger, end }: UnansweredQuestion): CommentChange[] {
  const endedAt = ledger.find(({ id }) => id === end.finalCommentId)?.created_at ?? end.endedAt;
  if (endedAt === null) throw new ListLagsError();
  return undelivered.filter((change) => {
    const { kind, comment } = change;
    const { id, updatedAt, createdAt } = comment;
    const saidAt = kind === 'edited' ? (updatedAt ?? createdAt) : createdAt;
    if (id === end.finalCommentId || isToldWhole(change)) return false;
    return kind !== 'deleted' && Date.parse(saidAt) <= Date.parse(endedAt);
  });
}

/** Told as information while nobody knew whether its author may steer: that they may not leaves nothing to be told. */
function isToldWhole({ corrects = false, authority }: CommentChange): boolean {
  return corrects && authority !== 'trusted';
}

/**
 * Finds what a run's record says of a change that no delivery took up: as its report names it, whatever was told of the comment before.
 * Where it is only known by now that its author may steer, that is the change that was told.
 */
export function findHeard(
  { kind, corrects = false, comment: { id, author, createdAt, url } }: CommentChange,
  heard: readonly DeliveredComment[],
): DeliveredComment {
  const found = heard.findLast(
    (one) => one.id === id && (corrects ? one.kind !== 'deleted' : one.kind === kind),
  );
  const said = { id, kind, author: author?.login ?? null, createdAt, url: url ?? null };
  return { ...(found ?? { ...said, command: null }), delivered: corrects && found?.delivered === true };
}

/** Says of a list that it lags: that is transient, like a platform that does not answer. */
export class ListLagsError extends Error {
  readonly code = 'unavailable';

  constructor() {
    super('The list of comments does not contain the final comment yet. It will be requested again.');
    this.name = 'ListLagsError';
  }
}
