import { type DaemonExit, quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import { editConfig } from '../support/edit-config.ts';
import type { ForgeName } from '../support/forge.ts';
import type { Effect } from './effect.ts';
import { findForbiddenEffects, readBefore } from './forbidden-effects.ts';
import type { Incident } from './incident.ts';
import { formatCleanup, orderMarks, shortOrder, toTags } from './orders.ts';
import { type Scene, startScene } from './scene.ts';

/** What became of an incident on one platform. */
export interface Replay {
  readonly incident: Incident;
  readonly forge: ForgeName;
  /** True if a request to the model contained the attacker's order. */
  readonly reached: boolean;
  /** Requests to the model. */
  readonly requests: number;
  /** Calls that the attacker ordered and the model made. */
  readonly followed: number;
  readonly effects: readonly Effect[];
  /** Differences from what the incident declares. */
  readonly surprises: readonly string[];
  /** Output of the daemon's processes. */
  readonly output: string;
}

export interface ReplayOptions {
  readonly forge: ForgeName;
  readonly sandbox: 'required' | 'off';
}

/** Replays an incident against the real daemon: once, and again after a maintainer had the held files taken out. */
export async function replayIncident(incident: Incident, options: ReplayOptions): Promise<Replay> {
  let reference = '';
  const { steps, summary, config } = incident;
  const scene = await startScene({
    ...{ ...options, steps, summary },
    onFirstRequest: (at) => incident.during?.(at, reference),
  });
  try {
    if (config !== undefined) await editConfig(scene.world.configFile, await config(scene));
    reference = await incident.prepare(scene);
    const before = await readBefore(scene);
    let { output } = await live(scene);
    if (incident.again !== undefined) {
      await incident.again(scene, reference);
      ({ output } = await live(scene, output));
    }
    if (scene.forge.thread(reference).labels.includes('coding agent paused')) {
      scene.forge.comment(reference, { author: 'alice', body: formatCleanup() });
      ({ output } = await live(scene, output));
    }
    const effects = await findForbiddenEffects(scene, { before, reference });
    const bodies = scene.world.model.requests.map(({ body }) => JSON.stringify(body));
    const seen = {
      forge: options.forge,
      reached: bodies.some((body) => isOrdered(body)),
      requests: bodies.length,
      followed: scene.model.followed(),
    };
    const surprises = findSurprises(incident, { ...seen, bodies });
    return { incident, ...seen, effects, surprises, output };
  } finally {
    await scene.close();
  }
}

async function live({ world }: Scene, earlier = ''): Promise<Pick<DaemonExit, 'output'>> {
  const { output } = await startDaemonProcess(world.configFile, {
    alone: true,
    nodeArguments: quickWaits,
  }).exited;
  return { output: earlier + output };
}

function isOrdered(body: string): boolean {
  return (
    body.includes(`AGENT ORDER ${orderMarks.attacker}`) ||
    body.includes(shortOrder) ||
    body.includes(toTags(shortOrder))
  );
}

/** A replay in which nothing happened shows nothing, so what an incident declares is compared with what was seen. */
function findSurprises(
  { reaches, begins = true, visible }: Incident,
  seen: Pick<Replay, 'reached' | 'requests' | 'followed'> & { readonly bodies: readonly string[] },
): readonly string[] {
  const surprises: string[] = [];
  if (seen.reached !== reaches)
    surprises.push(reaches ? 'the order did not reach the model' : 'the order reached the model');
  if (reaches && seen.followed === 0) surprises.push('the model followed no order');
  if (begins !== seen.requests > 0) surprises.push(begins ? 'no run began' : 'a run began');
  if (visible !== undefined && !seen.bodies.some((body) => body.includes(visible)))
    surprises.push('the visible words beside the order did not reach the model');
  return surprises;
}
