import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DaemonProcess, quickWaits, startDaemonProcess } from './daemon-process.ts';
import type { ForgeThread } from './forge.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/** What a run leaves for those that follow it. */
export interface LeftSummary {
  readonly summary: string;
  /** Each with the comment that it rests on, as it stands when the run ends. */
  readonly decisions?: readonly {
    readonly text: string;
    readonly comment?: { readonly id: string; readonly body: string };
  }[];
}

/** One run that has ended. */
export interface EndedRun {
  readonly uuid: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The body of its first request to the model, as text. */
  readonly firstRequest: string;
}

/** One daemon that works on the same thread again and again. */
export interface RunsInARow {
  /** Asks for one more run and waits for its end. */
  readonly next: (left?: LeftSummary) => Promise<EndedRun>;
  readonly output: () => string;
  readonly close: () => Promise<void>;
}

/** Starts a daemon for a thread that carries no label yet. */
export function startRunsInARow(world: World, { reference }: Pick<ForgeThread, 'reference'>): RunsInARow {
  const completed = join(world.directory, 'contexts', 'completed');
  const daemon = startDaemonProcess(world.configFile, { nodeArguments: quickWaits, flags: [] });
  const known = new Set<string>();
  const listNew = async () => (await readdir(completed).catch(() => [])).filter((uuid) => !known.has(uuid));
  return {
    next: async (left) => {
      const asked = countRequests(world);
      world.forge.addLabels(reference, ['coding agent']);
      const ended = until('the run has ended', async () => (await listNew()).length > 0);
      await Promise.race([ended, failWhenEnded(daemon)]);
      const [uuid = ''] = await listNew();
      known.add(uuid);
      const metadata = JSON.parse(await readFile(join(completed, uuid, 'metadata.json'), 'utf8'));
      if (left !== undefined) await writeSummary(join(completed, uuid, 'summaries.jsonl'), left);
      return { uuid, metadata, firstRequest: readRequests(world)[asked] ?? '' };
    },
    output: daemon.output,
    close: async () => {
      daemon.child.kill('SIGTERM');
      await daemon.exited;
    },
  };
}

async function writeSummary(path: string, { summary, decisions = [] }: LeftSummary): Promise<void> {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const line = {
    id: 1,
    start_seq: 1,
    end_seq: 1,
    summary,
    final: true,
    timestamp: new Date().toISOString(),
    key_decisions: decisions.map(({ text, comment }) => ({
      text,
      source_comment_id: comment?.id ?? null,
      source_sha256: comment === undefined ? null : sha256(comment.body),
    })),
  };
  await writeFile(path, `${JSON.stringify(line)}\n`);
}

function readRequests({ model }: World): readonly string[] {
  return model.requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.stringify(body));
}

function countRequests(world: World): number {
  return readRequests(world).length;
}

async function failWhenEnded({ exited }: DaemonProcess): Promise<never> {
  throw new Error(`the daemon ended too early:\n${(await exited).output}`);
}
