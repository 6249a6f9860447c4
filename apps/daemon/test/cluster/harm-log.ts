import type { TakeoverWaits } from './takeovers.ts';

/** A time at which a process could not reach its servers. */
export interface Outage {
  readonly process: string;
  readonly from: number;
  to: number;
}

/** What a trial has seen of harm. */
export interface HarmLog {
  /** Kills, by role. */
  readonly kills: { look: number; work: number };
  /** Partitions, by what was cut off from what, and how. */
  readonly partitions: Record<string, number>;
  /** Processes that were frozen and had no run. */
  idleFreezes: number;
  /** Processes that were frozen until others had their runs. */
  zombies: number;
  /** Writes of these, after they woke, that were refused or never made. */
  refused: number;
  /** Milliseconds from the death of a process with a run until another had it. */
  readonly takeovers: number[];
  /** What each of these runs waited for. */
  readonly waits: TakeoverWaits[];
  /** The same, from the freeze of a process. */
  readonly zombieTakeovers: number[];
  /** Harms whose thread ended before their moment: they befell anybody then. */
  missed: number;
  readonly outages: Outage[];
  readonly broken: string[];
  /** What was done, with the time. */
  readonly events: string[];
}

export function createHarmLog(): HarmLog {
  return {
    kills: { look: 0, work: 0 },
    partitions: {},
    idleFreezes: 0,
    zombies: 0,
    refused: 0,
    takeovers: [],
    waits: [],
    zombieTakeovers: [],
    missed: 0,
    outages: [],
    broken: [],
    events: [],
  };
}

/** Notes what was done. */
export function note({ events }: Pick<HarmLog, 'events'>, what: string): void {
  events.push(`${new Date().toISOString()} ${what}`);
}
