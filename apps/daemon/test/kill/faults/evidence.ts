import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ForgeThread } from '../../support/forge.ts';
import { readWithGit } from '../../support/forge-git.ts';
import type { Place } from './lay-out.ts';
import { type Conversation, readConversations } from './model-log.ts';
import type { Saying } from './people.ts';
import type { RunPlace, TrialBed } from './trial-bed.ts';

/** A directory of a run. */
export interface RunOnDisk {
  readonly uuid: string;
  readonly place: RunPlace;
  /** The lines of its record, as text. */
  readonly lines: readonly string[];
  /** The lines of its `planning/{uuid}.jsonl`; null where there is none. */
  readonly planning: readonly string[] | null;
  /** Null before its end. */
  readonly outcome: { readonly status: string } | null;
}

/** All that a trial left. Nothing of it comes from the product's code. */
export interface Evidence {
  readonly reference: string;
  readonly sayings: readonly Saying[];
  /** When people labeled the thread. */
  readonly labels: readonly number[];
  readonly conversations: readonly Conversation[];
  /** The thread that the work is about. */
  readonly thread: ForgeThread;
  readonly branches: readonly Branch[];
  /** Branches in the repositories that the work is not about. */
  readonly strangeBranches: readonly string[];
  readonly effects: readonly string[];
  readonly runs: readonly RunOnDisk[];
  /** Of `agent-daemon status`. */
  readonly status: string;
  /** Of each process that nobody killed: how it ended. */
  readonly hung: number;
  /** When requests for the next step came to the model and were answered. */
  readonly modelCalls: readonly number[];
}

interface Branch {
  readonly name: string;
  /** Lines of the log that the tools write; null without one. */
  readonly log: readonly string[] | null;
}

export async function collectEvidence(
  bed: TrialBed,
  places: readonly Place[] = ['first'],
): Promise<Evidence> {
  const { forge, people, reference } = bed;
  const runs = await Promise.all(places.map((place) => readRuns(bed.contexts(place))));
  const names = (await forge.branches()).filter((name) => name !== 'main');
  const endings = await Promise.all(bed.lives.map(({ isAlive, exited }) => (isAlive() ? null : exited)));
  return {
    reference,
    sayings: people.sayings(),
    labels: people.labels(),
    conversations: readConversations(bed.desk.seen),
    thread: forge.thread(reference),
    branches: await Promise.all(names.map(async (name) => ({ name, log: await readLog(bed, name) }))),
    strangeBranches: (await Promise.all(bed.neighbors.map((directory) => readWithGit(directory).branches())))
      .flat()
      .filter((name) => name !== 'main'),
    effects: await bed.readEffects(),
    runs: runs.flat(),
    status: (await Promise.all(places.map((place) => bed.command(['status'], place))))
      .map(({ output }) => output)
      .join('\n'),
    hung: endings.filter((ending) => ending?.hung === true).length,
    modelCalls: bed.desk.seen.flatMap(({ route, status, at }) =>
      route === 'model' && status === 200 ? [at] : [],
    ),
  };
}

async function readLog({ forge }: TrialBed, branch: string): Promise<readonly string[] | null> {
  const text = await forge.readFile(branch, 'log.txt').catch(() => null);
  return text === null ? null : text.split('\n').filter(Boolean);
}

async function readRuns(contexts: string): Promise<readonly RunOnDisk[]> {
  const places = ['running', 'paused', 'completed'] as const;
  const lists = places.map(async (place) => {
    const names = (await readdir(join(contexts, place)).catch(() => [])).filter((name) =>
      /^[0-9a-f-]{36}$/.test(name),
    );
    return Promise.all(
      names.map(async (uuid) => {
        const read = (...names: string[]): Promise<string | null> =>
          readFile(join(contexts, place, uuid, ...names), 'utf8').catch(() => null);
        const planning = await read('planning', `${uuid}.jsonl`);
        return {
          uuid,
          place,
          lines: toLines((await read('messages.jsonl')) ?? ''),
          planning: planning === null ? null : toLines(planning),
          outcome: parseOutcome((await read('outcome.json')) ?? 'null'),
        };
      }),
    );
  });
  return (await Promise.all(lists)).flat();
}

/** Null for one that was damaged: it is written anew from the record when the run is opened. */
function parseOutcome(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const toLines = (text: string): readonly string[] => text.split('\n').filter(Boolean);
