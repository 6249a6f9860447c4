import type { Script, ScriptedCall } from '@agent/simulators/model';
import { en } from '../../src/rehearse/texts.en.ts';

/** Steps of the first part of the run: enough for a user to comment, edit, delete, pause and resume meanwhile. */
const minSteps = 4;
/** Step after which the model finishes although a comment is missing. */
const maxSteps = 400;

/** Two calls that take turns: the same one again and again would end the run. */
const looks: readonly ScriptedCall[] = [
  { name: 'list_files', input: {} },
  { name: 'read_file', input: { path: 'total.js' } },
];

/** A call that changes nothing; another one at each step. */
export function toLook(step: number): ScriptedCall {
  return looks[step % 2] ?? { name: 'list_files', input: {} };
}

/** Facts of a conversation that say how far the story is. */
export interface StoryProgress {
  /** True once the model may finish the first part. */
  readonly isReady: () => boolean;
}

/**
 * A model that follows the issue of a rehearsal: it works in small steps until the story goes on, writes the file, and repairs what a
 * reviewer asks for.
 */
export function createRehearsalScript({ isReady }: StoryProgress): Script {
  return (view) => {
    if (view.tools.includes('report_ready')) return { toolCalls: [{ name: 'report_ready', input: {} }] };
    const text = view.messages.map(({ text: one }) => one).join('\n');
    const isReviewed = text.includes('exclamation mark');
    const writes = view.exchanges.filter(({ name }) => name === 'write_file').length;
    if (!isReviewed) {
      const steps = view.exchanges.length;
      const mayWrite = (isReady() && steps >= minSteps) || steps >= maxSteps;
      if (writes === 0 && !mayWrite) return { toolCalls: [toLook(steps)] };
      if (writes === 0) return { toolCalls: [write('# Rehearsal\nstep 1\nmango\nguava\n')] };
      return { text: 'The file is there, with the lines that were asked for.' };
    }
    const isLong = text.includes(en.longWorkComment);
    if (isLong) return { toolCalls: [toLook(view.exchanges.length)] };
    if (writes < 2) return { toolCalls: [write('# Rehearsal!\nstep 1\nmango\nguava\n')] };
    return { text: 'The line has an exclamation mark now.' };
  };
}

/** Writes the file that the issue asks for. */
export function write(content: string): ScriptedCall {
  return { name: 'write_file', input: { path: 'agent-rehearsal.md', content } };
}
