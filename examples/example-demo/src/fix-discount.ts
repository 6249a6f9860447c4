import type {
  ConversationView,
  Script,
  ScriptedCall,
  ScriptedReply,
  ToolExchange,
} from '@agent/simulators/model';
import { demoFault, demoRounding } from './demo-project.ts';

/** Said with the first words and with the last, so that nobody takes the script for a language model. */
export const scriptNotice =
  '(This is a script that plays a language model. It knows this one task and no other.)';

/**
 * The demonstration's model: sees the test fail, mends the line, sees the test pass, reports; looks around first where
 * its instructions do not show the code, and rounds otherwise where a person rejects what was assumed. Each turn
 * follows from what the conversation shows, so a run that begins again goes on with what it finds.
 */
export const fixDiscount: Script = (view): ScriptedReply => {
  const isShown = view.instructions.includes(demoFault.wrong.trim());
  const last = view.exchanges.at(-1);
  if (!isShown && callsOf(view, 'list_files').length === 0) return lookAround;
  if (!isShown && callsOf(view, 'read_file').length === 0) return readFiles;
  if (callsOf(view, 'run_command').length === 0) return runTests(describeFirstRun(isShown));
  if (isRejected(view) && !didEdit(view, demoRounding.perLine)) return roundOnce(view);
  if (last?.name === 'run_command' && testsPass(last)) return report(view);
  if (callsOf(view, 'edit_file').length === 0) return mend;
  if (last?.name === 'edit_file') return runTests('Now the tests again.');
  return giveUp;
};

const lookAround = {
  text: `${scriptNotice}\nFirst I look at what is in the repository.`,
  toolCalls: [{ name: 'list_files', input: {} }],
};

const readFiles = {
  text: 'The test that the issue speaks of, and what it tests.',
  toolCalls: [
    { name: 'read_file', input: { path: demoFault.test } },
    { name: 'read_file', input: { path: demoFault.file } },
  ],
};

const mend = {
  text: 'totalOf takes the percentage off every line and then off their sum once more. The sum is the total already.',
  toolCalls: [edit(demoFault.file, [demoFault.wrong, demoFault.right])],
};

const giveUp = {
  text: `The tests still fail after my change, and that is as far as this script goes.\n\n${scriptNotice}`,
};

function describeFirstRun(isShown: boolean): string {
  return isShown
    ? 'The code and its test were collected before I began. What the tests print was not: I run them.'
    : 'Now I run the tests as they are, to see what fails.';
}

/** The sum first, then the percentage, once; and a test for it. */
function roundOnce(view: ConversationView) {
  const unmend = edit(demoFault.file, [demoFault.right, demoFault.wrong]);
  return {
    text: 'My assumption is rejected: the till rounds once. So the percentage goes off the sum, and a test says so.',
    toolCalls: [
      edit(demoFault.file, [demoRounding.perLine, demoRounding.onSum]),
      ...(didEdit(view, demoFault.wrong) ? [unmend] : []),
      edit(demoFault.test, [demoRounding.testBefore, `${demoRounding.testBefore}\n${demoRounding.test}`]),
    ],
  };
}

function runTests(text: string) {
  return { text, toolCalls: [{ name: 'run_command', input: { command: 'node', args: ['--test'] } }] };
}

function report(view: ConversationView) {
  const edited = callsOf(view, 'edit_file').length > 0;
  const parts = [
    edited
      ? '`totalOf` took the discount off every line of the basket and then off their sum once more. It now takes it off once.'
      : 'The branch already has the change: `totalOf` takes the discount off once.',
    didEdit(view, demoRounding.perLine)
      ? 'It is rounded once too, on the sum: what I had assumed was rejected.'
      : '',
    'All tests pass.',
    view.instructions.includes('- The login data for the till')
      ? 'The till itself I did not see: its login data could not be found, and that is nothing to guess.'
      : '',
  ];
  return { text: `${parts.filter((part) => part !== '').join(' ')}\n\n${scriptNotice}` };
}

function edit(path: string, [before, after]: readonly [string, string]): ScriptedCall {
  return { name: 'edit_file', input: { path, old_text: before, new_text: after } };
}

/** Whether the passage was replaced by an edit. */
function didEdit(view: ConversationView, before: string): boolean {
  return callsOf(view, 'edit_file').some(({ input }) => input?.old_text === before);
}

/** The daemon's words under a `/reject` of somebody who may steer. */
function isRejected({ messages }: ConversationView): boolean {
  return messages.some(({ text }) => /^\(The assumption A\d+, rounding, is rejected\./m.test(text));
}

function callsOf(view: ConversationView, tool: string): ToolExchange[] {
  return view.exchanges.filter(({ name }) => name === tool);
}

/** Reads the summary of node's test runner, whichever reporter wrote it. */
function testsPass(run: ToolExchange): boolean {
  return /(?:#|ℹ) fail 0\b/.test(run.output);
}
