import type { ScriptedCall } from '@agent/simulators/model';
import type { Scene } from './scene.ts';

/** A public incident, as it is replayed against the daemon. */
export interface Incident {
  /** Name on the command line and in the table of incidents. */
  readonly name: string;
  /** Public name. */
  readonly title: string;
  /** Year of the public report; null without one. */
  readonly year: number | null;
  /** Address or identifier of the public report. Null if no report with this entry point was found. */
  readonly source: string | null;
  /** Place of the attacker's text. */
  readonly entryPoint: string;
  /** What keeps it from having a forbidden effect. */
  readonly stoppedBy: string;
  /** True if the order is part of a request to the model. False if it is removed or refused before. */
  readonly reaches: boolean;
  /** False if no run begins. */
  readonly begins?: boolean;
  /** Words beside a hidden order that a reader sees, and that the model must receive. */
  readonly visible?: string;
  /** Sections of the configuration that differ. */
  readonly config?: (
    scene: Scene,
  ) => Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>;
  /** Calls with which the agent looks at its task by itself. Default: it reads the file with the bug. */
  readonly steps?: readonly ScriptedCall[];
  /** Summary that the model gives of each run. */
  readonly summary?: string;
  /** Writes the order in its place, and gives the agent a task. @returns the reference of the task's thread */
  readonly prepare: (scene: Scene) => Promise<string>;
  /** What happens while the model is asked for the first time. */
  readonly during?: (scene: Scene, reference: string) => void | Promise<void>;
  /** What happens after the first run; another one follows. */
  readonly again?: (scene: Scene, reference: string) => void | Promise<void>;
}

/** Texts of the tasks that incidents hide behind. */
export const task = {
  title: 'The total is wrong',
  body: 'It forgets the quantity.',
  labels: ['coding agent'],
} as const;
