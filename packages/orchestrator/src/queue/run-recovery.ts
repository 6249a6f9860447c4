import type {
  InterruptedRun,
  PausedRun,
  PausedRuns,
  RestingRuns,
  RunControls,
  RunMetadata,
  RunStore,
} from '@agent/run-store';
import type { WaitsFor } from '@agent/runner';
import { ErrorEpisodes } from '@agent/text';
import type { ModelMessage } from 'ai';
import type { EndedThreads } from '../follow-up/ended-threads.ts';
import type { RunLogger } from '../host/ports.ts';
import { hasOpen, type ShowPause } from '../lifecycle/show-pause.ts';
import type { HeldRun, PausedListener } from '../listening/paused-listener.ts';
import { isHeldPaused } from '../run/run-record.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';
import { isOver, readWait } from '../state/waits.ts';
import type { FailedRuns } from './failed-runs.ts';
import { type QueueEntry, toEndKey, toThreadKey } from './queue-entry.ts';

export interface RunRecoveryOptions {
  readonly store: RunStore<ModelMessage> &
    PausedRuns<ModelMessage> &
    Pick<RestingRuns<unknown>, 'openOutbox'>;
  readonly readRun: (uuid: string) => Promise<Pick<PausedRun, 'metadata'>>;
  readonly controls: RunControls;
  readonly platforms: readonly ConfiguredPlatform[];
  /** Hears what people command the runs that somebody keeps paused. */
  readonly listener: PausedListener;
  /** Runs that failed, and, where comments are read, threads whose runs have ended. */
  readonly failed: FailedRuns & Partial<EndedThreads>;
  /** Tells whether the end of a run is shown apart from its thread, by an entry of its own in the queue. Default no. */
  readonly isShownApart?: ((endKey: string) => Promise<boolean>) | undefined;
  /** Shows what is open of a run that waits. */
  readonly show: ShowPause;
  /** Days after which a paused run is not resumed any more. */
  readonly pausedTaskExpiryDays: number;
  readonly now: () => number;
  readonly logger: RunLogger;
}

/** A paused run as the queue may have it. */
export interface PausedEntry {
  readonly entry: QueueEntry;
  /** True while somebody's request or its own question keeps it paused; it resumes when that is taken back or answered, or its thread is given again. */
  readonly held: boolean;
}

/** Interrupted and paused runs of this machine. */
export interface RunRecovery {
  /** Runs that an earlier process left in running/. Not to be asked while a run is being begun. */
  readonly listUnfinished: () => Promise<readonly QueueEntry[]>;
  /**
   * Runs in paused/, the longest paused first. Listens to the threads of those that stay there, of those that failed, and of those at work that are
   * `left` for another attempt.
   */
  readonly listPaused: (left: readonly QueueEntry[]) => Promise<readonly PausedEntry[]>;
  /** Listens to the threads of runs that this process has `left` for another attempt, while another one looks for tasks. Never rejects. */
  readonly listenToLeft: (left: readonly QueueEntry[]) => Promise<void>;
  /** Makes threads wait for another run on which users ask for more after their runs have ended. Never rejects. */
  readonly listenToEnded: EndedThreads['look'];
  /**
   * Shows what an earlier process could not show of runs that have failed or stay paused: those that somebody keeps so, or all while everything on
   * this host is to pause. Never rejects.
   */
  readonly showOpen: (isPaused: () => Promise<boolean>) => Promise<void>;
  /** Runs that failed and that somebody asked to retry. */
  readonly listRetries: () => Promise<readonly QueueEntry[]>;
  /** Never lists this paused run again: it cannot be restored, and its thread may begin a new one. */
  readonly giveUp: (uuid: string) => void;
}

const dayMs = 86_400_000;

/** Creates the list of interrupted and paused runs. A run that cannot be resumed is reported once, and left where it is. */
export function createRunRecovery(options: RunRecoveryOptions): RunRecovery {
  const { store, controls, logger } = options;
  const said = new Set<string>();
  const episodes = new ErrorEpisodes({ now: options.now });
  const givenUp = new Set<string>();
  const sayOnce = (id: string, fields: object, message: string): void => {
    if (said.has(`${id} ${message}`)) return;
    said.add(`${id} ${message}`);
    logger.error({ run: id, ...fields }, message);
  };
  const findPlatform = (uuid: string, { host }: RunMetadata): readonly ConfiguredPlatform[] => {
    const platform = options.platforms.find((one) => one.platform.host === host);
    if (platform !== undefined) return [platform];
    sayOnce(uuid, { host }, 'skipped run: platform is not configured');
    return [];
  };
  const mayResume = ({ uuid, state: { pausedAt } }: PausedRun): boolean => {
    if (givenUp.has(uuid)) return false;
    const days = (options.now() - Date.parse(pausedAt)) / dayMs;
    if (days <= options.pausedTaskExpiryDays) return true;
    sayOnce(uuid, { pausedAt }, 'skipped paused run: expired');
    return false;
  };
  const listResumable = async (): Promise<readonly PausedHere[]> => {
    const { runs, damaged } = await store.listPaused();
    for (const { name, reason } of damaged) sayOnce(name, { reason }, 'failed to read paused run');
    return runs
      .filter(mayResume)
      .flatMap((paused) =>
        findPlatform(paused.uuid, paused.metadata).map((platform) => ({ paused, platform })),
      );
  };
  const listHeld = async (runs: readonly PausedHere[]) =>
    findHeld(runs, { asked: await controls.list(), now: options.now() });
  const showOne = async (held: HeldRun): Promise<void> => {
    const { uuid } = held.paused;
    try {
      if (await hasOpen(store, uuid)) await options.show(held);
    } catch (error) {
      sayOnce(uuid, { err: error }, 'failed to apply pending updates of run');
    }
  };
  const listLeft = createLeftRuns(options, findPlatform);
  const { isShownApart = async () => false } = options;
  const toUnfinished = async (run: Pick<InterruptedRun, 'uuid' | 'metadata' | 'outcome'>) => {
    const end = toEntry(run, 'ended');
    return run.outcome !== null && (await isShownApart(end.key)) ? end : toEntry(run, 'interrupted');
  };
  return {
    showOpen: async (isPaused) => {
      try {
        const resumable = await listResumable();
        const held = (await isPaused()) ? resumable : await listHeld(resumable);
        await Promise.all([...held, ...(await options.failed.listHeld())].map(showOne));
        episodes.end('');
      } catch (error) {
        episodes.fail('', error, { logger, message: 'failed to read pending updates of waiting runs' });
      }
    },
    giveUp: (uuid) => void givenUp.add(uuid),
    listenToLeft: async (left) => options.listener.listen(await listLeft(left)),
    listRetries: options.failed.listRetries,
    listenToEnded: async (call) => options.failed.look?.(call),
    listUnfinished: async () => {
      const { runs, pausing, damaged } = await store.listInterrupted();
      for (const { name, reason } of damaged) sayOnce(name, { reason }, 'failed to read interrupted run');
      const here = [...pausing.map((run) => ({ ...run, outcome: null })), ...runs].filter(
        ({ uuid, metadata }) => findPlatform(uuid, metadata).length > 0,
      );
      return Promise.all(here.map(toUnfinished));
    },
    listPaused: async (deferred) => {
      const resumable = await listResumable();
      const held = await listHeld(resumable);
      const listened = [...held, ...(await options.failed.listHeld())];
      const known = new Set(listened.map(({ paused }) => paused.uuid));
      const left = (await listLeft(deferred)).filter(({ paused }) => !known.has(paused.uuid));
      await options.listener.listen([...listened, ...left]);
      const uuids = new Set((await listHeld(resumable)).map(({ paused: { uuid } }) => uuid));
      return resumable.map(({ paused }) => ({
        entry: toEntry(paused, 'paused'),
        held: uuids.has(paused.uuid),
      }));
    },
  };
}

/** Names the runs of entries that wait for another attempt; each is read once. */
function createLeftRuns(
  { readRun, logger, now }: Pick<RunRecoveryOptions, 'readRun' | 'logger' | 'now'>,
  findPlatform: (uuid: string, metadata: RunMetadata) => readonly ConfiguredPlatform[],
): (entries: readonly QueueEntry[]) => Promise<readonly HeldRun[]> {
  const left = new Map<string, readonly HeldRun[]>();
  const episodes = new ErrorEpisodes({ now });
  return async (entries) => {
    const uuids = entries.flatMap(({ runId }) => (runId === null ? [] : [runId]));
    for (const uuid of left.keys()) if (!uuids.includes(uuid)) left.delete(uuid);
    for (const uuid of uuids) {
      if (left.has(uuid)) continue;
      try {
        const { metadata } = await readRun(uuid);
        episodes.end(uuid);
        const platforms = findPlatform(uuid, metadata);
        const paused = { uuid, metadata };
        left.set(
          uuid,
          platforms.map((platform) => ({ paused, platform, standing: 'left' })),
        );
      } catch (error) {
        const message = 'failed to read run that waits for a retry';
        episodes.fail(uuid, error, { logger, message, fields: { run: uuid } });
      }
    }
    return [...left.values()].flat();
  };
}

function toEntry(
  { uuid, metadata: { host, taskKeyText, extra } }: Pick<PausedRun, 'uuid' | 'metadata'>,
  kind: QueueEntry['kind'],
): QueueEntry {
  const thread = toThreadKey(host, taskKeyText);
  const key = kind === 'ended' ? toEndKey(thread, uuid) : thread;
  const url = typeof extra.url === 'string' ? extra.url : null;
  return { key, kind, platform: host, runId: uuid, url };
}

interface PausedHere {
  readonly paused: PausedRun;
  readonly platform: ConfiguredPlatform;
}

/** A run that stays paused, and what its own question waits for. */
interface HeldHere extends PausedHere {
  readonly waitsFor: WaitsFor['kind'] | null;
}

/** Those that somebody's request or a question of their own keeps paused, and nobody has told to stop. */
function findHeld(
  runs: readonly PausedHere[],
  { asked, now }: { readonly asked: Awaited<ReturnType<RunControls['list']>>; readonly now: number },
): readonly HeldHere[] {
  return runs.flatMap((run): readonly HeldHere[] => {
    const verbs = asked.filter(({ uuid }) => uuid === run.paused.uuid).map(({ verb }) => verb);
    if (isHeldPaused(verbs)) return [{ ...run, waitsFor: null }];
    const wait = readWait(run.paused.state);
    const isAnswered = verbs.includes('resume') || verbs.includes('stop');
    return wait === null || isAnswered || isOver(wait, now) ? [] : [{ ...run, waitsFor: wait.kind }];
  });
}
