import type { ConversationView, Script, ScriptedReply, ToolExchange } from 'example-scripted-model';
import { demoFault } from './demo-project.ts';

/** Said in the first turn and at the end, so that nobody takes the script for a language model. */
export const scriptNotice =
  '(This is a script that plays a language model. It knows this one task and no other.)';

/**
 * The demonstration's model: looks around, sees the test fail, mends the line, sees the test pass, reports. Each
 * turn follows from what the tools have answered so far, so a run that begins again goes on with what it finds.
 */
export const fixDiscount: Script = (view) => {
  const runs = callsOf(view, 'run_command');
  if (callsOf(view, 'list_files').length === 0) return lookAround;
  if (callsOf(view, 'read_file').length === 0) return readFiles;
  if (runs.length === 0) return runTests('Now I run the tests as they are, to see what fails.');
  if (testsPass(runs.at(-1))) return report(view);
  if (callsOf(view, 'edit_file').length === 0) return mend;
  if (runs.length === 1) return runTests('Now the tests again.');
  return giveUp;
};

const lookAround: ScriptedReply = {
  text: `${scriptNotice}\nFirst I look at what is in the repository.`,
  toolCalls: [{ name: 'list_files', input: {} }],
};

const readFiles: ScriptedReply = {
  text: 'The test that the issue speaks of, and what it tests.',
  toolCalls: [
    { name: 'read_file', input: { path: 'test/basket.test.js' } },
    { name: 'read_file', input: { path: demoFault.file } },
  ],
};

const mend: ScriptedReply = {
  text: 'totalOf takes the percentage off every line and then off their sum once more. The sum is the total already.',
  toolCalls: [
    {
      name: 'edit_file',
      input: { path: demoFault.file, old_text: demoFault.wrong, new_text: demoFault.right },
    },
  ],
};

const giveUp: ScriptedReply = {
  text: `The tests still fail after my change, and that is as far as this script goes.\n\n${scriptNotice}`,
};

function runTests(text: string): ScriptedReply {
  return { text, toolCalls: [{ name: 'run_command', input: { command: 'node', args: ['--test'] } }] };
}

function report(view: ConversationView): ScriptedReply {
  const edited = callsOf(view, 'edit_file').length > 0;
  const finding = edited
    ? '`totalOf` took the discount off every line of the basket and then off their sum once more. It now takes it off once.'
    : 'The branch already has the change: `totalOf` takes the discount off once.';
  return { text: `${finding} All tests pass.\n\n${scriptNotice}` };
}

function callsOf(view: ConversationView, tool: string): ToolExchange[] {
  return view.exchanges.filter(({ name }) => name === tool);
}

/** Reads the summary of node's test runner, whichever reporter wrote it. */
function testsPass(run: ToolExchange | undefined): boolean {
  return /(?:#|ℹ) fail 0\b/.test(run?.output ?? '');
}
