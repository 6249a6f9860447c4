import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { World } from './world.ts';

/** What a run keeps of how it gets ready, as far as tests look at it. */
export interface KeptState {
  readonly current_subphase: string;
  readonly collection_results: readonly {
    readonly info_id: string;
    readonly status: string;
    readonly tool_calls_used: number;
    readonly timestamp: string;
  }[];
  readonly failures: readonly { readonly info_id: string; readonly reason: string }[];
  readonly assumptions: readonly { readonly label: string; readonly info_id: string }[];
  readonly information_gaps: readonly { readonly info_id: string }[];
  readonly cost: { readonly model_calls: number };
}

/** Of the one run, wherever it is. @throws Error when nothing is kept */
export async function readState(world: Pick<World, 'directory'>): Promise<KeptState> {
  const { state, cost } = JSON.parse(await readStateText(world));
  return { ...state, cost };
}

/** The whole file, as it is. */
export function readStateText(world: Pick<World, 'directory'>): Promise<string> {
  return readOfRun(world, 'pre_planning_state.json');
}

/** What was too long for the state. */
export async function readDetails(world: Pick<World, 'directory'>, id: string): Promise<string> {
  const { details } = JSON.parse(await readOfRun(world, join('planning', 'pre_planning', `${id}.json`)));
  return details;
}

async function readOfRun({ directory }: Pick<World, 'directory'>, name: string): Promise<string> {
  for (const place of ['completed', 'paused', 'running']) {
    const runs = join(directory, 'contexts', place);
    for (const uuid of await readdir(runs).catch(() => [])) {
      const text = await readFile(join(runs, uuid, name), 'utf8').catch(() => null);
      if (text !== null) return text;
    }
  }
  throw new Error(`no run has ${name}`);
}
