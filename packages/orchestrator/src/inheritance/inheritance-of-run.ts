import type { DecisionConflict, ReadTreeFile } from '@agent/context-inheritance';
import { formatTaskKey } from '@agent/platforms';
import type { ShownRun } from '@agent/run-store';
import {
  type EarlierRuns,
  type Inherited,
  inheritContext,
  type PlacedThread,
  type ThreadNow,
} from '../past/earlier-runs.ts';
import type { Run } from '../run/run.ts';
import { restsOnInternalNote, type ThreadSnapshot } from '../run/run-thread.ts';
import { postConflicts } from './decision-conflicts.ts';

/** A run, as far as its inheritance goes. */
export interface InheritingRun extends Pick<Run, 'uuid' | 'lineage' | 'logger'> {
  readonly facts: Pick<Run['facts'], 'locale' | 'belongsTo' | 'repository'>;
  readonly thread: Pick<Run['thread'], 'ports'> & {
    readonly platform: { readonly platform: { readonly host: string } };
  };
}

/** One that tells its thread what it inherits. */
export interface TellingRun extends InheritingRun {
  readonly thread: InheritingRun['thread'] & Pick<Run['thread'], 'writer'>;
}

/** Inheritance of a run that is under way. */
export interface InheritanceOfRun {
  /**
   * Looks up again what a run inherits that a crash ended between its metadata and its first line: it was settled then.
   * Null, with a warning, where that is not to be had any more.
   */
  readonly restore: (run: InheritingRun, present: ThreadNow) => Promise<Inherited | null>;
  /** Compares what a run inherits with the tree it works on: decisions whose files changed are marked as stale. */
  readonly compareWithTree: (
    run: InheritingRun,
    found: {
      readonly inherited: Inherited | null;
      readonly snapshot: ThreadSnapshot;
      readonly readFile: ReadTreeFile | null;
    },
  ) => Promise<Inherited | null>;
  /** Asks on the thread which of contradicting decisions is valid, once for each conflict, whichever run finds it. Never rejects. */
  readonly postConflicts: (run: TellingRun, conflicts: readonly DecisionConflict[]) => Promise<void>;
  /**
   * Tells the thread what a run inherits, and answers the `/show-history` that it began with. Both comments are found again by
   * their topics when a crash has it done twice; what cannot be written now is written later.
   */
  readonly postNotice: (run: TellingRun, inherited: Inherited | null) => Promise<void>;
  /** Answers a `/show-history` that was given in this comment while the run was under way. Never rejects. */
  readonly postHistory: (run: TellingRun, commentId: string) => Promise<void>;
}

export interface InheritanceOfRunOptions {
  /** Null where nothing is inherited. */
  readonly earlierRuns: EarlierRuns | null;
  readonly readRun: (uuid: string) => Promise<Pick<ShownRun<unknown>, 'state'>>;
}

/** Creates it. */
export function createInheritanceOfRun(options: InheritanceOfRunOptions): InheritanceOfRun {
  const { earlierRuns } = options;
  const tellHistory = (run: InheritingRun) => () => composeHistory(options, run);
  return {
    restore: async (run, present) => (earlierRuns === null ? null : restore(earlierRuns, run, { present })),
    compareWithTree: async (run, { inherited, snapshot: { thread, listing }, readFile }) => {
      const hasEvidence = inherited?.decisions.some(({ evidence }) => evidence !== null) ?? false;
      // On a draft the comments of the issue are not known any more: deleted ones would count again.
      if (earlierRuns === null || !hasEvidence || run.facts.belongsTo !== null) return inherited;
      const present = toPresent(run, { thread, listing });
      return (await restore(earlierRuns, run, { present, readFile })) ?? inherited;
    },
    postConflicts,
    postNotice: async (run, inherited) => {
      if (inherited !== null) {
        await post(run, { topic: 'inherited', tell: async () => ({ body: inherited.notice }) });
        await postConflicts(run, inherited.conflicts);
      }
      if (run.lineage.showsHistory) await post(run, { topic: 'history', tell: tellHistory(run) });
    },
    postHistory: (run, commentId) => post(run, { topic: `history:${commentId}`, tell: tellHistory(run) }),
  };
}

/** The comments of a draft are not those of its issue, on which earlier decisions are based. */
export function toPresent(
  { facts: { belongsTo } }: Pick<InheritingRun, 'facts'>,
  { thread, listing }: ThreadSnapshot,
): ThreadNow {
  return belongsTo === null
    ? { listing, issue: thread }
    : { listing: { ...listing, complete: false }, issue: null };
}

async function restore(
  { openManager, timeZone, mode }: EarlierRuns,
  run: InheritingRun,
  found: { readonly present: ThreadNow; readonly readFile?: ReadTreeFile | null },
): Promise<Inherited | null> {
  const { lineage, facts, logger } = run;
  if (lineage.fromUuid === null) return null;
  const { locale } = facts;
  try {
    const thread = nameThread(run);
    const manager = await openManager({ locale, logger, thread });
    const inherited = await inheritContext(manager, {
      thread,
      ...{ ...found, locale, timeZone, mode },
    });
    if (inherited === null)
      logger.warn({ from: lineage.fromUuid }, 'found nothing to inherit from earlier run');
    return inherited;
  } catch (error) {
    logger.warn({ err: error, from: lineage.fromUuid }, 'failed to read earlier run');
    return null;
  }
}

/** `internal`: for those who may read internal notes. */
interface Told {
  readonly body: string;
  readonly internal?: boolean;
}

async function post(
  { uuid, thread, logger }: TellingRun,
  { topic, tell }: { readonly topic: string; readonly tell: () => Promise<Told> },
): Promise<void> {
  try {
    await thread.writer.post({ topic: `run:${uuid}:${topic}`, ...(await tell()) });
  } catch (error) {
    logger.error({ err: error, topic }, 'failed to compose comment about earlier runs');
  }
}

/** A history that quotes a run which heard an internal note has the readers of that note. */
async function composeHistory(
  { earlierRuns, readRun }: InheritanceOfRunOptions,
  run: InheritingRun,
): Promise<Told> {
  const { facts, logger } = run;
  const { locale } = facts;
  const { formatHistory } = await import('@agent/context-inheritance');
  const thread = nameThread(run);
  const manager = await earlierRuns?.openManager({ locale, logger, thread });
  const history = (await manager?.listHistory(thread)) ?? [];
  const quoted = history.filter(({ summary }) => summary !== null);
  const rests = await Promise.all(
    quoted.map(async ({ uuid }) => restsOnInternalNote((await readRun(uuid)).state)),
  );
  const body = formatHistory(history, { locale, timeZone: earlierRuns?.timeZone });
  return { body, internal: rests.includes(true) };
}

/** The thread of a run, as earlier runs of its task are found. */
export function nameThread({
  facts: { belongsTo, repository },
  thread: { ports, platform },
}: Pick<InheritingRun, 'facts' | 'thread'>): PlacedThread {
  const taskKeyText = belongsTo ?? formatTaskKey(ports.key);
  return { taskKeyText, host: platform.platform.host, repositoryId: repository?.id };
}
