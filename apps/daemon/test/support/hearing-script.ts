import type { ConversationView, Script, ScriptedCall } from '@agent/simulators/model';

/** Words that people say in comments, each in one place of the story. They are not to be found anywhere else. */
export const colors = [
  'CRIMSON',
  'ORCHID',
  'TEAL',
  'CYAN',
  'OLIVE',
  'AMBER',
  'INDIGO',
  'SILVER',
  'VIOLET',
  'MAROON',
  'COPPER',
  'LAVENDER',
  'PEWTER',
] as const;
export type Color = (typeof colors)[number];

/** Says that it has begun, and waits until it may go on: for what happens while a tool is at work. */
export const waitProgram = `import { existsSync, rmSync, writeFileSync } from 'node:fs';
writeFileSync('started.txt', '');
while (!existsSync('go.txt')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
rmSync('started.txt');
rmSync('go.txt');
`;

const read: ScriptedCall = { name: 'read_file', input: { path: 'total.js' } };
const wait: ScriptedCall = { name: 'run_command', input: { command: 'node', args: ['wait.js'] } };
const note: ScriptedCall = { name: 'write_file', input: { path: 'notes.md', content: 'Noted.\n' } };

/** By how many calls there have been. */
const calls: Readonly<Record<number, readonly ScriptedCall[]>> = {
  0: [read],
  1: [wait, read],
  3: [note],
  4: [read],
  5: [read],
};

/** Says at every turn which words it has been told, in small letters, so that an answer is no repetition of a comment. */
export const hearingScript: Script = (view) => {
  const told = colors.filter((color) => isTold(view, color)).map((color) => color.toLowerCase());
  const text = `Told so far: ${told.join(', ') || 'nothing'}.`;
  return { text, toolCalls: calls[view.exchanges.length] ?? [] };
};

function isTold({ messages }: ConversationView, color: Color): boolean {
  return messages.some(({ role, text }) => role === 'user' && text.includes(color));
}
