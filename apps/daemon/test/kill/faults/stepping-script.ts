import type { ConversationView, Script, ScriptedCall } from '@agent/simulators/model';
import { createCarefulScript, type Goal } from '../careful-script.ts';

/**
 * Does one step of the work: a line in the repository's log, and one in a file outside of all repositories, which no
 * reset and no new worktree takes back.
 */
export const stepProgram = (effects: string): string =>
  `echo "step $1" >> log.txt\necho "step $1" >> '${effects}'\n`;

const look: ScriptedCall = { name: 'read_file', input: { path: 'log.txt' } };

/** One step as a goal; a careful model looks whether it took effect. */
export function toStep(number: number): Goal {
  const input = { command: 'sh', args: ['step.sh', String(number)] };
  const isDone = (output: string): boolean => new RegExp(`step ${number}(?!\\d)`).test(output);
  return { call: { name: 'run_command', input }, look: { call: look, isDone } };
}

export interface SteppingOptions {
  readonly steps: number;
  /** Calls in its first answer. */
  readonly callsAtOnce: number;
}

/** A model that takes so many steps, one after the other, and looks before it repeats one whose result it does not know. */
export function createSteppingScript({ steps, callsAtOnce }: SteppingOptions): Script {
  return createCarefulScript(() => Array.from({ length: steps }, (_, index) => toStep(index + 1)), {
    callsAtOnce,
  });
}

/** The same script; `onStep` is told how many results the conversation has, each number once. */
export function watchSteps(script: Script, onStep: (step: number) => void): Script {
  let reached = -1;
  return (view: ConversationView) => {
    while (reached < view.exchanges.length) {
      reached += 1;
      onStep(reached);
    }
    return script(view);
  };
}
