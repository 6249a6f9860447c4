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
export async function readState(world: Pick<World, 'runs'>): Promise<KeptState> {
  const { state, cost } = JSON.parse(await readStateText(world));
  return { ...state, cost };
}

/** The whole file, as it is. */
export function readStateText(world: Pick<World, 'runs'>): Promise<string> {
  return readOfRun(world, 'pre_planning_state.json');
}

/** What was too long for the state. */
export async function readDetails(world: Pick<World, 'runs'>, id: string): Promise<string> {
  const { details } = JSON.parse(await readOfRun(world, `planning/pre_planning/${id}.json`));
  return details;
}

async function readOfRun({ runs }: Pick<World, 'runs'>, name: string): Promise<string> {
  for (const place of ['completed', 'paused', 'running'] as const) {
    for (const uuid of await runs.list(place)) {
      const text = await runs.readFile(uuid, name).catch(() => null);
      if (text !== null) return text;
    }
  }
  throw new Error(`no run has ${name}`);
}
