import type { Script, ScriptedDecision, ScriptedSummary } from '@agent/simulators/model';
import { type DaemonProcess, quickWaits, startDaemonProcess } from './daemon-process.ts';
import type { Forge, ForgeName, ForgeThread } from './forge.ts';
import { listTurns } from './model-requests.ts';
import { until } from './until.ts';
import { startWorld, type World } from './world.ts';

/** What the model leaves of a run for those that follow it. */
export interface LeftSummary {
  readonly summary: string;
  readonly decisions?: readonly ScriptedDecision[];
}

/** One run that has ended. */
export interface EndedRun {
  readonly uuid: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The body of the first request to the model that works on the task, as text. */
  readonly firstRequest: string;
}

/** One daemon that works on the same thread again and again. */
export interface RunsInARow {
  readonly world: World;
  readonly forge: Forge;
  readonly thread: () => ForgeThread;
  /** Asks for one more run and waits for its end. */
  readonly next: (left: LeftSummary) => Promise<EndedRun>;
  readonly output: () => string;
  readonly close: () => Promise<void>;
}

export interface RunsInARowOptions {
  readonly forge: ForgeName;
  readonly script: Script;
  /** Opens the thread, without the label. */
  readonly open: (forge: Forge) => ForgeThread | Promise<ForgeThread>;
  /** Called while the model is asked; then runs hear their thread. A minute of GitLab's limit is too short for that. */
  readonly onModelRequest?: (() => void | Promise<void>) | undefined;
}

/** Starts a world with one thread, and a daemon that waits for its label. */
export async function startRunsInARow(options: RunsInARowOptions): Promise<RunsInARow> {
  const { onModelRequest } = options;
  let left: LeftSummary = { summary: 'Nothing yet.' };
  const world = await startWorld({
    script: options.script,
    summarize: () => toScripted(left),
    forges: [options.forge],
    config: { poll_interval_seconds: 20, comment_detection: { enabled: onModelRequest !== undefined } },
    ...(onModelRequest ? { onModelRequest } : {}),
  });
  const { forge } = world;
  const { reference } = await options.open(forge);
  const daemon = startDaemonProcess(world.configFile, { nodeArguments: quickWaits, flags: [] });
  const known = new Set<string>();
  const listNew = async () => (await world.runs.list('completed')).filter((uuid) => !known.has(uuid));
  return {
    world,
    forge,
    thread: () => forge.thread(reference),
    next: async (summary) => {
      left = summary;
      const asked = listTurns(world.model).length;
      forge.addLabels(reference, ['coding agent']);
      const ended = until('the run has ended', async () => (await listNew()).length > 0).catch(
        (error: Error) => {
          throw new Error(`${error.message}\n${daemon.output()}`);
        },
      );
      await Promise.race([ended, failWhenEnded(daemon)]);
      const [uuid = ''] = await listNew();
      known.add(uuid);
      const metadata = JSON.parse(await world.runs.readFile(uuid, 'metadata.json'));
      return { uuid, metadata, firstRequest: listTurns(world.model)[asked] ?? '' };
    },
    output: daemon.output,
    close: async () => {
      daemon.child.kill('SIGTERM');
      await daemon.exited;
      await world.close();
    },
  };
}

function toScripted({ summary, decisions = [] }: LeftSummary): ScriptedSummary {
  return { summary, key_decisions: decisions };
}

async function failWhenEnded({ exited }: DaemonProcess): Promise<never> {
  throw new Error(`the daemon ended too early:\n${(await exited).output}`);
}
