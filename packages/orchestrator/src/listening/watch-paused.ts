import { parseTaskKeyJson } from '@agent/platforms';
import type { Doorbell } from '@agent/platforms/sources';
import type { RestingRuns, RunControls, RunState } from '@agent/run-store';
import { ErrorEpisodes } from '@agent/text';
import { z } from 'zod';
import type { RunSettings } from '../config/run-settings.ts';
import type { RunLogger } from '../host/ports.ts';
import { isOfResume } from '../intents/intents.ts';
import { confirmRepository, OtherRepositoryError } from '../run/run.ts';
import { parseFactsJson, type RunFacts } from '../run/run-facts.ts';
import { type StopCause, stopCauseSchema, type ThreadWatch, watchThread } from '../run/watch-thread.ts';
import type { HeldRun } from './paused-listener.ts';

export interface PausedWatchOptions {
  readonly store: Pick<RestingRuns<unknown>, 'openState' | 'openOutbox'>;
  readonly controls: Pick<RunControls, 'request'>;
  readonly doorbell: Pick<Doorbell, 'onRing'>;
  readonly settings: RunSettings['task_stop'];
  readonly now: () => number;
  readonly logger: RunLogger;
}

/** Watches what users do to the threads of runs that wait. */
export interface PausedWatch {
  /**
   * Reads each thread that was not read for `min_check_interval_seconds`, and each about which a webhook has arrived, and requests a stop if
   * an act on it stops the run. Of more than twenty threads each call reads a part, so that each is read within ten calls. Closes what it
   * has opened for runs that are no longer held. Never rejects.
   *
   * @returns the runs that are still held
   */
  readonly check: (held: readonly HeldRun[]) => Promise<readonly HeldRun[]>;
}

/** Threads that one call reads at least, and part of them that it reads if there are more. */
const [fewThreads, partOfThreads] = [20, 0.1];

const stopCauseName = 'stop_cause.json';
const shownName = 'shown_on_thread';
const keptSchema = z.object({ cause: stopCauseSchema });

interface Watched extends Pick<ThreadWatch, 'read' | 'cause'> {
  /** Milliseconds since 1970. */
  dueAt: number;
  readonly close: () => void;
}

/** Creates it. */
export function createPausedWatch(options: PausedWatchOptions): PausedWatch {
  const { store, controls, settings, now, logger } = options;
  const watched = new Map<string, Watched>();
  const episodes = new ErrorEpisodes({ now });
  const pauseMs = settings.min_check_interval_seconds * 1_000;
  const fail = (uuid: string, error: unknown): void =>
    episodes.fail(uuid, error, {
      ...{ logger, message: 'failed to check task of paused run', fields: { run: uuid } },
    });
  const isToStop = async (held: HeldRun): Promise<boolean> => {
    const { uuid } = held.paused;
    const watch = watched.get(uuid);
    if (watch === undefined) return false;
    watch.dueAt = now() + pauseMs;
    try {
      const asked = await watch.read({});
      episodes.end(uuid);
      if (asked !== 'stop') return false;
      const cause = watch.cause();
      await store.openState(uuid).write(stopCauseName, { cause });
      await controls.request(uuid, 'stop');
      logger.info({ run: uuid, cause }, 'stopping paused run: changed on its thread');
      return true;
    } catch (error) {
      fail(uuid, error);
      return false;
    }
  };
  const open = (run: HeldRun): void => {
    const { uuid } = run.paused;
    if (watched.has(uuid)) return;
    try {
      watched.set(uuid, openWatch(options, run));
    } catch (error) {
      fail(uuid, error);
    }
  };
  return {
    check: async (held) => {
      if (!settings.enabled) return held;
      const uuids = new Set(held.map(({ paused }) => paused.uuid));
      for (const [uuid, { close }] of watched) {
        if (uuids.has(uuid)) continue;
        close();
        watched.delete(uuid);
        episodes.forget(uuid);
      }
      const waiting = held.filter(({ standing }) => standing !== 'failed');
      for (const run of waiting) open(run);
      const dueAtOf = ({ paused: { uuid } }: HeldRun) => watched.get(uuid)?.dueAt ?? 0;
      const due = waiting
        .filter((run) => dueAtOf(run) <= now())
        .toSorted((one, other) => dueAtOf(one) - dueAtOf(other))
        .slice(0, Math.max(fewThreads, Math.ceil(waiting.length * partOfThreads)));
      const stops = await Promise.all(due.map(async (run) => ((await isToStop(run)) ? [run] : [])));
      const stopped = new Set(stops.flat());
      return held.filter((run) => !stopped.has(run));
    },
  };
}

/** Drops what was noted about the thread of a run that waited: its next wait begins with a label that is not shown yet. */
export async function forgetWait(state: RunState): Promise<void> {
  if ((await state.read(shownName)) !== null) await state.write(shownName, null);
}

/** Reads which act on its thread stopped a run while it waited; null if there was none. */
export async function readStopCause(state: Pick<RunState, 'read'>): Promise<StopCause | null> {
  return keptSchema.safeParse(await state.read(stopCauseName)).data?.cause ?? null;
}

function openWatch(
  { store, doorbell, now }: PausedWatchOptions,
  { paused: { uuid, metadata }, platform, waitsFor = null }: HeldRun,
): Watched {
  const facts = parseFactsJson(metadata.extra);
  const ports = platform.platform.openThread(parseTaskKeyJson(metadata.taskKey));
  const { repository } = ports;
  const state = store.openState(uuid);
  const follows = waitsFor === 'follow-up';
  let isShown = false;
  const watch = watchThread({
    reader: {
      readThread: async (call) => {
        const thread = await ports.reader.readThread(call);
        requireSame(facts, { isCustom: ports.key.type === 'custom', id: thread.id });
        const { showsWork } = platform.trigger.signs;
        const shows = !follows && (showsWork?.(thread, ['paused', 'processing', 'waiting']) ?? false);
        if (shows && !isShown) await state.write(shownName, 'true');
        isShown = shows;
        return follows ? { ...thread, assignees: [] } : thread;
      },
    },
    describe:
      facts.repository === null || repository === null
        ? null
        : async (call) => {
            await confirmRepository({ facts, thread: { ports } }, call);
            return repository.describe(call);
          },
    signs: { showsWork: () => isShown },
    hasShownWork: async () => false,
    // The thread of a run that has delivered shows its result and is no longer assigned, and a merge closes it.
    assigned: facts.assigned && !follows,
    startsOpen: async () => !(await store.openOutbox(uuid).list()).some(({ id }) => isOfResume(id)),
    startsShown: async () => !follows && (await state.read(shownName)) !== null,
    follows: async () => follows,
    ownAccount: () => platform.platform.identity.whoAmI(),
  });
  const opened: Watched = { ...watch, dueAt: now(), close: () => undefined };
  const close = doorbell.onRing(ports.key, () => {
    opened.dueAt = Number.NEGATIVE_INFINITY;
  });
  return Object.assign(opened, { close });
}

/** @throws OtherRepositoryError if another thread has the same key now */
function requireSame(
  { threadId, repository, number }: RunFacts,
  { isCustom, id }: { readonly isCustom: boolean; readonly id: string },
): void {
  if (threadId === null || isCustom || id === threadId) return;
  const path = `${repository?.path ?? ''}#${number}`;
  throw new OtherRepositoryError({ path, now: path });
}
