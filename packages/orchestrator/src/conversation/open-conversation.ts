import type { ThreadReader } from '@agent/platforms';
import type { ShownRun } from '@agent/run-store';
import { type OpenedConversation, type RunSignals, readConversation } from '@agent/runner';
import type { TaskWorkspace } from '@agent/workspace';
import type { ModelMessage } from 'ai';
import { requireAsGiven } from '../admission/handover.ts';
import type { RunLogger } from '../host/ports.ts';
import type { RunInbox, TakenUp } from '../inbox/run-inbox.ts';
import { type InheritanceOfRun, toPresent } from '../inheritance/inheritance-of-run.ts';
import type { Inherited } from '../past/earlier-runs.ts';
import { toInheritedDecisionsFact } from '../past/inherited-decisions.ts';
import { createTreeReader } from '../past/read-tree-file.ts';
import { createKnownComments } from '../plan/known-comments.ts';
import { readKeptPrePlanning } from '../plan/pre-planning-files.ts';
import type { PrePlan } from '../planning/pre-plan.ts';
import type { Run } from '../run/run.ts';
import { changeRequestKindOf } from '../run/run-facts.ts';
import { heardInternalName, listWholeThread, type Snapshot } from '../run/run-thread.ts';
import { listNews, wasSaidBefore } from '../thread/detection-record.ts';
import { toShownFact } from '../thread/shown-comments.ts';
import { envelopeNonceName, markInternal, type TextGuard } from '../thread/text-guard.ts';
import type { TaskTools } from '../tools/task-tools.ts';
import { formatInstructions, readRepositoryRules } from './instructions.ts';
import { type ShowThreadLimits, showThread } from './show-thread.ts';

export interface OpenConversationOptions {
  /** Null where there is no repository. */
  readonly workspace: TaskWorkspace | null;
  /** Null when the run goes on after a crash that came before its first line: then the thread is read again. */
  readonly snapshot: Snapshot | null;
  readonly runInbox: RunInbox;
  readonly tools: TaskTools;
  readonly signals: RunSignals;
  readonly signal?: AbortSignal | undefined;
}

export interface OpenConversationServices extends ShowThreadLimits {
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
  const { workspace, signal, runInbox } = options;
  const { platform, ports, audience } = run.thread;
  const { guard } = runInbox;
  const snapshot = options.snapshot ?? (await takeSnapshot(services, run, signal));
  const { thread, listing } = snapshot;
  await audience.hear(listing.comments);
  const readFile = workspace && createTreeReader(workspace.path);
  const found = { inherited: snapshot.inherited, snapshot, readFile };
  const compared = await services.inheritance.compareWithTree(run, found);
  const { inherited, isInternal } = await inheritAudience(services.readRun, run, compared);
  const receipt = await runInbox.begin(
    { ...listing, thread },
    options.snapshot === null ? await takeUp(services, run) : undefined,
  );
  const news = options.snapshot === null ? await listNews(run.journal) : [];
  const ownAccount = await platform.platform.identity.whoAmI({ signal });
  const { text, shown } = await showThread(run, {
    ...services,
    snapshot,
    unanswered: new Set([...run.facts.unanswered, ...news]),
    ...{ guard, ownAccount, signal },
  });
  const until = listing.comments.at(-1)?.createdAt ?? null;
  await run.journal.append(toShownFact({ opening: true, comments: shown, until }));
  const decisionsFact = await toInheritedDecisionsFact(inherited?.decisions ?? []);
  if (decisionsFact !== null) await run.journal.append(decisionsFact);
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
  const parent = await showParent({ reader: ports.reader, guard, logger: run.logger, signal });
  const messages = [...earlier, { role: 'user' as const, content: `${text}${parent}` }];
  return { instructions, messages, receipt, ...cost };
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

async function takeSnapshot(
  { inheritance, now }: Pick<OpenConversationServices, 'inheritance' | 'now'>,
  run: Run,
  signal: AbortSignal | undefined,
): Promise<Snapshot> {
  const { ports } = run.thread;
  const thread = await ports.reader.readThread({ signal });
  await requireAsGiven(run, { now, signal });
  const listing = await listWholeThread(run.thread, { signal });
  return { thread, listing, inherited: await inheritance.restore(run, toPresent(run, { thread, listing })) };
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

/** Longest text of a parent issue that is shown. */
const maxParentChars = 8_000;

/**
 * Shows the issue that an issue is a part of. Its text is information for the model whatever its author's rights are: the
 * task is the sub-issue alone. Empty where there is no parent, or where it cannot be read.
 */
export async function showParent({
  reader,
  guard,
  logger,
  signal,
}: {
  readonly reader: Pick<ThreadReader, 'readParent'>;
  readonly guard: Pick<TextGuard, 'clean' | 'wrap'>;
  readonly logger: Pick<RunLogger, 'warn'>;
  readonly signal?: AbortSignal | undefined;
}): Promise<string> {
  try {
    const parent = (await reader.readParent?.({ signal })) ?? null;
    if (parent === null) return '';
    const { number, title, body, author, url } = parent;
    const [name, text] = await Promise.all([guard.clean(title, url), guard.clean(body, url)]);
    const said = text.length > maxParentChars ? `${text.slice(0, maxParentChars)}\n…(truncated)` : text;
    const shown = guard.wrap(`${name}\n\n${said}`, { author: author?.login ?? null, authority: 'untrusted' });
    return `\n\nThis issue is a sub-issue of #${number}. The parent issue is background, not part of the task:\n\n${shown}`;
  } catch (error) {
    signal?.throwIfAborted();
    logger.warn({ err: error }, 'failed to read parent issue');
    return '';
  }
}
