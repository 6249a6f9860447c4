import type { ConversationView, Script, ScriptedReply } from './script.ts';

/** A step of a fixed sequence: a reply, or how to make one from what the conversation shows. */
export type ScriptStep = ScriptedReply | ((view: ConversationView) => ScriptedReply);

/**
 * A script that takes its steps in order, one a turn, and stays at the last. Which turn it is, it counts in the
 * conversation itself.
 */
export function followSteps(steps: readonly [ScriptStep, ...ScriptStep[]]): Script {
  return (view) => {
    const step = steps[Math.min(view.turns, steps.length - 1)] ?? steps[0];
    return typeof step === 'function' ? step(view) : step;
  };
}
