import type { Comment, GitHubTaskKey, RequestRecord } from '@agent/platforms';
import type { PollPace } from '@agent/platforms/sources';
import { createListener } from './create-listener.ts';
import { startFleetForge, type VirtualClock } from './fleet-forge.ts';
import { createFleetSources, type FleetSources } from './fleet-sources.ts';
import { createSeedFleetSources } from './seed-fleet-sources.ts';
import { type HeardHour, type SimulatedTask, simulateHour } from './simulate-hour.ts';

/** A fleet of tasks that share a credential. */
export interface FleetSetup {
  readonly tasks: number;
  readonly repositories: number;
  /** The seed's way knows no webhooks and no pace. */
  readonly way: 'polling' | 'webhooks' | 'seed';
  readonly pace: PollPace;
}

/** An hour of a fleet. */
export interface FleetFigures extends HeardHour {
  /** To begin with: a listing of every thread. Not part of the hour. */
  readonly joining: number;
  readonly requests: number;
  readonly counted: number;
  /** Refused by a limit. */
  readonly refused: number;
}

/** As the daemon has it. */
const sweepIntervalMs = 90_000;
/** Tasks join slowly enough for the limit of a minute. */
const betweenJoinsMs = 200;
const joinAgainMs = 1_000;

/** One hour of a fleet on a simulated GitHub, by a virtual clock. */
export async function measureFleet(setup: FleetSetup): Promise<FleetFigures> {
  const { tasks, repositories, way, pace } = setup;
  const webhooks = way === 'webhooks';
  const clock: VirtualClock = { time: Date.parse('2026-03-01T00:00:00Z') };
  const forge = await startFleetForge({ tasks, repositories, clock });
  let counts = nothing();
  try {
    const onRequest = (record: RequestRecord) => {
      counts = count(counts, record);
    };
    const sweep = { sweepIntervalMs: webhooks ? sweepIntervalMs : 0 };
    const sources =
      way === 'seed'
        ? createSeedFleetSources({ forge, onRequest })
        : createFleetSources({ forge, clock, pace, ...sweep, onRequest });
    const ready: SimulatedTask[] = [];
    for (const key of forge.keys) {
      clock.time += betweenJoinsMs;
      ready.push(await join({ key, clock, sources, comment: () => forge.comment(key), webhooks }));
    }
    const joining = counts.requests;
    let ofTheHour = nothing();
    const heard = await simulateHour({
      tasks: ready,
      clock,
      onBegin: () => {
        forge.limit();
        counts = nothing();
      },
      onEnd: () => {
        ofTheHour = counts;
      },
    });
    return { joining, ...ofTheHour, ...heard };
  } finally {
    await forge.close();
  }
}

type Counts = Pick<FleetFigures, 'requests' | 'counted' | 'refused'>;

const nothing = (): Counts => ({ requests: 0, counted: 0, refused: 0 });

function count(
  { requests, counted, refused }: Counts,
  { counted: isCounted, status }: RequestRecord,
): Counts {
  const isRefused = status === 403 || status === 429;
  return {
    requests: requests + 1,
    counted: counted + (isCounted ? 1 : 0),
    refused: refused + (isRefused ? 1 : 0),
  };
}

/** A task that listens, after its first look. */
async function join(parts: {
  readonly key: GitHubTaskKey;
  readonly clock: VirtualClock;
  readonly sources: FleetSources;
  readonly comment: () => Comment;
  readonly webhooks: boolean;
}): Promise<SimulatedTask> {
  const { key, clock, sources, comment, webhooks } = parts;
  const { check } = createListener(sources.listenTo(key), clock);
  // Where many join at once the limits of a minute make some of them wait.
  while ((await check()) === null) clock.time += joinAgainMs;
  const underWay = new Map<string, Comment>();
  const ring = (id: string) => {
    const comment = underWay.get(id) ?? null;
    sources.bell.ring({ key, commentId: id, updatedAt: comment?.updatedAt ?? null, deleted: false, comment });
    underWay.delete(id);
  };
  return {
    check,
    comment: () => {
      const written = comment();
      if (webhooks) underWay.set(written.id, written);
      return written.id;
    },
    ring: webhooks ? ring : null,
  };
}
