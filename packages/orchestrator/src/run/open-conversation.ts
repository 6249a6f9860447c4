import { type Comment, isSameAccount, parseCommentMarker } from '@agent/platforms';
import type { ShownRun } from '@agent/run-store';
import { type OpenedConversation, type RunSignals, readConversation } from '@agent/runner';
import {
  type ConversationLimits,
  formatFirstMessage,
  type ThreadNoun,
  toConversationContext,
} from '@agent/thread-context';
import type { TaskWorkspace } from '@agent/workspace';
import type { ModelMessage } from 'ai';
import { markHandledCommands } from '../inbox/commands.ts';
import { listNews, wasSaidBefore } from '../inbox/detection-record.ts';
import type { RunInbox, TakenUp } from '../inbox/run-inbox.ts';
import {
  cleanComments,
  cleanThread,
  describeThreadPictures,
  envelopeNonceName,
  markInternal,
  readThreadAuthorities,
  type TextGuard,
} from '../inbox/text-guard.ts';
import { isOwnThread } from '../inbox/trust.ts';
import type { Inherited } from '../past/earlier-runs.ts';
import type { InheritanceOfRun } from '../past/inheritance-of-run.ts';
import { createKnownComments } from '../pre-plan/known-comments.ts';
import type { PrePlan } from '../pre-plan/pre-plan.ts';
import { readKeptPrePlanning } from '../pre-plan/pre-planning-files.ts';
import { isProgressTopic } from '../report/status-comment.ts';
import type { TaskTools } from '../tools/task-tools.ts';
import { requireAsGiven } from './handover.ts';
import { formatInstructions, readRepositoryRules } from './instructions.ts';
import type { Run } from './run.ts';
import { changeRequestKindOf, type RunFacts } from './run-facts.ts';
import { heardInternalName, listWholeThread, type Snapshot } from './run-thread.ts';

const nouns: Readonly<Record<RunFacts['kind'], ThreadNoun>> = {
  issue: 'issue',
  'pull request': 'pull-request',
  'merge request': 'merge-request',
};

export interface OpenConversationOptions {
  /** Null where there is no repository. */
  readonly workspace: TaskWorkspace | null;
  /** Null when the run goes on after a crash that came before its first line: then the thread is read again. */
  readonly snapshot: Snapshot | null;
  readonly ears: RunInbox;
  readonly tools: TaskTools;
  readonly signals: RunSignals;
  readonly signal?: AbortSignal | undefined;
}

export interface OpenConversationServices {
  readonly conversation: ConversationLimits;
  readonly prePlan: PrePlan;
  /** True where an earlier process may have pre-planned. */
  readonly prePlans: boolean;
  readonly inheritance: InheritanceOfRun;
  readonly readRun: ReadRun;
  readonly now: () => number;
}

export type OpenConversation = (run: Run, options: OpenConversationOptions) => Promise<OpenedConversation>;

/**
 * Creates what opens a run's conversation: instructions and first message, both out of one snapshot of the thread. What the
 * run inherits is told to the thread after that snapshot, so that the model does not read it twice.
 */
export function createOpenConversation(services: OpenConversationServices): OpenConversation {
  return (run, options) => openConversation(services, run, options);
}

async function openConversation(
  services: OpenConversationServices,
  run: Run,
  options: OpenConversationOptions,
): Promise<OpenedConversation> {
  const { workspace, signal, ears } = options;
  const { platform, ports, audience } = run.thread;
  const { guard } = ears;
  const snapshot = options.snapshot ?? (await takeSnapshot(services, run, signal));
  const { thread, listing } = snapshot;
  await audience.hear(listing.comments);
  const { inherited, isInternal } = await inheritAudience(services.readRun, run, snapshot.inherited);
  const receipt = await ears.begin(
    { ...listing, thread },
    options.snapshot === null ? await takeUp(services, run) : undefined,
  );
  const ownAccount = await platform.platform.identity.whoAmI({ signal });
  const tellsNothing = ({ author, body }: Comment): boolean => {
    const topic = isSameAccount(author, ownAccount) ? parseCommentMarker(body) : null;
    // What it wrote before it was interrupted is in its instructions, and would take the place of what people say.
    return topic?.startsWith(`run:${run.uuid}:`) === true || isProgressTopic(topic);
  };
  const comments = listing.comments.filter((comment) => !tellsNothing(comment));
  const shownThread = await cleanThread(thread, guard.clean);
  const shownComments = await cleanComments(comments, guard.clean);
  const marked = new Set(comments.filter(carriesOurMarker).map(({ id }) => id));
  const context = toConversationContext(shownThread, shownComments, {
    ownAccount,
    // A person's token: what that person writes by hand is a request like anybody else's.
    ...(ownAccount.kind === 'person' ? { isOwnComment: ({ id }) => marked.has(String(id)) } : {}),
    ...services.conversation,
    onWarning: (message) => run.logger.warn({ warning: message }, 'found suspicious content'),
  });
  const authorityOf = await readThreadAuthorities(context, { thread, comments, ownAccount, guard, signal });
  const seen = { thread, comments, authorityOf, pictures: guard.pictures, signal };
  const picturesOf = await describeThreadPictures(context, seen);
  const byId = new Map(comments.map((comment) => [String(comment.id), comment]));
  const firstMessage = formatFirstMessage(context, {
    locale: run.facts.locale,
    noun: nouns[run.facts.kind],
    url: thread.url,
    prepareText: (text, entry) => {
      const authority = authorityOf(entry);
      const said = authority === 'trusted' ? markHandledCommands(text) : text;
      const shown = markInternal(said, byId.get(String(entry.metadata.id)) ?? {});
      return guard.wrap(`${shown}${picturesOf(entry)}`, { author: entry.metadata.author, authority });
    },
    mayInstruct: (entry) => authorityOf(entry) === 'trusted',
    isOwnThread: isOwnThread(thread, ownAccount),
    handedOverBy: run.facts.handover?.by.login,
  });
  const { foundOut, ...cost } = await services.prePlan(run, {
    ...options,
    snapshot: { ...snapshot, inherited },
  });
  const instructions = formatInstructions({
    ...run.facts,
    nonce: guard.nonce,
    changeRequest: ports.changeRequests === null ? null : changeRequestKindOf(ports.key),
    repositoryRules: await readRepositoryRules({ workspace, clean: guard.clean, signal }),
    foundOut,
    inherited: markInternal(inherited?.block ?? '', isInternal ? { visibility: 'internal' } : {}),
  });
  await services.inheritance.postNotice(run, inherited);
  const earlier = await readRetriedConversation(services.readRun, run);
  const shownIds = new Set(context.conversation.map(({ metadata }) => String(metadata.id)));
  const news = options.snapshot === null ? await listNews(run.journal) : [];
  const owedIds = new Set([...run.facts.unanswered, ...news]);
  const owed = comments.filter(({ id }) => owedIds.has(id) && !shownIds.has(String(id)));
  const unanswered = await formatUnanswered(owed, { guard, signal });
  const messages = [...earlier, { role: 'user' as const, content: `${firstMessage}${unanswered}` }];
  return { instructions, messages, receipt, ...cost };
}

const unansweredHeading =
  'Unanswered comments of this thread. They are older than the comments above; answer them as well:';

/** Formats the comments that earlier runs or processes heard too late and that the conversation has no room for; empty where there are none. */
async function formatUnanswered(
  comments: readonly Comment[],
  { guard, signal }: { readonly guard: TextGuard; readonly signal?: AbortSignal | undefined },
): Promise<string> {
  const texts = comments.map(async (comment) => {
    const { author, createdAt } = comment;
    const authority = await guard.authorityOf(author, { signal });
    const said = markInternal(await guard.clean(comment.body, comment.url ?? undefined), comment);
    const shown = await guard.pictures.describe(comment.body, { authority, signal });
    const text = guard.wrap(`${authority === 'trusted' ? markHandledCommands(said) : said}${shown}`, {
      author: author?.login ?? null,
      authority,
    });
    return `${createdAt}\n${text}`;
  });
  return comments.length === 0 ? '' : ['', unansweredHeading, ...(await Promise.all(texts))].join('\n\n');
}

/** Inherits the audience with the context. If that cannot be read, nothing is inherited. */
async function inheritAudience(
  readRun: ReadRun,
  { thread: { audience }, logger }: Pick<Run, 'thread' | 'logger'>,
  inherited: Inherited | null,
): Promise<{ readonly inherited: Inherited | null; readonly isInternal: boolean }> {
  try {
    const earlier = await Promise.all((inherited?.uuids ?? []).map((uuid) => readRun(uuid)));
    return { inherited, isInternal: await audience.inherit(earlier.map(({ state }) => state)) };
  } catch (error) {
    logger.error({ err: error }, 'failed to read audience of earlier runs; inheriting nothing');
    return { inherited: null, isInternal: false };
  }
}

/** Reads what the run was begun with, and what the process heard that began it, while it pre-planned. */
async function takeUp(
  { prePlans }: Pick<OpenConversationServices, 'prePlans'>,
  { facts, state, logger }: Pick<Run, 'facts' | 'state' | 'logger'>,
): Promise<TakenUp> {
  const kept = prePlans ? await readKeptPrePlanning(state, logger) : null;
  const { has } = createKnownComments(kept?.knownComments ?? []);
  return { wasHeard: (change) => wasSaidBefore(facts.saidBefore, change) || (prePlans && has(change)) };
}

function carriesOurMarker({ body }: Comment): boolean {
  return parseCommentMarker(body) !== null;
}

async function takeSnapshot(
  { inheritance, now }: Pick<OpenConversationServices, 'inheritance' | 'now'>,
  run: Run,
  signal: AbortSignal | undefined,
): Promise<Snapshot> {
  const { ports } = run.thread;
  const thread = await ports.reader.readThread({ signal });
  await requireAsGiven(run, { now, signal });
  const listing = await listWholeThread(run.thread, { signal });
  return { thread, listing, inherited: await inheritance.restore(run, listing) };
}

/** Reads any run, wherever it lies; the AI SDK checks its messages before they are sent. */
export type ReadRun = (uuid: string) => Promise<ShownRun<ModelMessage>>;

/**
 * Takes over what goes with the words of a conversation that is gone on from: the mark of its envelopes, which its
 * instructions speak of, and that an internal note was heard. What stands there already stays.
 */
export async function inheritMarks(
  readRun: (uuid: string) => Promise<Pick<ShownRun<ModelMessage>, 'state'>>,
  { state, lineage, logger }: Pick<Run, 'state' | 'lineage' | 'logger'>,
): Promise<void> {
  if (lineage.retryOf === null) return;
  try {
    const { state: from } = await readRun(lineage.retryOf);
    for (const name of [envelopeNonceName, heardInternalName]) {
      const mark = (await state.read(name)) === null ? await from.read(name) : null;
      if (mark !== null) await state.write(name, mark);
    }
  } catch (error) {
    logger.warn({ err: error }, 'failed to copy marks of retried run');
  }
}

const goesOn = [
  'The run of the conversation above failed, and a user asked to continue from there. Limits and last turns that it mentions no longer apply.',
  'Its changes are in your files, unless they could not be kept. Check the files before you rely on anything said about them. The current thread follows.',
].join(' ');

/** The conversation that a run begins with, before its first message; empty where it is not gone on from another. */
async function readRetriedConversation(
  readRun: ReadRun,
  { lineage: { retryOf }, logger }: Pick<Run, 'lineage' | 'logger'>,
): Promise<readonly ModelMessage[]> {
  if (retryOf === null) return [];
  try {
    const { history } = await readRun(retryOf);
    const messages = await readConversation({ read: () => onlyMessages(history()) });
    return messages.length === 0 ? [] : [...messages, { role: 'user', content: goesOn }];
  } catch (error) {
    logger.error({ err: error, run: retryOf }, 'failed to read conversation of retried run');
    return [];
  }
}

type History = ReturnType<ShownRun<ModelMessage>['history']>;
type Entry = History extends AsyncIterable<infer One> ? One : never;

async function* onlyMessages(
  history: History,
): AsyncGenerator<Extract<Entry, { type: 'message' | 'summary' }>> {
  for await (const entry of history) {
    if (entry.type === 'message' || entry.type === 'summary') yield entry;
  }
}
