import type { Script } from '@agent/simulators/model';
import { en } from '../../src/rehearse/texts.en.ts';
import { followPlan, planOf } from '../support/planning-script.ts';
import { withPreparation } from '../support/pre-planning-script.ts';
import { createRehearsalScript, type StoryProgress, toLook, write } from './rehearsal-script.ts';

/** A model that prepares and plans, and follows the issue of a rehearsal in two actions. */
export function createPlannedRehearsalScript({ isReady }: StoryProgress): Script {
  const plan = planOf([
    { text: 'Look around', tool: 'list_files' },
    { text: 'Write the file', tool: 'write_file' },
  ]);
  /** Number of calls before each attempt at an action. An attempt without a call counts as failed. */
  const callsBefore = new Map<string, number>();
  const script = followPlan({
    plan: () => plan,
    acts: {},
    carryOut: ({ text, task: planned, number }, view) => {
      const task = planned === '' ? (/\bround_\d+\b/.exec(text)?.[0] ?? '') : planned;
      const calls = view.exchanges.length;
      const attempt = `${task} ${number}`;
      const before = callsBefore.get(attempt) ?? calls;
      callsBefore.set(attempt, before);
      const isLong = view.messages.some((message) => message.text.includes(en.longWorkComment));
      if (isLong || (task === 'task_1' && !isReady())) return { toolCalls: [toLook(calls)] };
      if (calls === before) {
        const heading = task.startsWith('round') ? '# Rehearsal!' : '# Rehearsal';
        const writes = write(`${heading}\nstep 1\nmango\nguava\n`);
        return { toolCalls: [task === 'task_1' ? toLook(calls) : writes] };
      }
      const outcome = { phase: 'execution', current_task: task, expected_outcome_met: true };
      return { text: JSON.stringify({ ...outcome, evidence: 'It is done.' }) };
    },
    report: () => 'The file is there, with the lines that were asked for.',
    loop: createRehearsalScript({ isReady }),
  });
  return withPreparation(script, []);
}
